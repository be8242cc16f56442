//! Sessions: written down before their program is started, so that none runs unknown.
//!
//! States only go forward: starting, running, then exited or lost. A change that would go back
//! changes nothing.

use sqlx::FromRow;
use uuid::Uuid;
use wire::browser::{Exit, SessionState};
use wire::{HostId, PaneId, Seq, SessionId};

use super::{Connection, cells, from_json, small, unsigned};
use crate::error::StoreError;
use crate::rows::{NewSession, Session, SessionNote};

/// The columns of [`SessionRow`], and which rows.
macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT id, pane, host, state, exit_code, exit_signal, name, profile, command, args,
                    cwd, cols, rows, title, started_ms, ended_ms, durable, mark,
                    CASE WHEN EXISTS (SELECT 1 FROM gap WHERE gap.session = session.id)
                         THEN 1 ELSE 0 END AS has_gap
             FROM session ",
            $which
        )
    };
}

#[derive(FromRow)]
struct SessionRow {
    id: Uuid,
    pane: Uuid,
    host: Uuid,
    state: String,
    exit_code: Option<i32>,
    exit_signal: Option<i32>,
    name: String,
    profile: String,
    command: Option<String>,
    args: String,
    cwd: String,
    cols: i16,
    rows: i16,
    title: Option<String>,
    started_ms: i64,
    ended_ms: Option<i64>,
    durable: i64,
    mark: i64,
    has_gap: i32,
}

impl TryFrom<SessionRow> for Session {
    type Error = StoreError;

    fn try_from(row: SessionRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: SessionId(row.id),
            pane: PaneId(row.pane),
            host: HostId(row.host),
            state: state(&row.state)?,
            exit: row.exit_code.map(Exit::Code).or(row.exit_signal.map(Exit::Signal)),
            name: row.name,
            profile: row.profile,
            command: row.command,
            args: from_json(&row.args)?,
            cwd: row.cwd,
            cols: cells(row.cols)?,
            rows: cells(row.rows)?,
            title: row.title,
            started_ms: row.started_ms,
            ended_ms: row.ended_ms,
            durable: Seq(unsigned(row.durable)?),
            mark: unsigned(row.mark)?,
            has_gap: row.has_gap == 1,
        })
    }
}

fn state(text: &str) -> Result<SessionState, StoreError> {
    match text {
        "starting" => Ok(SessionState::Starting),
        "running" => Ok(SessionState::Running),
        "exited" => Ok(SessionState::Exited),
        "lost" => Ok(SessionState::Lost),
        _ => Err(StoreError::Broken("a session's state".to_owned())),
    }
}

/// Writes a session down and shows it in its pane, unless the pane shows another one than
/// `after` by now: then `Stale`.
pub(crate) async fn insert(db: &mut Connection, new: &NewSession) -> Result<Session, StoreError> {
    let state = match new.state {
        SessionState::Starting => "starting",
        SessionState::Running => "running",
        SessionState::Exited | SessionState::Lost => {
            return Err(StoreError::Broken("a session begins alive".to_owned()));
        }
    };
    let shown = sqlx::query(
        "UPDATE pane SET session = $2
         WHERE id = $1 AND COALESCE(session, $2) = COALESCE($3, $2)",
    )
    .bind(new.pane.0)
    .bind(new.id.0)
    .bind(new.after.map(|after| after.0))
    .execute(&mut *db)
    .await?;
    if shown.rows_affected() == 0 {
        super::panes::get(db, new.pane).await?;
        return Err(StoreError::Stale);
    }
    sqlx::query(
        "INSERT INTO session (id, pane, host, state, name, profile, command, args, cwd, cols,
                              rows, started_ms)
         SELECT $1, id, $3, $4, name, profile, command, args, cwd, $5, $6, $7
         FROM pane WHERE id = $2",
    )
    .bind(new.id.0)
    .bind(new.pane.0)
    .bind(new.host.0)
    .bind(state)
    .bind(small(new.cols)?)
    .bind(small(new.rows)?)
    .bind(new.now_ms)
    .execute(&mut *db)
    .await?;
    get(db, new.id).await
}

/// One session.
pub(crate) async fn get(db: &mut Connection, id: SessionId) -> Result<Session, StoreError> {
    find(db, id).await?.ok_or(StoreError::NotFound("session"))
}

/// One session, if it is known.
pub(crate) async fn find(
    db: &mut Connection,
    id: SessionId,
) -> Result<Option<Session>, StoreError> {
    let row: Option<SessionRow> =
        sqlx::query_as(select!("WHERE id = $1")).bind(id.0).fetch_optional(db).await?;
    row.map(Session::try_from).transpose()
}

/// Every session that the store thinks starting or running, oldest first.
pub(crate) async fn list_alive(db: &mut Connection) -> Result<Vec<Session>, StoreError> {
    let rows: Vec<SessionRow> =
        sqlx::query_as(select!("WHERE state IN ('starting', 'running') ORDER BY started_ms, id"))
            .fetch_all(db)
            .await?;
    rows.into_iter().map(Session::try_from).collect()
}

/// Every session that a pane has shown, latest first.
pub(crate) async fn list_of_pane(
    db: &mut Connection,
    pane: PaneId,
) -> Result<Vec<Session>, StoreError> {
    let rows: Vec<SessionRow> =
        sqlx::query_as(select!("WHERE pane = $1 ORDER BY started_ms DESC, id LIMIT 1000"))
            .bind(pane.0)
            .fetch_all(db)
            .await?;
    rows.into_iter().map(Session::try_from).collect()
}

/// Its program runs.
pub(crate) async fn set_running(db: &mut Connection, id: SessionId) -> Result<(), StoreError> {
    sqlx::query("UPDATE session SET state = 'running' WHERE id = $1 AND state = 'starting'")
        .bind(id.0)
        .execute(&mut *db)
        .await?;
    Ok(())
}

/// Its program ended. One that was thought lost turns out to have exited.
pub(crate) async fn set_exited(
    db: &mut Connection,
    id: SessionId,
    exit: Exit,
    ended_ms: i64,
) -> Result<(), StoreError> {
    let (code, signal) = match exit {
        Exit::Code(code) => (Some(code), None),
        Exit::Signal(signal) => (None, Some(signal)),
    };
    sqlx::query(
        "UPDATE session SET state = 'exited', exit_code = $2, exit_signal = $3, ended_ms = $4
         WHERE id = $1 AND state <> 'exited'",
    )
    .bind(id.0)
    .bind(code)
    .bind(signal)
    .bind(ended_ms)
    .execute(db)
    .await?;
    Ok(())
}

/// It ended with its host. Whether this changed anything.
pub(crate) async fn set_lost(
    db: &mut Connection,
    id: SessionId,
    ended_ms: i64,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE session SET state = 'lost', ended_ms = $2
         WHERE id = $1 AND state IN ('starting', 'running')",
    )
    .bind(id.0)
    .bind(ended_ms)
    .execute(db)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Takes back a session whose program never started; its pane shows `before` again.
pub(crate) async fn forget(
    db: &mut Connection,
    id: SessionId,
    before: Option<SessionId>,
) -> Result<(), StoreError> {
    let done = sqlx::query("DELETE FROM session WHERE id = $1 AND state = 'starting'")
        .bind(id.0)
        .execute(&mut *db)
        .await?;
    if done.rows_affected() == 0 {
        return Err(StoreError::NotFound("starting session"));
    }
    sqlx::query("UPDATE pane SET session = $2 WHERE session = $1")
        .bind(id.0)
        .bind(before.map(|before| before.0))
        .execute(db)
        .await?;
    Ok(())
}

/// Notes what changed about a session.
pub(crate) async fn note(
    db: &mut Connection,
    id: SessionId,
    note: &SessionNote,
) -> Result<(), StoreError> {
    let size = note.size.map(|(cols, rows)| Ok((small(cols)?, small(rows)?))).transpose();
    let size: Option<(i16, i16)> = size.map_err(|error: StoreError| error)?;
    sqlx::query(
        "UPDATE session SET cols = COALESCE($2, cols), rows = COALESCE($3, rows),
                            title = COALESCE($4, title) WHERE id = $1",
    )
    .bind(id.0)
    .bind(size.map(|(cols, _)| cols))
    .bind(size.map(|(_, rows)| rows))
    .bind(note.title.as_deref())
    .execute(db)
    .await?;
    Ok(())
}
