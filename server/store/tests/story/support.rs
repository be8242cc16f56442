//! Places to make stores in, and things to put there.

use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{ConnectOptions as _, Connection as _};
use store::{Batch, Fresh, Item, NewPane, NewRoom, NewSession, Role, Row, Store, StoreConfig};
use wire::browser::SessionState;
use wire::http::Room;
use wire::{CallerId, HostId, PaneId, RoomId, Seq, SessionId, StoreId};

/// A clock that stands still.
pub(crate) const NOW_MS: i64 = 1_800_000_000_000;

/// Somewhere to make stores.
pub(crate) enum Place {
    Sqlite(tempfile::TempDir),
    Postgres(String),
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().expect("a folder for files"))
    }

    /// None only when skipping was asked for.
    pub(crate) fn postgres() -> Option<Self> {
        if let Ok(url) = std::env::var("GLASSHOUSE_TEST_POSTGRES_URL") {
            return Some(Self::Postgres(url));
        }
        assert!(
            std::env::var("GLASSHOUSE_TEST_SKIP_POSTGRES").is_ok_and(|skip| skip == "1"),
            "no PostgreSQL to test on: run `cargo dev test`, which starts one, or set \
             GLASSHOUSE_TEST_POSTGRES_URL, or GLASSHOUSE_TEST_SKIP_POSTGRES=1 to go without"
        );
        None
    }

    /// Somewhere for one new store.
    pub(crate) async fn fresh(&self) -> StoreConfig {
        let name = format!("story_{}_{:x}", std::process::id(), unique());
        match self {
            Self::Sqlite(folder) => StoreConfig::Sqlite(folder.path().join(name)),
            Self::Postgres(url) => {
                // A schema is a store as good as a database, and made in a tenth of the time.
                let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
                let mut server = options.connect().await.expect("the test's PostgreSQL");
                let create = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {name}"));
                sqlx::query(create).execute(&mut server).await.unwrap();
                server.close().await.unwrap();
                let and = if url.contains('?') { '&' } else { '?' };
                StoreConfig::Postgres(format!("{url}{and}options[search_path]={name}"))
            }
        }
    }

    pub(crate) async fn open(&self) -> Store {
        open(&self.fresh().await).await
    }
}

pub(crate) async fn open(config: &StoreConfig) -> Store {
    Store::open(config, fresh()).await.expect("a store")
}

pub(crate) fn fresh() -> Fresh {
    Fresh {
        store: StoreId::from_random(random()),
        owner: CallerId::from_random(random()),
        now_ms: NOW_MS,
    }
}

/// Different each time, in this process and between processes that share a server.
pub(crate) fn random() -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&unique().to_be_bytes());
    bytes[8..12].copy_from_slice(&std::process::id().to_be_bytes());
    bytes
}

fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn new_room(name: &str) -> NewRoom {
    NewRoom {
        id: RoomId::from_random(random()),
        name: name.to_owned(),
        folder: "/work".to_owned(),
        max_rooms: 6,
        now_ms: NOW_MS,
    }
}

pub(crate) fn new_pane(room: &Room) -> NewPane {
    NewPane {
        id: PaneId::from_random(random()),
        room: room.id,
        name: "tests".to_owned(),
        profile: "shell".to_owned(),
        command: Some("cargo".to_owned()),
        args: vec!["test".to_owned(), "--".to_owned(), "a b".to_owned()],
        cwd: "/work".to_owned(),
        now_ms: NOW_MS,
    }
}

pub(crate) fn new_session(pane: PaneId) -> NewSession {
    NewSession {
        id: SessionId::from_random(random()),
        pane,
        after: None,
        host: HostId::from_random([7; 16]),
        state: SessionState::Starting,
        cols: 120,
        rows: 32,
        now_ms: NOW_MS,
    }
}

/// A running session in a pane of a room of its own.
pub(crate) async fn running(store: &Store) -> SessionId {
    let rooms = store.rooms().await.unwrap();
    let room = match rooms.into_iter().next() {
        Some(room) => room,
        None => store.create_room(&new_room("room")).await.unwrap(),
    };
    let pane = store.create_pane(&new_pane(&room)).await.unwrap();
    let session = store.insert_session(new_session(pane.id)).await.unwrap().id;
    store.set_running(session).await.unwrap();
    session
}

/// One row that holds `text` and begins where the record stands.
pub(crate) fn batch(session: SessionId, role: Role, text: &str) -> Batch {
    let from = role.durable;
    let to = from.advance(u64::try_from(text.len()).unwrap());
    let row = Row { from, to, at_ms: NOW_MS, bytes: text.as_bytes().to_vec() };
    Batch {
        session,
        epoch: role.epoch,
        from,
        to,
        after_mark: role.mark,
        mark: role.mark,
        redact_state: 0,
        items: vec![Item::Row(row)],
        marks: Vec::new(),
    }
}

/// The whole record as text; panics where it does not tile.
pub(crate) async fn text(store: &Store, session: SessionId) -> String {
    let mut at = Seq::ZERO;
    let mut text = String::new();
    loop {
        let page = store.transcript(session, at, Seq(u64::MAX), 64).await.unwrap();
        for item in &page.items {
            assert_eq!(item.from(), at, "rows and gaps tile");
            at = item.to().unwrap_or(at);
            match item {
                Item::Row(row) => text.push_str(std::str::from_utf8(&row.bytes).unwrap()),
                Item::Gap(gap) => text.push_str(&format!("[{}]", gap.why)),
            }
        }
        let Some(next) = page.next else {
            assert_eq!(at, page.durable, "the pages reach the end of the record");
            return text;
        };
        assert_eq!(next, at);
    }
}
