//! Many sessions' batches in one transaction of at most four statements.
//!
//! The sessions move first. A batch whose session does not stand where it begins, or has another
//! recorder by now, is not among those that come back, and nothing of it is written. What comes
//! back is the batch's place in the statement, not the session: two recorders of one session may
//! meet in one statement.

use std::sync::Arc;

use sqlx::PgPool;
use uuid::Uuid;

use super::sql::{self, signed, to_json};
use super::{Connection, Postgres, transact};
use crate::append::{Answer, kind, together_or_alone, why_not};
use crate::error::StoreError;
use crate::rows::Batch;
use crate::writer::Append;

impl Append for Postgres {
    async fn append(&self, batches: Vec<Arc<Batch>>) -> Vec<Answer> {
        together_or_alone(batches, |batches| append(&self.record, batches)).await
    }
}

async fn append(pool: &PgPool, batches: Vec<Arc<Batch>>) -> Result<Vec<Answer>, StoreError> {
    transact(pool, move |db| {
        Box::pin(async move {
            let moved = move_sessions(db, &batches).await?;
            let stands = |place: usize| i32::try_from(place).is_ok_and(|n| moved.contains(&n));
            let mut writes = Vec::with_capacity(batches.len());
            let mut answers = Vec::with_capacity(batches.len());
            for (place, batch) in batches.iter().enumerate() {
                if stands(place) {
                    writes.push(batch.as_ref());
                    answers.push(Ok(()));
                } else {
                    answers.push(why_not(sql::record::standing(db, batch.session).await, batch));
                }
            }
            insert_rows(db, &writes).await?;
            insert_gaps(db, &writes).await?;
            insert_marks(db, &writes).await?;
            Ok(answers)
        })
    })
    .await
}

/// Moves every session that stands where its batch begins; answers the places of those batches.
async fn move_sessions(
    db: &mut Connection,
    batches: &[Arc<Batch>],
) -> Result<Vec<i32>, StoreError> {
    let mut offsets: [Vec<i64>; 4] = Default::default();
    for batch in batches {
        let all = [batch.from.0, batch.to.0, batch.after_mark, batch.mark];
        for (column, n) in offsets.iter_mut().zip(all) {
            column.push(signed(n)?);
        }
    }
    let [from, to, after_mark, mark] = offsets;
    let moved = sqlx::query_scalar(
        "UPDATE session
         SET durable = b.to_seq, mark = b.mark, redact_state = b.redact_state
         FROM UNNEST($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                     $6::integer[], $7::smallint[]) WITH ORDINALITY
              AS b (id, from_seq, to_seq, after_mark, mark, epoch, redact_state, place)
         WHERE session.id = b.id AND session.durable = b.from_seq
           AND session.mark = b.after_mark AND session.recorder = b.epoch
         RETURNING (b.place - 1)::integer",
    )
    .bind(batches.iter().map(|batch| batch.session.0).collect::<Vec<_>>())
    .bind(from)
    .bind(to)
    .bind(after_mark)
    .bind(mark)
    .bind(batches.iter().map(|batch| batch.epoch).collect::<Vec<_>>())
    .bind(batches.iter().map(|batch| i16::from(batch.redact_state)).collect::<Vec<_>>())
    .fetch_all(db)
    .await?;
    Ok(moved)
}

async fn insert_rows(db: &mut Connection, batches: &[&Batch]) -> Result<(), StoreError> {
    let mut sessions: Vec<Uuid> = Vec::new();
    let (mut from, mut to, mut at_ms) = (Vec::new(), Vec::new(), Vec::new());
    let mut bytes: Vec<&[u8]> = Vec::new();
    for (batch, row) in batches.iter().flat_map(|b| b.rows().map(move |row| (b, row))) {
        sessions.push(batch.session.0);
        from.push(signed(row.from.0)?);
        to.push(signed(row.to.0)?);
        at_ms.push(row.at_ms);
        bytes.push(&row.bytes);
    }
    if sessions.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO transcript (session, from_seq, to_seq, at_ms, bytes)
         SELECT * FROM UNNEST($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])",
    )
    .bind(sessions)
    .bind(from)
    .bind(to)
    .bind(at_ms)
    .bind(bytes)
    .execute(db)
    .await?;
    Ok(())
}

/// Gaps are rare: one statement each.
async fn insert_gaps(db: &mut Connection, batches: &[&Batch]) -> Result<(), StoreError> {
    for batch in batches {
        for gap in batch.gaps() {
            sql::record::insert_gap(db, batch.session, gap).await?;
        }
    }
    Ok(())
}

async fn insert_marks(db: &mut Connection, batches: &[&Batch]) -> Result<(), StoreError> {
    let mut sessions: Vec<Uuid> = Vec::new();
    let (mut n, mut seq, mut at_ms) = (Vec::new(), Vec::new(), Vec::new());
    let (mut kinds, mut data) = (Vec::new(), Vec::new());
    for (batch, mark) in batches.iter().flat_map(|b| b.marks.iter().map(move |mark| (b, mark))) {
        sessions.push(batch.session.0);
        n.push(signed(mark.n)?);
        seq.push(signed(mark.seq.0)?);
        at_ms.push(signed(mark.at_ms)?);
        kinds.push(kind(&mark.kind));
        data.push(to_json(&mark.kind)?);
    }
    if sessions.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO event (session, n, seq, at_ms, kind, data)
         SELECT * FROM UNNEST($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
                              $6::text[])",
    )
    .bind(sessions)
    .bind(n)
    .bind(seq)
    .bind(at_ms)
    .bind(kinds)
    .bind(data)
    .execute(db)
    .await?;
    Ok(())
}
