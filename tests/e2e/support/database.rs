//! Which database a world runs on.

/// The store behind the core.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    /// Embedded, in the world's own folder.
    Sqlite,
    /// A database of its own in the PostgreSQL that `cargo dev test` started.
    Postgres,
}

impl Database {
    /// Both, for promises that hold on both.
    pub(crate) const BOTH: [Self; 2] = [Self::Sqlite, Self::Postgres];

    /// The URL of a fresh database, or none for the embedded one.
    ///
    /// # Panics
    ///
    /// When there is no PostgreSQL: a promise is never skipped in silence.
    pub(crate) fn fresh_url(&self) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => {
                let server = std::env::var("GLASSHOUSE_TEST_POSTGRES_URL").expect(
                    "GLASSHOUSE_TEST_POSTGRES_URL names a PostgreSQL; see `cargo dev test`",
                );
                Some(create(&server))
            }
        }
    }
}

/// Makes a database with a name of its own.
fn create(server: &str) -> String {
    let name = format!("world_{:016x}", rand::random::<u64>());
    let (address, query) = server.split_once('?').unwrap_or((server, ""));
    let host = query.strip_prefix("host=").unwrap_or("localhost");
    let output = std::process::Command::new("psql")
        .args(["-h", host, "-U", "postgres", "-d", "postgres", "-qc"])
        .arg(format!("CREATE DATABASE {name}"))
        .output()
        .expect("psql is installed with PostgreSQL");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let base = address.rsplit_once('/').map_or(address, |(base, _)| base);
    format!("{base}/{name}?{query}")
}
