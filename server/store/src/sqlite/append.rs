//! Many sessions' batches in one transaction, session by session.
//!
//! A session moves first; one that does not stand where its batch begins, or has another recorder
//! by now, writes nothing and the next one goes on.

use std::sync::Arc;

use sqlx::{QueryBuilder, Sqlite as Database};

use super::sql::{self, signed, to_json};
use super::{Connection, Sqlite};
use crate::append::{Answer, kind, together_or_alone, why_not};
use crate::error::StoreError;
use crate::rows::{Batch, Row};
use crate::writer::Append;

/// Rows in one statement: SQLite is in this process, so more of them save little.
const STATEMENT_ROWS: usize = 32;

impl Append for Sqlite {
    async fn append(&self, batches: Vec<Arc<Batch>>) -> Vec<Answer> {
        together_or_alone(batches, |batches| {
            self.write_record(move |db| {
                Box::pin(async move {
                    let mut answers = Vec::with_capacity(batches.len());
                    for batch in &batches {
                        answers.push(append(db, batch).await?);
                    }
                    Ok(answers)
                })
            })
        })
        .await
    }
}

/// The inner answer is the session's; the outer error spoils the transaction.
async fn append(db: &mut Connection, batch: &Batch) -> Result<Answer, StoreError> {
    let moved = sqlx::query(
        "UPDATE session SET durable = $2, mark = $3, redact_state = $4
         WHERE id = $1 AND durable = $5 AND mark = $6 AND recorder = $7",
    )
    .bind(batch.session.0)
    .bind(signed(batch.to.0)?)
    .bind(signed(batch.mark)?)
    .bind(i16::from(batch.redact_state))
    .bind(signed(batch.from.0)?)
    .bind(signed(batch.after_mark)?)
    .bind(batch.epoch)
    .execute(&mut *db)
    .await?;
    if moved.rows_affected() == 0 {
        return Ok(why_not(sql::record::standing(db, batch.session).await, batch));
    }
    let rows: Vec<&Row> = batch.rows().collect();
    for rows in rows.chunks(STATEMENT_ROWS) {
        insert_rows(db, batch, rows).await?;
    }
    for gap in batch.gaps() {
        sql::record::insert_gap(db, batch.session, gap).await?;
    }
    for mark in &batch.marks {
        sqlx::query(
            "INSERT INTO event (session, n, seq, at_ms, kind, data)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(batch.session.0)
        .bind(signed(mark.n)?)
        .bind(signed(mark.seq.0)?)
        .bind(signed(mark.at_ms)?)
        .bind(kind(&mark.kind))
        .bind(to_json(&mark.kind)?)
        .execute(&mut *db)
        .await?;
    }
    Ok(Ok(()))
}

async fn insert_rows(db: &mut Connection, batch: &Batch, rows: &[&Row]) -> Result<(), StoreError> {
    let mut spans = Vec::with_capacity(rows.len());
    for row in rows {
        spans.push((signed(row.from.0)?, signed(row.to.0)?, row));
    }
    let mut insert: QueryBuilder<Database> =
        QueryBuilder::new("INSERT INTO transcript (session, from_seq, to_seq, at_ms, bytes) ");
    insert.push_values(spans, |mut values, (from, to, row)| {
        values
            .push_bind(batch.session.0)
            .push_bind(from)
            .push_bind(to)
            .push_bind(row.at_ms)
            .push_bind(row.bytes.as_slice());
    });
    insert.build().execute(db).await?;
    Ok(())
}
