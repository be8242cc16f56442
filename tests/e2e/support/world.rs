//! One Glasshouse of its own: a folder, a core that can be killed and started again, a host that
//! outlives it, and a caller who is signed in.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use hyper::{Method, StatusCode};
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::http::{Answer, Http};
use super::viewer::{Attach, Viewer};
use super::{Database, processes, within};

/// A running Glasshouse. Everything it started ends when it is dropped.
#[derive(Debug)]
pub(crate) struct World {
    folder: TempDir,
    database_url: Option<String>,
    core: Option<Child>,
    pub(crate) http: Http,
}

impl World {
    /// Starts core and host on a fresh store, and signs in.
    pub(crate) async fn start(database: &Database) -> Self {
        let folder =
            tempfile::Builder::new().prefix("glasshouse-e2e-").tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("home")).expect("a home");
        let mut world = Self {
            folder,
            database_url: database.fresh_url(),
            core: None,
            http: Http { port: 0, cookie: None },
        };
        let token = within("the first sign-in line", world.start_core()).await;
        let token = token.expect("the core starts").expect("a first start prints a sign-in URL");
        world.sign_in(&token).await;
        world.host_is_up().await;
        world
    }

    /// Waits until the core has reached its host.
    pub(crate) async fn host_is_up(&self) {
        within("the host", async {
            while self.ok(Method::GET, "/api/me", Value::Null).await["hostUp"] != true {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }

    /// The world's own folder: sessions may start in `home` below it.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where panes start.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Starts a core, on the port of the last one, and waits until it listens. Answers the token
    /// of the sign-in URL if it printed one.
    pub(crate) async fn start_core(&mut self) -> Result<Option<String>> {
        let mut command = Command::new(program());
        command
            .arg("serve")
            .args(["--listen", &format!("127.0.0.1:{}", self.http.port)])
            .arg("--data")
            .arg(self.path().join("data"))
            .current_dir(self.home())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("SHELL", "/bin/bash")
            .env("LANG", "C.UTF-8")
            .env("RUST_LOG", "info")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(self.log()?)
            .kill_on_drop(true);
        if let Some(url) = &self.database_url {
            command.env("DATABASE_URL", url);
        }
        let mut core = command.spawn().context("GLASSHOUSE_BIN cannot be started")?;
        let lines = core.stdout.take().context("its output is a pipe")?;
        self.core = Some(core);
        let mut lines = BufReader::new(lines).lines();
        let mut token = None;
        while let Some(line) = lines.next_line().await? {
            if let Some((_, rest)) = line.split_once("/signin#") {
                token = Some(rest.trim().to_owned());
            }
            if let Some(port) = port(&line) {
                self.http.port = port;
                // Nothing more is read: what it prints later must not stop it.
                tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
                return Ok(token);
            }
        }
        bail!("the core ended:\n{}", self.read_log())
    }

    /// Ends the core as a crash would.
    pub(crate) async fn kill_core(&mut self) {
        if let Some(mut core) = self.core.take() {
            core.start_kill().expect("it is our child");
            within("the core's end", core.wait()).await.expect("it is our child");
        }
    }

    /// Asks the core to stop and waits until it has.
    pub(crate) async fn stop_core(&mut self) {
        if let Some(mut core) = self.core.take() {
            let pid = core.id().and_then(|pid| i32::try_from(pid).ok()).expect("it runs");
            processes::signal(pid, Signal::TERM);
            within("the core's stop", core.wait()).await.expect("it is our child");
        }
    }

    /// The pid of the pane host.
    pub(crate) fn host_pid(&self) -> Option<i32> {
        let folder = self.path().to_string_lossy().into_owned();
        let hosts = processes::marked(&folder).into_iter().filter(|process| {
            let program = process.command.split(' ').next().unwrap_or_default();
            program.ends_with("glasshouse-host")
                && processes::is_alive(process.pid)
                && !process.command.contains("exec-child")
        });
        hosts.map(|process| process.pid).next()
    }

    /// Exchanges a sign-in token for a cookie.
    pub(crate) async fn sign_in(&mut self, token: &str) {
        let answer = self.call(Method::POST, "/api/signin", json!({ "token": token })).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.body);
        self.http.cookie = answer.cookie;
    }

    /// A request as the page makes it.
    pub(crate) async fn call(&self, method: Method, path: &str, body: Value) -> Answer {
        let name = format!("{method} {path}");
        within(&name, self.http.call(method, path, &body)).await.expect("the core answers")
    }

    /// A request that must succeed; its JSON.
    pub(crate) async fn ok(&self, method: Method, path: &str, body: Value) -> Value {
        let answer = self.call(method.clone(), path, body).await;
        assert!(answer.status.is_success(), "{method} {path}: {} {}", answer.status, answer.body);
        answer.json()
    }

    /// Makes a room; answers its id.
    pub(crate) async fn room(&self, name: &str) -> String {
        let room = self.ok(Method::POST, "/api/rooms", json!({ "name": name })).await;
        room["id"].as_str().expect("a room has an id").to_owned()
    }

    /// Makes a pane that runs a command; answers it.
    pub(crate) async fn pane(&self, room: &str, command: &str, args: &[&str]) -> Value {
        let body = json!({ "command": command, "args": args, "cols": 80, "rows": 24 });
        self.ok(Method::POST, &format!("/api/rooms/{room}/panes"), body).await
    }

    /// Makes a pane that runs a script in bash; answers its id.
    pub(crate) async fn script(&self, room: &str, script: &str) -> String {
        id(&self.pane(room, "bash", &["-c", script]).await)
    }

    /// Opens a viewer on a pane.
    pub(crate) async fn attach(&self, pane: &str) -> Viewer {
        Viewer::open(&self.http, pane, Attach::default()).await.expect("the socket opens")
    }

    /// What is recorded of a session, as far as it is, gaps told apart.
    pub(crate) async fn transcript(&self, session: &str) -> Vec<u8> {
        let mut out = Vec::new();
        let mut next = Some(0);
        while let Some(from) = next {
            let path = format!("/api/sessions/{session}/transcript?from={from}");
            let page = self.ok(Method::GET, &path, Value::Null).await;
            for item in page["items"].as_array().into_iter().flatten() {
                assert_eq!(item["kind"], "row", "a gap in the record: {item}");
                let data = item["data"].as_str().unwrap_or_default();
                let bytes =
                    base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data);
                out.extend(bytes.expect("rows are base64"));
            }
            next = page["next"].as_u64();
        }
        out
    }

    /// What the core and host have logged.
    pub(crate) fn read_log(&self) -> String {
        std::fs::read_to_string(self.path().join("log")).unwrap_or_default()
    }

    fn log(&self) -> Result<std::fs::File> {
        let mut options = std::fs::OpenOptions::new();
        Ok(options.create(true).append(true).open(self.path().join("log"))?)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = self.read_log();
            let from = log.len().saturating_sub(6_000);
            #[expect(clippy::print_stderr, reason = "a failed test shows why")]
            {
                eprintln!("the end of the log:\n{}", log.get(from..).unwrap_or(&log));
            }
        }
        drop(self.core.take());
        // The host outlives its core, and sessions their host: all of them carry our folder.
        let folder = self.folder.path().to_string_lossy().into_owned();
        for process in processes::marked(&folder) {
            processes::signal(process.pid, Signal::KILL);
        }
    }
}

/// The id of whatever was made.
pub(crate) fn id(value: &Value) -> String {
    value["id"].as_str().expect("it has an id").to_owned()
}

/// The session that a pane shows.
pub(crate) fn session_id(pane: &Value) -> String {
    id(&pane["session"])
}

/// The built core; the host lies beside it.
fn program() -> PathBuf {
    let built = || {
        let own = std::env::current_exe().ok()?;
        let folder = own.ancestors().nth(2)?;
        Some(folder.join("glasshouse"))
    };
    std::env::var_os("GLASSHOUSE_BIN").map(PathBuf::from).or_else(built).expect("a program")
}

/// The port in a line that names where the core listens.
fn port(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("http://127.0.0.1:")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
