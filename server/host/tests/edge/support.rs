//! A host of one's own, and a core that talks to it.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::Bytes;
use link::{Attached, CallError, Client, ConnectOptions, SessionEvent};
use tokio::sync::mpsc;
use wire::browser::{CallerKind, Exit, Paste};
use wire::host::{
    By, Hello, InputHead, LINK_VERSION, LeaseAction, LeaseFacts, Reply, Request, SessionFacts,
    Spawn,
};
use wire::{CallerId, ErrorBody, Seq, SessionId, StoreId, ViewerId};

/// Everything a test waits for comes within this, on a machine that does much else.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// A host process in directories of its own.
pub(crate) struct Host {
    pub(crate) process: Child,
    pub(crate) dir: tempfile::TempDir,
}

impl Host {
    pub(crate) fn start() -> Self {
        Self::start_with(&mut Self::command)
    }

    /// Starts a host by a command that the test has changed.
    pub(crate) fn start_with(command: &mut dyn FnMut(&Path) -> Command) -> Self {
        let private = std::fs::Permissions::from_mode(0o700);
        let dir = tempfile::Builder::new().permissions(private).tempdir().unwrap();
        let process = Self::run(&mut command(dir.path()));
        Self { process, dir }
    }

    pub(crate) fn command(dir: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glasshouse-host"));
        command.arg("--run-dir").arg(dir.join("run")).arg("--state-dir").arg(dir.join("state"));
        command.env("SHELL", "/bin/bash").env("GLASSHOUSE_LOG", "warn");
        command
    }

    /// Runs a host until it is ready.
    pub(crate) fn run(command: &mut Command) -> Child {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut ready = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        assert_eq!(ready, "ready\n");
        process
    }

    pub(crate) fn socket(&self) -> std::path::PathBuf {
        self.dir.path().join("run/host.sock")
    }

    pub(crate) fn hello(&self) -> Hello {
        Hello {
            link: LINK_VERSION,
            features: Vec::new(),
            build: "test".to_owned(),
            store: StoreId::from_random([9; 16]),
            secret: std::fs::read_to_string(self.dir.path().join("run/link.secret")).unwrap(),
        }
    }

    pub(crate) async fn connect(&self) -> Core {
        Core { client: self.try_connect(self.hello()).await.unwrap() }
    }

    pub(crate) async fn try_connect(&self, hello: Hello) -> Result<Client, link::LinkError> {
        let uid = rustix::process::geteuid().as_raw();
        let options = ConnectOptions { allowed_uids: vec![uid], timeout: SOON };
        Client::connect(&self.socket(), hello, &options).await.map(|(client, _)| client)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends the host a signal and waits for its end.
    pub(crate) fn end(&mut self, signal: rustix::process::Signal) -> std::process::ExitStatus {
        let pid = rustix::process::Pid::from_child(&self.process);
        if self.process.try_wait().unwrap().is_none() {
            rustix::process::kill_process(pid, signal).unwrap();
        }
        self.process.wait().unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.end(rustix::process::Signal::TERM);
    }
}

/// A core.
#[derive(Clone)]
pub(crate) struct Core {
    pub(crate) client: Client,
}

/// A session that is followed.
pub(crate) struct Session {
    pub(crate) core: Core,
    pub(crate) id: SessionId,
    pub(crate) attached: Attached,
    pub(crate) events: mpsc::Receiver<SessionEvent>,
    /// All output seen.
    pub(crate) output: Vec<u8>,
    /// The end of it.
    pub(crate) end: Seq,
    /// All other events seen.
    pub(crate) seen: Vec<SessionEvent>,
    /// How it ended.
    pub(crate) exit: Option<Exit>,
}

/// A session id that no other test of this process uses.
pub(crate) fn new_id() -> SessionId {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    SessionId::from_random(bytes)
}

/// The same, recorded: the host keeps its output until it is told that it was stored.
pub(crate) fn recorded(script: &str) -> Spawn {
    Spawn { record: true, ..sh(script) }
}

/// A shell's session that runs a command line with `sh -c` and that nobody records.
pub(crate) fn sh(script: &str) -> Spawn {
    Spawn {
        session: new_id(),
        profile: "shell".to_owned(),
        command: Some("sh".to_owned()),
        args: vec!["-c".to_owned(), script.to_owned()],
        cwd: "/tmp".to_owned(),
        cols: 80,
        rows: 24,
        cell: None,
        theme: None,
        resume: false,
        record: false,
        after: None,
        env: Vec::new(),
    }
}

pub(crate) fn by(n: u8) -> By {
    By {
        caller: CallerId::from_random([n; 16]),
        viewer: ViewerId::from_random([n; 16]),
        name: format!("caller {n}"),
        kind: CallerKind::Person,
        owner: true,
    }
}

impl Core {
    pub(crate) async fn spawn(&self, spawn: Spawn) -> Result<SessionFacts, ErrorBody> {
        match self.client.request(Request::Spawn(Box::new(spawn))).await {
            Ok(Reply::Session(facts)) => Ok(*facts),
            Err(CallError::Refused(error)) => Err(error),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn attach(&self, id: SessionId, after: Seq, mark: u64) -> Session {
        let (attached, events) = self.client.attach(id, after, mark).await.unwrap();
        let end = attached.from;
        let (core, seen) = (self.clone(), Vec::new());
        Session { core, id, attached, events, output: Vec::new(), end, seen, exit: None }
    }

    /// Starts a session and follows it from its beginning.
    pub(crate) async fn run(&self, spawn: Spawn) -> Session {
        let facts = self.spawn(spawn).await.unwrap();
        self.attach(facts.session, Seq::ZERO, 0).await
    }
}

impl Session {
    /// Takes the next event; output is checked to be without a hole.
    pub(crate) async fn next(&mut self) -> SessionEvent {
        let event = tokio::time::timeout(SOON, self.events.recv()).await;
        let event = event.unwrap_or_else(|_| panic!("nothing after {:?}", self.text()));
        let event = event.expect("the link has closed");
        match &event {
            SessionEvent::Output { end, bytes, .. } => {
                assert_eq!(*end, self.end.advance(bytes.len().try_into().unwrap()));
                self.end = *end;
                self.output.extend_from_slice(bytes);
                let took = Request::Took { session: self.id, seq: *end };
                // A link that has closed is seen by the next event.
                drop(self.core.client.send(took));
            }
            SessionEvent::Exited { exit, seq } => {
                assert_eq!(*seq, self.end);
                self.exit = Some(*exit);
            }
            SessionEvent::Skip { to, .. } => self.end = *to,
            other => self.seen.push(other.clone()),
        }
        event
    }

    /// Reads until the output holds a text; answers what came before its end.
    pub(crate) async fn until(&mut self, text: &str) -> String {
        loop {
            let all = self.text();
            if let Some(at) = all.find(text) {
                let (head, tail) = all.split_at(at + text.len());
                let (head, tail) = (head.to_owned(), tail.to_owned());
                self.output = tail.into_bytes();
                return head;
            }
            assert_eq!(self.exit, None, "ended before {text:?}: {all:?}");
            self.next().await;
        }
    }

    /// Reads until the program has ended.
    pub(crate) async fn ended(&mut self) -> Exit {
        loop {
            if let Some(exit) = self.exit {
                return exit;
            }
            self.next().await;
        }
    }

    /// Reads until an event that is no output.
    pub(crate) async fn event(&mut self, wanted: impl Fn(&SessionEvent) -> bool) -> SessionEvent {
        loop {
            if let Some(at) = self.seen.iter().position(&wanted) {
                return self.seen.remove(at);
            }
            self.next().await;
        }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }

    pub(crate) fn input(&self, n: u8, epoch: u32, run: u32, id: Option<u64>, text: &str) {
        self.paste(n, epoch, run, id, None, text);
    }

    pub(crate) fn paste(
        &self,
        n: u8,
        epoch: u32,
        run: u32,
        id: Option<u64>,
        paste: Option<Paste>,
        text: &str,
    ) {
        let head = InputHead { session: self.id, by: by(n), paste, epoch, run, id };
        self.core.client.input(&head, &Bytes::copy_from_slice(text.as_bytes())).unwrap();
    }

    /// Types without ids, as whoever takes a free lease.
    pub(crate) fn type_text(&self, text: &str) {
        self.input(1, 0, 0, None, text);
    }

    pub(crate) async fn request(&self, request: Request) -> Result<Reply, ErrorBody> {
        match self.core.client.request(request).await {
            Ok(reply) => Ok(reply),
            Err(CallError::Refused(error)) => Err(error),
            Err(error) => panic!("{error:?}"),
        }
    }

    pub(crate) async fn control(
        &self,
        n: u8,
        action: LeaseAction,
    ) -> Result<LeaseFacts, ErrorBody> {
        let request = Request::Control { session: self.id, by: by(n), action };
        match self.request(request).await? {
            Reply::Lease(facts) => Ok(facts),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn facts(&self) -> SessionFacts {
        match self.request(Request::Inspect { session: self.id }).await {
            Ok(Reply::Session(facts)) => *facts,
            other => panic!("{other:?}"),
        }
    }

    /// Ends the session; answers what was left over.
    pub(crate) async fn terminate(&self) -> Vec<(u32, String)> {
        match self.request(Request::Terminate { session: self.id }).await {
            Ok(Reply::Terminated { left_over }) => left_over,
            other => panic!("{other:?}"),
        }
    }
}

/// Processes that carry a session's mark in their environment.
pub(crate) fn marked(host: &Host, id: SessionId) -> Vec<u32> {
    let directory = std::fs::read_to_string(host.dir.path().join("run/id")).unwrap();
    let mark = format!("{directory}/{id}");
    let alive = ::host::procs::scan().into_iter().filter(::host::procs::Stat::is_alive);
    let pids = alive.map(|stat| stat.pid);
    pids.filter(|pid| ::host::procs::mark_of(*pid).as_ref() == Some(&mark)).collect()
}
