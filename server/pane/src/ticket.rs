//! Tickets: each opens one socket, once, soon, for exactly what it was issued for.
//!
//! A ticket is removed before anything else about it is checked: whatever the outcome, it is
//! spent. Only its SHA-256 is kept, so that whoever reads the core's memory or logs has nothing to
//! present.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use wire::host::By;
use wire::{CallerId, PaneId, SigninId, limits};

/// How long a ticket may be redeemed.
pub const TTL: Duration = Duration::from_millis(limits::TICKET_TTL_MS);
/// Unused tickets one caller may have; the oldest goes first.
const PER_CALLER: u64 = limits::TICKETS_PER_CALLER;

/// What a ticket permits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who it was issued to, and the viewer that will use it.
    pub by: By,
    /// The sign-in it was issued under, so that signing out voids it.
    pub signin: Option<SigninId>,
    /// What it opens.
    pub opens: Opens,
    /// Watching only.
    pub read_only: bool,
    /// The page it was issued to; none for a caller that is no page.
    pub origin: Option<String>,
}

/// What a ticket opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// The terminal of a pane.
    Pane(PaneId),
    /// The event socket.
    Events,
}

/// Why a ticket opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Never issued, used, voided, or pushed out by newer ones of its caller.
    #[error("the ticket is unknown or used")]
    Unknown,
    /// Not redeemed in time.
    #[error("the ticket has expired")]
    Expired,
    /// Issued for another pane, or for events.
    #[error("the ticket is for something else")]
    OtherTarget,
    /// Issued to a page of another origin.
    #[error("the ticket was issued to another page")]
    OtherOrigin,
}

/// The unused tickets.
#[derive(Debug, Default)]
pub struct Tickets {
    /// By the first half of their hash; the whole is compared in constant time.
    unused: BTreeMap<[u8; 16], Ticket>,
    /// Of each caller, oldest first; each stands in `unused` until it is redeemed or expired.
    of_caller: BTreeMap<CallerId, VecDeque<[u8; 16]>>,
}

#[derive(Debug)]
struct Ticket {
    hash: [u8; 32],
    grant: Grant,
    until: Instant,
}

impl Tickets {
    /// None issued.
    pub fn new() -> Self {
        Self::default()
    }

    /// Issues a ticket whose value is `token`, which holds 32 random bytes of the caller's making.
    pub fn issue(&mut self, token: &[u8], grant: Grant, now: Instant) {
        self.forget_expired(now);
        let hash = hash(token);
        let caller = grant.by.caller;
        let queue = self.of_caller.entry(caller).or_default();
        queue.push_back(half(&hash));
        let surplus = queue.len().saturating_sub(usize::try_from(PER_CALLER).unwrap_or(0));
        for oldest in queue.drain(..surplus) {
            self.unused.remove(&oldest);
        }
        self.unused.insert(half(&hash), Ticket { hash, grant, until: now + TTL });
    }

    /// Redeems the ticket with the value `token` for `opens`, by a page of `origin` if a page.
    ///
    /// # Errors
    ///
    /// [`Refusal`]; the ticket is spent all the same.
    pub fn redeem(
        &mut self,
        token: &[u8],
        opens: Opens,
        origin: Option<&str>,
        now: Instant,
    ) -> Result<Grant, Refusal> {
        let hash = hash(token);
        let ticket = self.unused.remove(&half(&hash)).ok_or(Refusal::Unknown)?;
        self.drop_of_caller(ticket.grant.by.caller, half(&hash));
        if !bool::from(ticket.hash.ct_eq(&hash)) {
            return Err(Refusal::Unknown);
        }
        if now >= ticket.until {
            return Err(Refusal::Expired);
        }
        if ticket.grant.opens != opens {
            return Err(Refusal::OtherTarget);
        }
        if ticket.grant.origin.is_some() && ticket.grant.origin.as_deref() != origin {
            return Err(Refusal::OtherOrigin);
        }
        Ok(ticket.grant)
    }

    /// Voids every unused ticket that is `gone`, as when a sign-in ends.
    pub fn void(&mut self, gone: impl Fn(&Grant) -> bool) {
        self.keep(|ticket| !gone(&ticket.grant));
    }

    /// Unused tickets, expired ones included.
    pub fn len(&self) -> usize {
        self.unused.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.unused.is_empty()
    }

    /// Tickets are issued in order of time, so each caller's expired ones stand in front.
    fn forget_expired(&mut self, now: Instant) {
        for queue in self.of_caller.values_mut() {
            while let Some(oldest) = queue.front() {
                if self.unused.get(oldest).is_some_and(|ticket| now < ticket.until) {
                    break;
                }
                self.unused.remove(oldest);
                queue.pop_front();
            }
        }
        self.of_caller.retain(|_, queue| !queue.is_empty());
    }

    fn keep(&mut self, stays: impl Fn(&Ticket) -> bool) {
        self.unused.retain(|_, ticket| stays(ticket));
        for queue in self.of_caller.values_mut() {
            queue.retain(|half| self.unused.contains_key(half));
        }
        self.of_caller.retain(|_, queue| !queue.is_empty());
    }

    fn drop_of_caller(&mut self, caller: CallerId, half: [u8; 16]) {
        if let Some(queue) = self.of_caller.get_mut(&caller) {
            queue.retain(|other| *other != half);
            if queue.is_empty() {
                self.of_caller.remove(&caller);
            }
        }
    }
}

fn hash(token: &[u8]) -> [u8; 32] {
    Sha256::digest(token).into()
}

fn half(hash: &[u8; 32]) -> [u8; 16] {
    let (half, _) = hash.split_first_chunk().expect("16 of 32");
    *half
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wire::ViewerId;
    use wire::browser::CallerKind;

    use super::*;
    use crate::testing::{ms, start};

    const HERE: Opens = Opens::Events;

    #[test]
    fn a_ticket_opens_once() {
        let (mut tickets, now) = (Tickets::new(), start());
        tickets.issue(b"one", grant(1), now);
        assert_eq!(tickets.redeem(b"one", HERE, None, now), Ok(grant(1)));
        assert_eq!(tickets.redeem(b"one", HERE, None, now), Err(Refusal::Unknown));
        assert!(tickets.is_empty());
    }

    #[test]
    fn a_ticket_expires_at_its_ttl() {
        let (mut tickets, now) = (Tickets::new(), start());
        tickets.issue(b"one", grant(1), now);
        tickets.issue(b"two", grant(1), now);
        assert_eq!(tickets.redeem(b"one", HERE, None, now + TTL - ms(1)), Ok(grant(1)));
        assert_eq!(tickets.redeem(b"two", HERE, None, now + TTL), Err(Refusal::Expired));
    }

    #[test]
    fn whatever_the_outcome_it_is_spent() {
        let other = Opens::Pane(PaneId::from_random([9; 16]));
        let mine = Some("https://mine");
        for (opens, origin, refusal) in [
            (other, mine, Refusal::OtherTarget),
            (HERE, Some("https://evil"), Refusal::OtherOrigin),
            (HERE, None, Refusal::OtherOrigin),
        ] {
            let (mut tickets, now) = (Tickets::new(), start());
            let grant = Grant { origin: mine.map(ToOwned::to_owned), ..grant(1) };
            tickets.issue(b"one", grant, now);
            assert_eq!(tickets.redeem(b"one", opens, origin, now), Err(refusal));
            assert_eq!(tickets.redeem(b"one", HERE, mine, now), Err(Refusal::Unknown));
        }
    }

    #[test]
    fn the_oldest_of_a_caller_makes_room_and_nobody_elses() {
        let (mut tickets, now) = (Tickets::new(), start());
        tickets.issue(b"other", grant(2), now);
        for n in 0..=PER_CALLER {
            tickets.issue(&n.to_be_bytes(), grant(1), now);
        }
        assert_eq!(tickets.redeem(&0_u64.to_be_bytes(), HERE, None, now), Err(Refusal::Unknown));
        assert_eq!(tickets.redeem(&1_u64.to_be_bytes(), HERE, None, now), Ok(grant(1)));
        assert_eq!(tickets.redeem(b"other", HERE, None, now), Ok(grant(2)));
    }

    #[test]
    fn signing_out_voids_what_was_issued_under_it() {
        let (mut tickets, now) = (Tickets::new(), start());
        let signin = Some(SigninId::from_random([5; 16]));
        tickets.issue(b"one", Grant { signin, ..grant(1) }, now);
        tickets.issue(b"two", grant(1), now);
        tickets.void(|grant| grant.signin == signin);
        assert_eq!(tickets.redeem(b"one", HERE, None, now), Err(Refusal::Unknown));
        assert_eq!(tickets.redeem(b"two", HERE, None, now), Ok(grant(1)));
    }

    proptest! {
        #[test]
        fn no_script_redeems_a_ticket_twice_or_late_or_keeps_too_many(
            script in prop::collection::vec((any::<bool>(), 0_u8..40, 0_u64..4_000), 1..120)
        ) {
            let (mut tickets, mut now) = (Tickets::new(), start());
            let mut issued: BTreeMap<u8, Instant> = BTreeMap::new();
            for (issue, token, wait) in script {
                now += ms(wait);
                if issue && !issued.contains_key(&token) {
                    tickets.issue(&[token], grant(token % 3), now);
                    issued.insert(token, now);
                } else if !issue {
                    let fresh = issued.remove(&token).is_some_and(|at| now < at + TTL);
                    prop_assert_eq!(tickets.redeem(&[token], HERE, None, now).is_ok(), fresh);
                }
                let queued: usize = tickets.of_caller.values().map(VecDeque::len).sum();
                prop_assert_eq!(queued, tickets.len());
            }
        }
    }

    fn grant(n: u8) -> Grant {
        Grant {
            by: By {
                caller: CallerId::from_random([n; 16]),
                viewer: ViewerId::from_random([n; 16]),
                name: String::new(),
                kind: CallerKind::Person,
                owner: true,
            },
            signin: None,
            opens: HERE,
            read_only: false,
            origin: None,
        }
    }
}
