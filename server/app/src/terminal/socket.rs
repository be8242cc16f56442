//! The task that drives one viewer's socket. It holds no rule.
//!
//! It writes what its `Driver` has gathered, gives it what it reads, and waits for whatever may
//! change either. It watches states, never one-time signals: whatever happened while it was busy
//! it finds when it looks. After every write it lets others run, or a flood to one viewer would
//! keep a key of another waiting.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use wire::host::By;
use wire::{Seq, SessionId};
use ws::{Close, CloseCode, Codec};

use super::alive::Due;
use super::driver::{Driver, signed_out};
use crate::clock::Clock;
use crate::error::ApiError;
use crate::hub::frame::Encoding;
use crate::hub::hub::Hub;
use crate::shutdown::Shutdown;

/// What is read at once. Small: it is there for as long as the viewer.
const READ_BYTES: usize = 4 * 1024;
/// How long the other end may take to answer a close.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

/// Finds the hub of a session that replaced another.
pub(super) type Reopen =
    Box<dyn Fn(SessionId) -> BoxFuture<'static, Result<Arc<Hub>, ApiError>> + Send>;

/// What a socket is opened with.
pub(super) struct Opening {
    /// Who it is.
    pub(super) by: By,
    /// Watching only.
    pub(super) read_only: bool,
    /// Of the session's output it has everything before this.
    pub(super) has: Option<Seq>,
    /// Its pane cannot be seen yet.
    pub(super) hidden: bool,
    /// It says what it has parsed.
    pub(super) acks: bool,
    pub(super) encoding: Encoding,
    pub(super) codec: Codec,
    pub(super) hub: Arc<Hub>,
    /// Bytes that came with the request.
    pub(super) early: Bytes,
}

/// What may end a socket from outside, and where another session is found.
pub(super) struct Around {
    pub(super) clock: Clock,
    pub(super) shutdown: Shutdown,
    /// Resolves when whoever opened it is no longer signed in.
    pub(super) signed_out: BoxFuture<'static, ()>,
    pub(super) reopen: Reopen,
}

/// Serves a socket until it ends.
///
/// # Errors
///
/// When the socket fails, or nobody is there any more.
pub(super) async fn run<S>(socket: S, opening: Opening, mut around: Around) -> std::io::Result<()>
where
    S: AsyncRead + AsyncWrite,
{
    let (mut read, mut write) = tokio::io::split(socket);
    let Some(mut driver) = Driver::new(opening, around.clock) else {
        // It was closed between its opening and now: the viewer comes again.
        return Ok(());
    };
    let mut said = vec![0; READ_BYTES].into_boxed_slice();
    let shutdown = around.shutdown.clone();
    let mut stopping = pin!(shutdown.begun());
    loop {
        if let Some(close) = driver.close.take() {
            return finish(&mut read, &mut write, &mut driver, &close).await;
        }
        if let Some(session) = driver.moved() {
            match (around.reopen)(session).await {
                Ok(hub) if driver.move_to(&hub, around.clock.now()) => {}
                Ok(_) | Err(_) => driver.close_with(CloseCode::GOING_AWAY, "open it anew"),
            }
            continue;
        }
        let now = around.clock.now();
        driver.hear(now);
        if driver.on_time(now) == Due::Dead {
            return Ok(());
        }
        let (wake, waits_for) = driver.gather(now);
        let may_read = !driver.unheard && driver.may_hear(now);
        // What is rare comes first: in a flood what follows is always ready.
        tokio::select! {
            biased;
            () = &mut stopping => driver.close_with(CloseCode::GOING_AWAY, "the core stops"),
            () = &mut around.signed_out => driver.close_with(signed_out(), ""),
            length = read.read(&mut said), if may_read => {
                let length = length?;
                if length == 0 {
                    return Ok(());
                }
                driver.on_bytes(said.get(..length).unwrap_or_default());
            }
            length = async { write.write_vectored(&driver.out.slices()).await },
                if !driver.out.is_empty() =>
            {
                match length? {
                    0 => return Ok(()),
                    length => driver.out.on_written(length),
                }
                tokio::task::yield_now().await;
            }
            () = driver.ears.wait(waits_for) => {}
            Some(told) = driver.acts.next() => {
                if let Some(told) = told {
                    driver.watching.mailbox().put(told);
                }
            }
            () = tokio::time::sleep_until(wake.into()) => {}
        }
    }
}

/// Writes what waits and the close, then reads until the other end has closed too.
async fn finish(
    read: &mut (impl AsyncRead + Unpin),
    write: &mut (impl AsyncWrite + Unpin),
    driver: &mut Driver,
    close: &Close,
) -> std::io::Result<()> {
    if let Some(frame) = driver.codec.close(close) {
        driver.out.push(frame);
    }
    let ending = async {
        while !driver.out.is_empty() {
            let written = write.write_vectored(&driver.out.slices()).await?;
            if written == 0 {
                return Ok(());
            }
            driver.out.on_written(written);
        }
        write.shutdown().await?;
        let mut rest = [0; 512];
        while read.read(&mut rest).await? > 0 {}
        Ok(())
    };
    tokio::time::timeout(CLOSE_WITHIN, ending).await.unwrap_or(Ok(()))
}
