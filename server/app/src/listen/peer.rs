//! Who is at the other end of a connection, as far as the connection itself tells, and how many
//! strangers one address may have at once.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Connections one address may have before any of them has said who it is.
const STRANGERS: usize = 64;
/// Connections of one address that may wait for one of those; more are closed at once.
const WAITING: usize = 1024;

/// The other end of a connection. Every request on it carries a clone.
#[derive(Clone, Debug)]
pub struct Peer(Arc<Kind>);

#[derive(Debug)]
enum Kind {
    /// Came by the network; a stranger while it holds its entry.
    Remote(Mutex<Option<Entry>>),
    /// Came by the core's own socket, as our own user.
    Local,
}

impl Peer {
    /// One that came by the network.
    pub(super) fn remote(entry: Entry) -> Self {
        Self(Arc::new(Kind::Remote(Mutex::new(Some(entry)))))
    }

    /// One that came by the core's own socket, as our own user.
    pub fn local() -> Self {
        Self(Arc::new(Kind::Local))
    }

    /// Whether it came by the core's own socket.
    pub fn is_local(&self) -> bool {
        matches!(*self.0, Kind::Local)
    }

    /// It is no stranger: another of its address may come.
    pub fn on_known(&self) {
        if let Kind::Remote(entry) = &*self.0 {
            entry.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}

/// Strangers by address.
#[derive(Clone, Debug, Default)]
pub(super) struct Strangers(Arc<Mutex<HashMap<IpAddr, Address>>>);

#[derive(Debug)]
struct Address {
    /// Those inside and those who wait.
    count: usize,
    inside: Arc<Semaphore>,
}

/// A stranger's place; given back when dropped.
#[derive(Debug)]
pub(super) struct Entry {
    _place: Place,
    _permit: OwnedSemaphorePermit,
}

#[derive(Debug)]
struct Place {
    ip: IpAddr,
    strangers: Strangers,
}

impl Strangers {
    /// Lets one more stranger in, waiting at most `patience` for a place. None: too many.
    pub(super) async fn enter(&self, ip: IpAddr, patience: Duration) -> Option<Entry> {
        let (place, inside) = {
            let mut all = self.lock();
            let address = all.entry(ip).or_insert_with(|| Address {
                count: 0,
                inside: Arc::new(Semaphore::new(STRANGERS)),
            });
            if address.count >= STRANGERS + WAITING {
                return None;
            }
            address.count += 1;
            (Place { ip, strangers: self.clone() }, Arc::clone(&address.inside))
        };
        let permit = tokio::time::timeout(patience, inside.acquire_owned()).await.ok()?.ok()?;
        Some(Entry { _place: place, _permit: permit })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Address>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.strangers.lock();
        let Some(address) = all.get_mut(&self.ip) else { return };
        address.count -= 1;
        if address.count == 0 {
            all.remove(&self.ip);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(5);

    fn ip(n: u8) -> IpAddr {
        [127, 0, 0, n].into()
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_with_too_many_strangers_waits_for_one_to_be_known() {
        let strangers = Strangers::default();
        let mut inside = Vec::new();
        for _ in 0..STRANGERS {
            inside.push(Peer::remote(strangers.enter(ip(1), PATIENCE).await.unwrap()));
        }
        assert!(strangers.enter(ip(1), PATIENCE).await.is_none());
        assert!(strangers.enter(ip(2), PATIENCE).await.is_some());
        inside[0].on_known();
        let entered = strangers.enter(ip(1), PATIENCE).await;
        assert!(entered.is_some());
        drop((inside, entered));
        assert!(strangers.lock().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_is_bounded_too() {
        let strangers = Strangers::default();
        let waiting: Vec<_> = (0..STRANGERS + WAITING)
            .map(|_| {
                let mut entering = Box::pin({
                    let strangers = strangers.clone();
                    async move { strangers.enter(ip(1), PATIENCE).await }
                });
                let entered = futures_util::FutureExt::now_or_never(&mut entering);
                (entering, entered)
            })
            .collect();
        let begun = tokio::time::Instant::now();
        assert!(strangers.enter(ip(1), PATIENCE).await.is_none());
        assert_eq!(tokio::time::Instant::now(), begun);
        drop(waiting);
        assert!(strangers.lock().is_empty());
    }
}
