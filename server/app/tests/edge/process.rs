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
        let mut command = glasshouse(data);
        command.args(["serve", "--listen", "127.0.0.1:0", "--host", "unix:/nowhere/host.sock"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
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
