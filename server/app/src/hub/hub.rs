//! One session as its viewers see it: its tail, its state, its newest screen, and who watches.
//!
//! The task beside it alone changes what is seen; sockets look. Whoever looks reads the
//! tail's end first and the sizes after it: the other way round output could be sent that is laid
//! out for a size its viewer has not been told.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use link::Client;
use pane::viewer::Resize;
use tokio::sync::watch;
use wire::browser::{Exit, Modes, Recording, Scope, ServerMessage, SessionState, ViewerInfo};
use wire::host::{By, LeaseAction, LeaseFacts, Request};
use wire::{PaneId, Seq, SessionId, ViewerId};

use super::mailbox::Mailbox;
use super::snapshot::{Snapshot, Whole};
use super::tail::Tail;
pub use super::watching::Watching;

/// Sizes that are remembered: who is behind more of them is sent a screen.
const SIZES: usize = 16;

/// One session, for its viewers.
#[derive(Debug)]
pub struct Hub {
    session: SessionId,
    pane: PaneId,
    /// Whether a task follows it on its host; otherwise it shows what was stored.
    followed: bool,
    tail: Tail,
    state: Mutex<State>,
    /// Counts the changes of `state`.
    changed: watch::Sender<u64>,
    /// The most that somebody waits for.
    wanted: watch::Sender<Option<Scope>>,
}

/// What viewers see of a session beside its output.
#[derive(Debug)]
pub struct State {
    /// The way to its host, while there is one.
    client: Option<Client>,
    /// Whether it runs, how it ended, whether it is kept.
    pub status: Status,
    /// What the program asked of the terminal.
    pub modes: Modes,
    /// Who types.
    pub lease: LeaseFacts,
    /// When the host said so.
    pub lease_at: Instant,
    /// The last sizes, the newest last. Never empty; `resizes` are the same for the rules.
    sizes: Vec<Size>,
    resizes: Vec<Resize>,
    snapshot: Option<Arc<Snapshot>>,
    snapshots: u64,
    watchers: Vec<Watcher>,
    next_key: u64,
    /// Changes with the watchers.
    roll: u64,
    /// Why there will be nothing more.
    end: Option<End>,
    /// Whether nobody follows the session any more: a viewer must open it anew.
    closed: bool,
}

/// Whether a session runs, how it ended, whether it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Running, exited or lost.
    pub state: SessionState,
    /// How it ended.
    pub exit: Option<Exit>,
    /// Whether what it prints is being kept.
    pub recording: Recording,
}

/// A size of the session's terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Its number.
    pub n: u64,
    /// From where output is laid out for it.
    pub seq: Seq,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Who made it so.
    pub by: String,
}

/// Why a session's viewers see nothing more of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its pane runs another one.
    Replaced(SessionId),
    /// It is gone with its host.
    Lost,
}

/// A socket that watches.
#[derive(Debug)]
struct Watcher {
    key: u64,
    by: By,
    read_only: bool,
    visible: bool,
    mailbox: Arc<Mailbox>,
}

impl Hub {
    /// A hub that knows of a session what is given, and has no output before `at`. One that is
    /// not [`Self::followed`] shows what is put into it.
    pub(super) fn new(
        session: SessionId,
        pane: PaneId,
        at: Seq,
        size: Size,
        status: Status,
    ) -> Self {
        let resizes = vec![Resize { n: size.n, seq: size.seq }];
        let state = State {
            client: None,
            status,
            modes: Modes::default(),
            lease: LeaseFacts::default(),
            lease_at: Instant::now(),
            sizes: vec![size],
            resizes,
            snapshot: None,
            snapshots: 0,
            watchers: Vec::new(),
            next_key: 0,
            roll: 0,
            end: None,
            closed: false,
        };
        Self {
            session,
            pane,
            followed: false,
            tail: Tail::new(at),
            state: Mutex::new(state),
            changed: watch::channel(0).0,
            wanted: watch::channel(None).0,
        }
    }

    /// The same, with a task that follows it.
    pub(super) fn followed(self) -> Self {
        Self { followed: true, ..self }
    }

    /// Whether a task follows it on its host.
    pub(super) fn is_followed(&self) -> bool {
        self.followed
    }

    /// The session.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// The pane that shows it.
    pub fn pane(&self) -> PaneId {
        self.pane
    }

    /// Its recent output.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Looks at what is seen beside the output.
    pub fn look(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes whenever [`Self::look`] would see something new.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The way to its host, while there is one.
    pub fn client(&self) -> Option<Client> {
        self.look().client.clone()
    }

    /// Waits until there is a way to the host, or there will be none, for at most `patience`.
    pub(super) async fn attached(&self, patience: Duration) {
        let mut changed = self.changed.subscribe();
        // Looked at between waits and not within one: who changes it holds both locks, the other
        // way round.
        let settled =
            async { while !self.look().is_settled() && changed.changed().await.is_ok() {} };
        if tokio::time::timeout(patience, settled).await.is_err() {
            tracing::debug!(session = %self.session, "a viewer comes before the host is reached");
        }
    }

    /// Somebody needs a screen.
    pub fn want(&self, scope: Scope) {
        self.wanted.send_if_modified(|wanted| {
            let more = *wanted < Some(scope);
            *wanted = (*wanted).max(Some(scope));
            more
        });
    }

    /// Follows what is needed.
    pub(super) fn wanted(&self) -> watch::Receiver<Option<Scope>> {
        self.wanted.subscribe()
    }

    /// Changes what is seen, and wakes who looks.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.look();
        let changed = change(&mut state);
        // While the lock is held, so that who is woken finds the change.
        self.changed.send_modify(|n| *n += 1);
        changed
    }

    /// A screen has come: it serves everybody who waits for it.
    pub(super) fn on_snapshot(&self, whole: Whole) {
        let had = whole.scope;
        self.change(|state| {
            state.snapshots += 1;
            state.snapshot = Some(Arc::new(Snapshot::new(state.snapshots, whole)));
        });
        self.wanted.send_if_modified(|wanted| {
            let served = wanted.is_some_and(|wanted| pane::join::serves(had, wanted));
            *wanted = wanted.filter(|_| !served);
            served
        });
    }

    /// Tells the sockets of one viewer something.
    pub(super) fn tell(&self, viewer: ViewerId, message: &ServerMessage) {
        for watcher in self.look().watchers.iter().filter(|watcher| watcher.by.viewer == viewer) {
            watcher.mailbox.put(message.clone());
        }
    }

    /// There is a way to the host, or none any more. A host that has just been connected is told
    /// who watches: it took them all for gone.
    pub(super) fn set_client(&self, client: Option<Client>) {
        let reached = client.is_some();
        let mut state = self.look();
        state.client = client;
        for watcher in &state.watchers {
            state.say(self.session, watcher, LeaseAction::Back);
        }
        if reached {
            self.changed.send_modify(|n| *n += 1);
        }
    }

    /// A viewer comes to watch. An older socket of the same viewer is superseded. None: the
    /// session is no longer followed, open it anew.
    pub fn enter(self: &Arc<Self>, by: &By, read_only: bool, visible: bool) -> Option<Watching> {
        let mailbox = Arc::new(Mailbox::default());
        let key = self.change(|state| {
            if state.closed {
                return None;
            }
            state.next_key += 1;
            state.roll += 1;
            let key = state.next_key;
            let (older, others) =
                std::mem::take(&mut state.watchers).into_iter().partition(|watcher: &Watcher| {
                    (watcher.by.caller, watcher.by.viewer) == (by.caller, by.viewer)
                });
            state.watchers = others;
            older.iter().for_each(|watcher: &Watcher| watcher.mailbox.supersede());
            let mailbox = Arc::clone(&mailbox);
            let watcher = Watcher { key, by: by.clone(), read_only, visible, mailbox };
            state.say(self.session, &watcher, LeaseAction::Back);
            state.watchers.push(watcher);
            Some(key)
        })?;
        Some(Watching::new(self, key, mailbox))
    }

    /// Closes the hub if nobody watches. True when it is closed.
    pub(super) fn close_if_idle(&self) -> bool {
        let mut state = self.look();
        state.closed |= state.watchers.is_empty();
        state.closed
    }
}

impl State {
    /// Whether the host is reached, or there is something to show without it.
    fn is_settled(&self) -> bool {
        self.client.is_some() || self.end.is_some() || self.snapshot.is_some()
    }

    /// The newest size.
    pub fn size(&self) -> &Size {
        self.sizes.last().expect("there is one from the start and the newest always stays")
    }

    /// The size with a number, if it is remembered.
    pub fn size_of(&self, n: u64) -> Option<&Size> {
        self.sizes.iter().find(|size| size.n == n)
    }

    /// The last sizes, for the rules.
    pub fn resizes(&self) -> &[Resize] {
        &self.resizes
    }

    /// The newest screen.
    pub fn snapshot(&self) -> Option<&Arc<Snapshot>> {
        self.snapshot.as_ref()
    }

    /// Why there will be nothing more.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Whether a viewer must open the session anew.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether nobody watches.
    pub(super) fn is_unwatched(&self) -> bool {
        self.watchers.is_empty()
    }

    /// Changes whenever [`Self::watchers`] does.
    pub fn roll(&self) -> u64 {
        self.roll
    }

    /// Who watches, as one of them sees it.
    pub fn watchers(&self, key: u64) -> Vec<ViewerInfo> {
        let info = |watcher: &Watcher| ViewerInfo {
            viewer: watcher.by.viewer,
            name: watcher.by.name.clone(),
            kind: watcher.by.kind,
            read_only: watcher.read_only,
            visible: watcher.visible,
            you: watcher.key == key,
        };
        self.watchers.iter().map(info).collect()
    }

    /// A socket's pane can be seen, or no longer.
    pub(super) fn on_visible(&mut self, key: u64, visible: bool) {
        for watcher in self.watchers.iter_mut().filter(|watcher| watcher.key == key) {
            watcher.visible = visible;
        }
        self.roll += 1;
    }

    /// Nothing is heard of a socket, or something is again.
    pub(super) fn on_heard(&self, session: SessionId, key: u64, heard: bool) {
        let action = if heard { LeaseAction::Back } else { LeaseAction::Gone };
        for watcher in self.watchers.iter().filter(|watcher| watcher.key == key) {
            self.say(session, watcher, action);
        }
    }

    /// A socket has ended. One that was superseded is not here any more, and its viewer is.
    pub(super) fn on_left(&mut self, session: SessionId, key: u64) {
        let left = self.watchers.iter().position(|watcher| watcher.key == key);
        if let Some(left) = left.map(|index| self.watchers.remove(index)) {
            self.roll += 1;
            self.say(session, &left, LeaseAction::Gone);
        }
    }

    /// A new size, from `seq` on.
    pub(super) fn on_resize(&mut self, seq: Seq, cols: u16, rows: u16, by: String) {
        let n = self.size().n + 1;
        if self.sizes.len() == SIZES {
            self.sizes.remove(0);
            self.resizes.remove(0);
        }
        self.sizes.push(Size { n, seq, cols, rows, by });
        self.resizes.push(Resize { n, seq });
    }

    /// There will be nothing more.
    pub(super) fn set_end(&mut self, end: End) {
        self.end = Some(end);
    }

    /// Tells the host that a viewer has come or gone. One that may not type holds nothing.
    fn say(&self, session: SessionId, watcher: &Watcher, action: LeaseAction) {
        let Some(client) = self.client.as_ref().filter(|_| !watcher.read_only) else { return };
        let by = watcher.by.clone();
        if client.send(Request::Control { session, by, action }).is_err() {
            tracing::debug!(%session, "the link closed before a viewer's coming or going was told");
        }
    }
}
