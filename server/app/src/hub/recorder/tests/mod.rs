//! A recorder between a host and a store that fail on request.

mod crash;
mod faults;
mod flow;

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use bytes::Bytes;
use link::{CallError, ReadHead};
use store::{
    AppendError, Batch, Fresh, Item, NewPane, NewRoom, NewSession, Page, Role, Store, StoreConfig,
    StoreError,
};
use wire::browser::{Exit, SessionState};
use wire::host::MarkKind;
use wire::{CallerId, ErrorBody, ErrorCode, HostId, PaneId, RoomId, StoreId};

use super::*;

/// Nothing here takes long; a test that waits for more has failed.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a host has of a session.
#[derive(Clone, Debug, Default)]
struct Host(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    bytes: Vec<u8>,
    ring_from: usize,
    marks: Vec<Mark>,
    durable: Option<(Seq, u64)>,
    reads: usize,
    /// Reads that are answered as if nothing had been printed yet.
    knows_nothing: usize,
    closed: bool,
}

impl Host {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap()
    }

    fn print(&self, bytes: &[u8]) {
        self.held().bytes.extend_from_slice(bytes);
    }

    fn mark(&self, kind: MarkKind) -> Mark {
        let mut held = self.held();
        let n = u64::try_from(held.marks.len()).unwrap() + 1;
        let mark = Mark { n, seq: seq(held.bytes.len()), at_ms: 77, kind };
        held.marks.push(mark.clone());
        mark
    }
}

impl Source for Host {
    async fn read(
        &self,
        from: Seq,
        after_mark: u64,
        max_bytes: u32,
    ) -> Result<(ReadHead, Bytes), CallError> {
        let mut held = self.held();
        held.reads += 1;
        if held.closed {
            return Err(CallError::Closed);
        }
        let forgot = held.knows_nothing > 0;
        held.knows_nothing -= usize::from(forgot);
        let end = if forgot { Seq::ZERO } else { seq(held.bytes.len()) };
        if from > end {
            let gap = ErrorBody::new(ErrorCode::Gap, format!("the output ends at {end}"));
            return Err(CallError::Refused(gap));
        }
        let from = usize::try_from(from.0).unwrap().max(held.ring_from);
        let to = (from + usize::try_from(max_bytes).unwrap()).min(held.bytes.len());
        let marks = held.marks.iter().filter(|m| m.n > after_mark && m.seq <= seq(to));
        let marks = marks.cloned().collect();
        let head = ReadHead { from: seq(from), to: seq(to), at_ms: 88, marks };
        Ok((head, Bytes::copy_from_slice(&held.bytes[from..to])))
    }

    fn durable(&self, seq: Seq, mark: u64) {
        self.held().durable = Some((seq, mark));
    }
}

/// What goes wrong with one write.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The store does not answer and nothing is stored.
    Down,
    /// It is stored and the answer gets lost.
    LostReply,
}

/// A record whose next writes go wrong.
#[derive(Clone, Debug)]
struct Flaky {
    inner: StoreRecord,
    faults: Arc<Mutex<VecDeque<Fault>>>,
}

impl Record for Flaky {
    async fn take_role(&self) -> Result<(Role, Option<u16>), StoreError> {
        self.inner.take_role().await
    }

    async fn append(&self, batch: Arc<Batch>) -> Result<(), AppendError> {
        let fault = self.faults.lock().unwrap().pop_front();
        let down = || Err(StoreError::Down("on request".to_owned()).into());
        match fault {
            None => self.inner.append(batch).await,
            Some(Fault::Down) => down(),
            Some(Fault::LostReply) => {
                self.inner.append(batch).await?;
                down()
            }
        }
    }

    async fn cols(&self) -> Result<Option<u16>, StoreError> {
        self.inner.cols().await
    }

    async fn set_exited(&self, exit: Exit, at_ms: i64) -> Result<(), StoreError> {
        self.inner.set_exited(exit, at_ms).await
    }
}

/// A session with its host, its store and its hub's tail.
struct World {
    host: Host,
    tail: Tail,
    store: Store,
    session: SessionId,
    faults: Arc<Mutex<VecDeque<Fault>>>,
    _folder: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = StoreConfig::Sqlite(folder.path().join("store"));
        let fresh = Fresh {
            store: StoreId::from_random([1; 16]),
            owner: CallerId::from_random([2; 16]),
            now_ms: 1,
        };
        let store = Store::open(&config, fresh).await.unwrap();
        let session = session_in(&store).await;
        let (host, tail) = (Host::default(), Tail::new(Seq::ZERO));
        let faults = Arc::default();
        Self { host, tail, store, session, faults, _folder: folder }
    }

    fn record(&self) -> Recorder {
        self.record_from(self.tail.clone())
    }

    fn record_from(&self, tail: Tail) -> Recorder {
        let inner = StoreRecord { store: self.store.clone(), session: self.session };
        let record = Flaky { inner, faults: Arc::clone(&self.faults) };
        Recorder::with(self.host.clone(), record, self.session, 80, tail)
    }

    fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.faults.lock().unwrap().extend(faults);
    }

    /// The session prints, and its hub shows it.
    fn print(&self, text: &str) {
        self.host.print(text.as_bytes());
        self.tail.push(text.as_bytes(), 99, Instant::now());
    }

    fn mark(&self, recorder: &Recorder, kind: MarkKind) {
        recorder.mark(self.host.mark(kind));
    }

    async fn page(&self) -> Page {
        self.store.transcript(self.session, Seq::ZERO, Seq(u64::MAX), 1 << 24).await.unwrap()
    }

    /// The whole record as text; panics where it does not tile.
    async fn text(&self) -> String {
        let page = self.page().await;
        let (mut at, mut text) = (Seq::ZERO, Vec::new());
        for item in page.items {
            assert_eq!(item.from(), at, "the record tiles");
            at = item.to().unwrap_or(at);
            match item {
                Item::Row(row) => text.extend(row.bytes),
                Item::Gap(gap) => text.extend(format!("[{}]", gap.why).into_bytes()),
            }
        }
        assert_eq!(at, page.durable);
        String::from_utf8(text).unwrap()
    }
}

/// Waits until everything before `seq` is recorded.
async fn recorded(recorder: &Recorder, seq: Seq) {
    let mut durable = recorder.durable();
    let done = tokio::time::timeout(PATIENCE, durable.wait_for(|at| *at >= seq)).await;
    done.expect("it is recorded in time").expect("the recorder lives");
}

async fn said(recorder: &Recorder, recording: Recording) {
    let mut status = recorder.status();
    let done = tokio::time::timeout(PATIENCE, status.wait_for(|said| *said == recording)).await;
    done.expect("it is said in time").expect("the recorder lives");
}

async fn ended(recorder: Recorder) {
    tokio::time::timeout(PATIENCE, recorder.task).await.expect("it ends in time").unwrap();
}

fn seq(n: usize) -> Seq {
    Seq(u64::try_from(n).unwrap())
}

async fn session_in(store: &Store) -> SessionId {
    let room = NewRoom {
        id: RoomId::from_random([3; 16]),
        name: "room".to_owned(),
        folder: "/".to_owned(),
        max_rooms: 6,
        now_ms: 1,
    };
    let room = store.create_room(&room).await.unwrap();
    let pane = NewPane {
        id: PaneId::from_random([4; 16]),
        room: room.id,
        name: "pane".to_owned(),
        profile: "shell".to_owned(),
        command: None,
        args: Vec::new(),
        cwd: "/".to_owned(),
        now_ms: 1,
    };
    let pane = store.create_pane(&pane).await.unwrap();
    let session = NewSession {
        id: SessionId::from_random([5; 16]),
        pane: pane.id,
        after: None,
        host: HostId::from_random([6; 16]),
        state: SessionState::Running,
        cols: 80,
        rows: 24,
        now_ms: 1,
    };
    store.insert_session(session).await.unwrap().id
}
