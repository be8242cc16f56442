//! Ending processes: drives the ladder of [`pane::kill`] over `/proc`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pane::kill::{Kill, Next, Signal};

use crate::procs::{self, Stat, Trace};
use crate::pty::Pty;
use crate::registry::Registry;

/// Between two looks at what is still alive.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Whom to end.
#[derive(Clone, Debug)]
pub(crate) enum Whom {
    /// One session. Its terminal stays open meanwhile, so that its number is nobody else's.
    Session(Trace, Option<Arc<Pty>>),
    /// Everything with a mark that begins so and is none of these.
    Marked {
        /// The beginning of the mark.
        prefix: String,
        /// Where sessions that live are known: asked at each look, since one may start meanwhile.
        except: Option<Arc<Registry>>,
    },
}

impl Whom {
    fn alive(&self) -> Vec<Stat> {
        let all = procs::scan();
        let found = match self {
            Self::Session(trace, _terminal) => procs::members(&all, trace, procs::mark_of),
            Self::Marked { prefix, except } => {
                // A trace that nothing matches but by its mark.
                let trace = Trace { mark: prefix.clone(), leader: 0, started: u64::MAX, tty: None };
                procs::members(&all, &trace, |pid| {
                    let mark = procs::mark_of(pid)?;
                    let rest = mark.strip_prefix(prefix.as_str())?;
                    let lives = except.as_ref().is_some_and(|known| {
                        rest.parse().is_ok_and(|session| known.knows(session))
                    });
                    (!lives).then(|| prefix.clone())
                })
            }
        };
        found.into_iter().filter(Stat::is_alive).collect()
    }
}

/// Ends them all, and names what is left: processes that are not ours to signal, or that hang in
/// the kernel.
pub(crate) async fn end(whom: Whom) -> Vec<(u32, String)> {
    let (mut ladder, first) = Kill::start(Instant::now());
    let mut signal = Some(first);
    loop {
        let looked = look(whom.clone(), signal.take()).await;
        match ladder.poll(Instant::now(), !looked.is_empty()) {
            Next::Send(next) => signal = Some(next),
            Next::Wait(until) => {
                let look = Instant::now() + LOOK_EVERY;
                tokio::time::sleep_until(until.min(look).into()).await;
            }
            Next::Ended => return Vec::new(),
            Next::LeftOver => {
                return looked.into_iter().map(|stat| (stat.pid, stat.name)).collect();
            }
        }
    }
}

/// Looks who is alive and sends them a signal, on a thread that may wait for `/proc`.
async fn look(whom: Whom, signal: Option<Signal>) -> Vec<Stat> {
    let looked = tokio::task::spawn_blocking(move || {
        let alive = whom.alive();
        if let Some(signal) = signal {
            alive.iter().for_each(|stat| send(stat, signal));
        }
        alive
    });
    looked.await.unwrap_or_else(|error| {
        tracing::error!(%error, "looking for processes failed");
        Vec::new()
    })
}

fn send(stat: &Stat, signal: Signal) {
    use rustix::process::Signal as Raw;
    // A stopped process obeys nothing but KILL before it goes on.
    let signals: &[Raw] = match signal {
        Signal::Hup => &[Raw::HUP, Raw::CONT],
        Signal::Term => &[Raw::TERM, Raw::CONT],
        Signal::Kill => &[Raw::KILL],
    };
    for &raw in signals {
        if let Err(error) = procs::signal(stat, raw) {
            let owner = procs::owner_of(stat.pid);
            tracing::warn!(pid = stat.pid, name = stat.name, owner, %error, "cannot be signalled");
        }
    }
}
