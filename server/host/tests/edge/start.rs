//! Programs are started as they should be, or it is said why not.

use wire::browser::Exit;
use wire::host::{MarkKind, Reply, Request};
use wire::{ErrorCode, Seq, SessionId};

use crate::support::{Host, SOON, Session, new_id, recorded, sh};
use link::SessionEvent;

#[tokio::test]
async fn a_shell_prints_and_its_exit_code_is_told_after_its_output() {
    let host = Host::start();
    let core = host.connect().await;
    for (script, exit) in [
        ("echo hello", Exit::Code(0)),
        ("exit 3", Exit::Code(3)),
        ("kill -TERM $$", Exit::Signal(15)),
        ("ulimit -c unlimited 2>/dev/null; kill -SEGV $$", Exit::Signal(11)),
    ] {
        let mut session = core.run(sh(script)).await;
        assert_eq!(session.ended().await, exit, "{script}");
        let marks = session.seen.iter().filter_map(|event| match event {
            SessionEvent::Mark(mark) => Some((mark.n, mark.kind.clone())),
            _ => None,
        });
        let start = MarkKind::Start { cols: 80, rows: 24 };
        assert_eq!(marks.collect::<Vec<_>>(), [(1, start), (2, MarkKind::Exit { exit })]);
        if script == "echo hello" {
            assert_eq!(session.text(), "hello\r\n");
        }
    }
}

#[tokio::test]
async fn everything_printed_before_the_exit_comes_before_the_exit() {
    let host = Host::start();
    let core = host.connect().await;
    for round in 0..20 {
        let script = "head -c 1048576 /dev/zero | tr '\\0' x; printf END";
        let mut session = core.run(recorded(script)).await;
        assert_eq!(session.ended().await, Exit::Code(0), "round {round}");
        assert_eq!(session.end, Seq(1_048_579), "round {round}");
        assert!(session.text().ends_with("xEND"), "round {round}");
    }
}

#[tokio::test]
async fn a_missing_command_or_folder_is_said_by_type_and_starts_nothing() {
    let host = Host::start();
    let core = host.connect().await;
    let mut spawn = sh("");
    spawn.command = Some("no-such-command".to_owned());
    let id = spawn.session;
    assert_eq!(core.spawn(spawn).await.unwrap_err().code, ErrorCode::CommandMissing);
    let mut spawn = sh("");
    spawn.command = Some("/etc/passwd".to_owned());
    assert_eq!(core.spawn(spawn).await.unwrap_err().code, ErrorCode::CommandMissing);
    for cwd in ["/no/such/folder", "/etc/passwd", "tmp"] {
        let mut spawn = sh("");
        spawn.cwd = cwd.to_owned();
        assert_eq!(core.spawn(spawn).await.unwrap_err().code, ErrorCode::CwdMissing, "{cwd}");
    }
    let mut spawn = sh("");
    spawn.profile = "nobody".to_owned();
    assert_eq!(core.spawn(spawn).await.unwrap_err().code, ErrorCode::NotFound);
    let list = core.client.request(Request::List).await.unwrap();
    assert_eq!(list, Reply::Sessions(Vec::new()));
    // What could not be started may be asked for again.
    let mut spawn = sh("exit 5");
    spawn.session = id;
    assert_eq!(core.run(spawn).await.ended().await, Exit::Code(5));
}

#[tokio::test]
async fn a_program_that_cannot_be_executed_says_so_on_its_terminal() {
    let host = Host::start();
    let core = host.connect().await;
    let script = host.dir.path().join("broken");
    std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, executable).unwrap();
    let mut spawn = sh("");
    spawn.command = Some(script.to_str().unwrap().to_owned());
    let mut session = core.run(spawn).await;
    assert_eq!(session.ended().await, Exit::Code(127));
    let expected =
        format!("glasshouse: cannot run {}: no such file or directory\r\n", script.display());
    assert_eq!(session.text(), expected);
}

#[tokio::test]
async fn a_session_is_started_once_however_often_it_is_asked_for() {
    let host = Host::start();
    let core = host.connect().await;
    let mut spawn = sh("read line; exit 0");
    spawn.session = new_id();
    let asked = (0..8).map(|_| {
        let (core, spawn) = (core.clone(), spawn.clone());
        tokio::spawn(async move { core.spawn(spawn).await.unwrap().pid })
    });
    let mut pids = Vec::new();
    for asked in asked {
        pids.push(asked.await.unwrap());
    }
    pids.dedup();
    assert_eq!(pids.len(), 1);
    let session = core.attach(spawn.session, Seq::ZERO, 0).await;
    session.terminate().await;
}

async fn printed(host: &Host, spawn: wire::host::Spawn) -> String {
    let mut session: Session = host.connect().await.run(spawn).await;
    assert_eq!(session.ended().await, Exit::Code(0), "{}", session.text());
    session.text()
}

#[tokio::test]
async fn a_program_has_no_descriptors_but_its_terminal() {
    let host = Host::start();
    let core = host.connect().await;
    let mut others = Vec::new();
    for _ in 0..8 {
        others.push(core.run(sh("read line")).await);
    }
    let fds =
        printed(&host, sh("ls -l /proc/$$/fd | sed 's/.* //' ; ls /proc/$$/fd | tr '\\n' ' '"))
            .await;
    assert!(fds.contains("0 1 2 "), "{fds}");
    assert!(!fds.contains("ptmx") && !fds.contains("socket") && !fds.contains("10 "), "{fds}");
}

#[tokio::test]
async fn a_program_starts_with_default_signals_and_the_terminal_it_was_promised() {
    let mut start = |dir: &std::path::Path| {
        let mut command = std::process::Command::new("nohup");
        let plain = Host::command(dir);
        command.arg(plain.get_program()).args(plain.get_args());
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap());
        }
        command
    };
    let host = Host::start_with(&mut start);
    let script = "grep -E '^Sig(Ign|Blk):' /proc/$$/status; stty -a; stty size; ulimit -c; umask; \
                  ps -o sid=,pgid=,pid= -p $$; echo $TERM $COLORTERM";
    let said = printed(&host, sh(script)).await;
    assert!(said.contains("SigBlk:\t0000000000000000"), "{said}");
    assert!(said.contains("SigIgn:\t0000000000000000"), "{said}");
    assert!(
        said.contains("24 80") && said.contains("\nisig ") && said.contains(" iutf8"),
        "{said}"
    );
    assert!(said.contains("xterm-256color truecolor"), "{said}");
    let ids = said.lines().find_map(|line| {
        let ids: Vec<u32> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        <[u32; 3]>::try_from(ids).ok()
    });
    let [sid, pgid, pid] = ids.unwrap();
    assert!(sid == pid && pgid == pid, "{said}");
}

#[tokio::test]
async fn nothing_of_ours_is_in_a_programs_environment_or_within_its_reach() {
    let mut start = |dir: &std::path::Path| {
        let mut command = Host::command(dir);
        for n in 0..50 {
            command.env(format!("CANARY_{n}"), format!("canary-{n}"));
        }
        command.env("DATABASE_URL", "postgres://canary").env("GLASSHOUSE_TOKEN", "canary");
        command
    };
    let host = Host::start_with(&mut start);
    let id = new_id();
    let mut spawn = sh("env; cat /proc/self/environ; cat /proc/$PPID/environ 2>/dev/null; true");
    spawn.session = id;
    spawn.env = vec![("MINE".to_owned(), "yes".to_owned())];
    let said = printed(&host, spawn).await;
    let is_root = rustix::process::geteuid().is_root();
    // Root reads everything; anybody else is kept from the host's memory and environment.
    let own = if is_root { said.split("/proc/").next().unwrap() } else { said.as_str() };
    let own = own.split('\0').next().unwrap();
    assert!(!own.contains("canary"), "{own}");
    assert!(own.contains("MINE=yes") && own.contains(&format!("/{id}")), "{own}");
}

#[tokio::test]
async fn a_replacement_takes_the_lease_over_under_a_new_epoch() {
    let host = Host::start();
    let core = host.connect().await;
    let first = core.run(sh("read line")).await;
    let held = first.control(1, wire::host::LeaseAction::Acquire).await.unwrap();
    let mut spawn = sh("read line");
    spawn.after = Some(first.id);
    let second = core.run(spawn).await;
    let lease = &second.attached.facts.lease;
    assert_eq!(lease.epoch, held.epoch + 1);
    assert_eq!(
        lease.holder.as_ref().map(|holder| holder.viewer),
        Some(crate::support::by(1).viewer)
    );
    let missing = SessionId::from_random([255; 16]);
    let inspect = core.client.request(Request::Inspect { session: missing }).await;
    assert!(inspect.is_err());
    tokio::time::timeout(SOON, first.terminate()).await.unwrap();
}
