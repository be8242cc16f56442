//! Who a cookie stands for, asked of the store at most once a minute.
//!
//! A store that is down signs nobody out: whoever was known before it went stays known until it is
//! back. Signing out goes the other way: it holds here at once, whether or not the store has heard
//! of it yet.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use store::{Signin, Store, StoreError, TokenHash};
use tokio::sync::watch;
use wire::SigninId;
use wire::browser::CallerKind;

use super::{Caller, hash};

/// How long a sign-in is believed without asking the store.
const BELIEVED: Duration = Duration::from_mins(1);
/// How long until a store that was down is asked again for the same sign-in.
const RETRY: Duration = Duration::from_secs(5);
/// How long a store may take before it counts as down, for somebody who is not known yet ...
const PATIENCE: Duration = Duration::from_secs(2);
/// ... and for somebody who is: their page must not wait for it.
const PATIENCE_KNOWN: Duration = Duration::from_millis(300);
/// Sign-ins kept in memory; past it all are forgotten, and the store is asked again.
const KEPT: usize = 4096;
/// Ended sign-ins kept in memory: as many as can end before their sockets have looked.
const ENDED: usize = 1024;

/// Sign-ins that were seen lately.
#[derive(Debug, Default)]
pub struct Signins {
    known: Mutex<HashMap<TokenHash, Known>>,
    /// Those that ended since the core started, the latest [`ENDED`]. Watched by open sockets.
    ended: watch::Sender<VecDeque<SigninId>>,
}

#[derive(Clone, Debug)]
struct Known {
    caller: Caller,
    /// When the store must be asked again.
    until: Instant,
}

impl Signins {
    /// The caller that a cookie's value stands for; none when nobody is.
    ///
    /// # Errors
    ///
    /// [`StoreError::Down`] when the store is needed to tell and does not answer.
    pub async fn caller(
        &self,
        store: &Store,
        cookie: &str,
        now: Instant,
    ) -> Result<Option<Caller>, StoreError> {
        let hash = hash(cookie);
        let mut patience = PATIENCE;
        if let Some(known) = self.known().get_mut(&hash) {
            // It may have ended while the store was asked and then been remembered.
            if known.caller.signin.is_some_and(|signin| self.has_ended(signin)) {
                return Ok(None);
            }
            if now < known.until {
                return Ok(Some(known.caller.clone()));
            }
            // One asks; whoever comes meanwhile is believed.
            known.until = now + RETRY;
            patience = PATIENCE_KNOWN;
        }
        match tokio::time::timeout(patience, store.signin(hash)).await {
            Ok(Ok(Some(signin))) if self.has_ended(signin.id) => Ok(None),
            Ok(Ok(Some(signin))) => Ok(Some(self.on_signed_in(hash, signin, now))),
            Ok(Ok(None)) => {
                self.known().remove(&hash);
                Ok(None)
            }
            Ok(Err(StoreError::Down(_))) | Err(_) => self.believe_on(&hash).map(Some),
            Ok(Err(error)) => Err(error),
        }
    }

    /// Remembers a sign-in that the store has just vouched for.
    pub fn on_signed_in(&self, hash: TokenHash, signin: Signin, now: Instant) -> Caller {
        let caller = Caller {
            id: signin.person.id,
            name: signin.person.name,
            kind: CallerKind::Person,
            owner: signin.person.owner,
            signin: Some(signin.id),
        };
        let mut known = self.known();
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(hash, Known { caller: caller.clone(), until: now + BELIEVED });
        caller
    }

    /// Ends a sign-in, here and now. Whoever follows it with [`Signins::ended`] wakes.
    pub fn end(&self, signin: SigninId) {
        self.ended.send_modify(|ended| {
            ended.truncate(ENDED - 1);
            ended.push_front(signin);
        });
        self.known().retain(|_, known| known.caller.signin != Some(signin));
    }

    /// Whether a sign-in was ended since the core started.
    pub fn has_ended(&self, signin: SigninId) -> bool {
        self.ended.borrow().contains(&signin)
    }

    /// Waits until a sign-in ends; for ever for a caller without one.
    pub async fn ended(&self, signin: Option<SigninId>) {
        let Some(signin) = signin else { return std::future::pending().await };
        let mut ended = self.ended.subscribe();
        if ended.wait_for(|ended| ended.contains(&signin)).await.is_err() {
            std::future::pending().await
        }
    }

    /// Somebody who was known when the store went down.
    fn believe_on(&self, hash: &TokenHash) -> Result<Caller, StoreError> {
        let down = || StoreError::Down("it does not say who is signed in".to_owned());
        self.known().get(hash).map(|known| known.caller.clone()).ok_or_else(down)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<TokenHash, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use store::Person;
    use wire::CallerId;

    use super::*;

    fn signin(n: u8) -> Signin {
        let person =
            Person { id: CallerId::from_random([n; 16]), name: "ada".to_owned(), owner: true };
        Signin { id: SigninId::from_random([n; 16]), person, created_ms: 0, seen_ms: 0 }
    }

    #[tokio::test]
    async fn an_ended_sign_in_wakes_whoever_follows_it() {
        let signins = Signins::default();
        let caller = signins.on_signed_in([1; 32], signin(1), Instant::now());
        assert!(!signins.has_ended(signin(1).id));
        signins.end(signin(2).id);
        let follow = signins.ended(caller.signin);
        tokio::pin!(follow);
        assert!(futures_util::poll!(&mut follow).is_pending());
        signins.end(signin(1).id);
        follow.await;
        assert!(signins.has_ended(signin(1).id) && signins.known().is_empty());
    }
}
