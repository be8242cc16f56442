//! What sessions report of themselves (how they end, their title and size), on its way to the
//! store and to every page.
//!
//! A session's note holds the newest of each, so a program that changes its title a thousand times
//! a second costs four writes. While the store is down notes wait; they are as many as there are
//! sessions.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::{SessionNote, StoreError};
use tokio::sync::Notify;
use wire::SessionId;
use wire::browser::{Exit, Recording};

use super::view;
use crate::state::App;

/// Time between two rounds of writing.
const PACE: Duration = Duration::from_millis(250);

/// Notes that wait to be written.
#[derive(Debug, Default)]
pub struct Notes {
    waiting: Mutex<BTreeMap<SessionId, Note>>,
    /// How sessions that do not record everything stand; those that do are not listed.
    recording: Mutex<BTreeMap<SessionId, Recording>>,
    news: Notify,
}

/// What is new about a session.
#[derive(Clone, Debug, Default, PartialEq)]
struct Note {
    exit: Option<(Exit, i64)>,
    size: Option<(u16, u16)>,
    title: Option<String>,
}

impl Notes {
    /// The program ended.
    pub fn exited(&self, session: SessionId, exit: Exit, at_ms: i64) {
        self.note(session, |note| note.exit = Some((exit, at_ms)));
    }

    /// The PTY has a new size.
    pub fn resized(&self, session: SessionId, cols: u16, rows: u16) {
        self.note(session, |note| note.size = Some((cols, rows)));
    }

    /// The program set a title.
    pub fn titled(&self, session: SessionId, title: String) {
        self.note(session, |note| note.title = Some(title));
    }

    /// How recording stands. Told to pages, not stored: gaps are.
    pub fn recorded(&self, session: SessionId, recording: Recording) {
        {
            let mut all = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
            let before = match recording {
                Recording::On => all.remove(&session),
                Recording::Off | Recording::Behind | Recording::Gap => {
                    all.insert(session, recording)
                }
            };
            if before.unwrap_or(Recording::On) == recording {
                return;
            }
        }
        self.note(session, |_| {});
    }

    /// How recording stands, where it is not simply on.
    pub fn recording(&self, session: SessionId) -> Option<Recording> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner).get(&session).copied()
    }

    /// An ended session's gaps are in the store: what was said of it need not be kept here.
    fn forget_recording(&self, session: SessionId) {
        let mut all = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        if all.get(&session) != Some(&Recording::Behind) {
            all.remove(&session);
        }
    }

    fn note(&self, session: SessionId, change: impl FnOnce(&mut Note)) {
        change(self.waiting().entry(session).or_default());
        self.news.notify_one();
    }

    /// Puts back what could not be written; what came meanwhile is newer.
    fn put_back(&self, session: SessionId, older: Note) {
        let mut waiting = self.waiting();
        let note = waiting.entry(session).or_default();
        note.exit = note.exit.or(older.exit);
        note.size = note.size.or(older.size);
        note.title = note.title.take().or(older.title);
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<SessionId, Note>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes notes until the core stops, and once more then.
pub async fn run(app: App) {
    while !app.shutdown.has_begun() {
        tokio::select! {
            () = app.notes.news.notified() => {}
            () = app.shutdown.begun() => {}
        }
        if !write(&app).await {
            // Nothing else would wake us for what was put back.
            app.notes.news.notify_one();
        }
        tokio::select! {
            () = tokio::time::sleep(PACE) => {}
            () = app.shutdown.begun() => {}
        }
    }
    write(&app).await;
}

/// Writes what waits. Answers whether the store took it all.
async fn write(app: &App) -> bool {
    let waiting = std::mem::take(&mut *app.notes.waiting());
    let mut all = true;
    for (session, note) in waiting {
        match write_one(app, session, note.clone()).await {
            Ok(()) => {}
            Err(StoreError::NotFound(_)) => {}
            Err(StoreError::Down(_)) => {
                app.notes.put_back(session, note);
                all = false;
            }
            Err(error) => tracing::error!(%session, %error, "a session's note was not kept"),
        }
    }
    all
}

async fn write_one(app: &App, session: SessionId, note: Note) -> Result<(), StoreError> {
    if note.size.is_some() || note.title.is_some() {
        let change = SessionNote { size: note.size, title: note.title };
        app.store.note_session(session, change).await?;
    }
    if let Some((exit, at_ms)) = note.exit {
        app.store.set_exited(session, exit, at_ms).await?;
        app.notes.forget_recording(session);
    }
    let pane = app.store.session(session).await?.pane;
    view::publish(app, pane).await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> SessionId {
        SessionId::from_random([1; 16])
    }

    #[test]
    fn what_is_put_back_does_not_replace_what_is_newer() {
        let notes = Notes::default();
        notes.titled(session(), "old".to_owned());
        notes.exited(session(), Exit::Code(3), 7);
        let taken = std::mem::take(&mut *notes.waiting());
        notes.titled(session(), "new".to_owned());
        notes.put_back(session(), taken[&session()].clone());
        let expected =
            Note { exit: Some((Exit::Code(3), 7)), size: None, title: Some("new".to_owned()) };
        assert_eq!(notes.waiting()[&session()], expected);
    }

    #[test]
    fn recording_is_news_only_when_it_changes() {
        let notes = Notes::default();
        notes.recorded(session(), Recording::On);
        assert!(notes.waiting().is_empty());
        notes.recorded(session(), Recording::Behind);
        assert_eq!(notes.recording(session()), Some(Recording::Behind));
        assert_eq!(notes.waiting().len(), 1);
        notes.recorded(session(), Recording::On);
        assert_eq!(notes.recording(session()), None);
    }
}
