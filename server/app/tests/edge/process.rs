//! The executable itself: what it prints, and who may speak to its own socket.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Longest that anything here may take.
const PATIENCE: Duration = Duration::from_secs(60);

struct Serving {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
}

fn glasshouse(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glasshouse"));
    command.env_clear().env("GLASSHOUSE_DATA", data).kill_on_drop(true);
    command
}

impl Serving {
    /// A core without a pane host.
    fn start(data: &Path) -> Self {
        Self::logging(data, Stdio::null())
    }

    fn logging(data: &Path, log: Stdio) -> Self {
        let mut command = glasshouse(data);
        command.env("GLASSHOUSE_LOG", "trace");
        command.args(["serve", "--listen", "127.0.0.1:0", "--host", "unix:/nowhere/host.sock"]);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, said }
    }

    async fn line(&mut self) -> String {
        tokio::time::timeout(PATIENCE, self.said.next_line()).await.unwrap().unwrap().unwrap()
    }

    async fn stop(mut self) {
        let pid = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").arg(pid).status().await.unwrap().success());
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await.unwrap().unwrap();
        assert!(ended.success(), "{ended}");
    }
}

#[tokio::test]
async fn a_first_start_prints_where_it_is_and_how_to_get_in() {
    let data = tempfile::tempdir().unwrap();
    let mut core = Serving::start(data.path());
    let listening = core.line().await;
    let port = listening.strip_prefix("listening on 127.0.0.1:").unwrap().to_owned();
    assert_ne!(port, "0", "the real port");
    let address = core.line().await;
    let prefix = format!("sign in: http://127.0.0.1:{port}/signin#");
    assert_eq!(address.strip_prefix(&prefix).map(str::len), Some(43), "{address}");

    let output = glasshouse(data.path()).arg("signin").output().await.unwrap();
    let another = String::from_utf8(output.stdout).unwrap();
    assert!(another.starts_with(&format!("http://127.0.0.1:{port}/signin#")), "{another}");
    assert!(!address.ends_with(another.trim()));
    core.stop().await;
}

#[tokio::test]
async fn a_second_core_leaves_the_first_one_alone() {
    let data = tempfile::tempdir().unwrap();
    let mut first = Serving::start(data.path());
    first.line().await;
    first.line().await;
    let mut second = Serving::start(data.path());
    let ended = tokio::time::timeout(PATIENCE, second.child.wait()).await.unwrap().unwrap();
    assert_eq!(ended.code(), Some(1));
    let health = glasshouse(data.path()).arg("health").status().await.unwrap();
    assert!(health.success());
    first.stop().await;
    let health = glasshouse(data.path()).arg("health").output().await.unwrap();
    assert!(!health.status.success(), "no core is not healthy");
}

#[tokio::test]
async fn a_program_in_a_pane_is_turned_away_from_the_cores_own_socket() {
    let data = tempfile::tempdir().unwrap();
    let mut core = Serving::start(data.path());
    core.line().await;
    core.line().await;
    for args in [&["signin"][..], &["folder", "list"]] {
        let mut command = glasshouse(data.path());
        command.args(args).env("GLASSHOUSE_SESSION", "mark/session");
        let output = command.output().await.unwrap();
        assert!(!output.status.success() && output.stdout.is_empty());
    }
    // Speaking to the socket without our executable changes nothing.
    let socket = data.path().join("core.sock");
    let ask = "POST /api/signin/address HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let script = format!(
        "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.connect({socket:?})\n\
         try:\n s.sendall({ask:?}.encode())\n sys.stdout.write(s.recv(999).decode())\n\
         except OSError: pass"
    );
    let marked = Command::new("python3")
        .args(["-c", &script])
        .env("GLASSHOUSE_SESSION", "mark/session")
        .output()
        .await;
    // Where there is no Python there is nothing to try it with.
    if let Ok(output) = marked {
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    }
    core.stop().await;
}

#[tokio::test]
async fn no_secret_reaches_the_log_however_loud_it_is() {
    let data = tempfile::tempdir().unwrap();
    let log = data.path().join("log");
    let mut core = Serving::logging(data.path(), std::fs::File::create(&log).unwrap().into());
    let listening = core.line().await;
    let address = core.line().await;
    let host = listening.strip_prefix("listening on ").unwrap();
    let token = address.split_once('#').unwrap().1;

    let body = format!("{{\"token\":\"{token}\"}}");
    let answer = ask(host, "POST /api/signin", "", &body).await;
    let cookie = answer.split_once("set-cookie: ").unwrap().1.split_once(';').unwrap().0;
    let with_cookie = format!("cookie: {cookie}\r\n");
    let answer = ask(host, "POST /api/tickets", &with_cookie, "{\"events\":true}").await;
    let ticket = answer.split_once("\"events\":\"").unwrap().1.split_once('"').unwrap().0;
    // A ticket in the query of a request that is refused, and in a path that is no route.
    ask(host, &format!("GET /api/events?ticket={ticket}"), &with_cookie, "").await;
    ask(host, &format!("GET /api/nothing/{ticket}?ticket={ticket}"), &with_cookie, "").await;
    core.stop().await;

    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("/api/tickets"), "requests are logged by their route");
    let value = cookie.split_once('=').unwrap().1;
    for secret in [token, value, ticket] {
        assert!(!log.contains(secret), "a secret of {} characters", secret.len());
    }
}

/// One request over a connection of its own, and all that comes back.
async fn ask(host: &str, line: &str, headers: &str, body: &str) -> String {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\nconnection: close\r\n\
         {headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let reading = async {
        let mut bytes = [0; 4096];
        // A stream of events does not end: its head is enough.
        while !answer.windows(17).any(|part| part == b"text/event-stream") {
            match stream.read(&mut bytes).await.unwrap() {
                0 => break,
                read => answer.extend_from_slice(&bytes[..read]),
            }
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap();
    String::from_utf8(answer).unwrap()
}
