use proptest::prelude::*;
use wire::{CallerId, ViewerId};

use super::*;
use crate::testing::{ms, start};

#[test]
fn a_lease_runs_out_at_its_ttl_and_not_before() {
    for (wait, kept) in [(TTL - ms(1), true), (TTL, false), (TTL + ms(1), false)] {
        let (mut lease, start) = (Lease::new(), start());
        lease.acquire(&ana(), start).unwrap();
        assert_eq!(lease.renew(&ana(), start + wait).is_ok(), kept, "after {wait:?}");
        assert_eq!(lease.admit(&ana(), 1, start + wait).is_ok(), kept, "after {wait:?}");
    }
}

#[test]
fn two_lost_heartbeats_lose_no_key() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    let beat = ms(limits::LEASE_HEARTBEAT_MS);
    lease.renew(&ana(), start + beat * 3 - ms(1)).unwrap();
    assert_eq!(lease.admit(&ana(), 1, start + beat * 5), Ok(()));
}

#[test]
fn a_key_renews_and_an_old_epoch_is_refused() {
    let (mut lease, start) = (Lease::new(), start());
    lease.admit(&ana(), 0, start).unwrap();
    lease.admit(&ana(), 1, start + ms(29_999)).unwrap();
    lease.admit(&ana(), 1, start + ms(50_000)).unwrap();
    lease.take(&owner(), start + ms(52_000)).unwrap();
    assert_eq!(lease.admit(&ana(), 1, start + ms(52_000)), Err(Refusal::Stale));
    assert_eq!(lease.admit(&ana(), 0, start + ms(52_000)), Err(held_by("owner")));
    assert_eq!(lease.admit(&owner(), 2, start + ms(52_000)), Ok(()));
}

#[test]
fn an_expired_epoch_is_not_revived_by_a_late_key() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    assert_eq!(lease.admit(&ana(), 1, start + TTL), Err(Refusal::Stale));
    assert_eq!(lease.admit(&ana(), 0, start + TTL), Ok(()));
    assert_eq!(lease.epoch(), 2);
}

#[test]
fn another_tab_of_the_same_caller_takes_at_once_but_not_by_acquire() {
    let (mut lease, start) = (Lease::new(), start());
    let tab = By { viewer: viewer(9), ..ana() };
    lease.acquire(&ana(), start).unwrap();
    assert_eq!(lease.acquire(&tab, start), Err(held_by("ana")));
    lease.take(&tab, start).unwrap();
    assert_eq!(lease.admit(&ana(), 1, start), Err(Refusal::Stale));
    assert_eq!(lease.admit(&tab, 2, start), Ok(()));
}

#[test]
fn the_same_viewer_id_of_another_caller_is_somebody_else() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    let thief = By { viewer: ana().viewer, ..ben() };
    assert_eq!(lease.admit(&thief, 1, start), Err(Refusal::Stale));
    assert_eq!(lease.take(&thief, start + TTL - ms(1)), Err(held_by("ana")));
}

#[test]
fn an_owner_takes_only_after_the_minimum_hold() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    let early = start + MIN_HOLD - ms(1);
    let until = start + MIN_HOLD;
    assert_eq!(
        lease.take(&owner(), early),
        Err(Refusal::TooSoon { name: "ana".to_owned(), until })
    );
    assert_eq!(lease.take(&ben(), until), Err(held_by("ana")));
    assert_eq!(lease.take(&owner(), until), Ok(()));
}

#[test]
fn a_holder_who_stops_typing_gives_to_who_asked() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    lease.request(&ben(), start + ms(1_000)).unwrap();
    assert_eq!(lease.facts(start).requested_by.as_deref(), Some("ben"));
    lease.admit(&ana(), 1, start + ms(5_000)).unwrap();
    let due = start + ms(5_000) + GIVE_AFTER;
    assert_eq!(lease.deadline(), Some(due));
    lease.on_time(due - ms(1));
    assert_eq!(lease.holder(), Some(&ana()));
    lease.on_time(due);
    assert_eq!(lease.holder(), Some(&ben()));
    assert_eq!(lease.facts(due).requested_by, None);
}

#[test]
fn a_second_request_waits_for_the_first_to_be_answered() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    lease.request(&ben(), start).unwrap();
    let refused = Err(Refusal::AskedBy { name: "ben".to_owned() });
    assert_eq!(lease.request(&owner(), start), refused);
    lease.on_gone(&ben(), start);
    assert_eq!(lease.request(&owner(), start), Ok(()));
    lease.give(&ana(), start).unwrap();
    assert_eq!(lease.holder(), Some(&owner()));
    assert_eq!(lease.give(&owner(), start), Err(Refusal::NobodyAsked));
}

#[test]
fn a_released_lease_goes_to_who_asked() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    lease.request(&ben(), start).unwrap();
    lease.release(&ana(), start).unwrap();
    assert_eq!(lease.holder(), Some(&ben()));
    assert_eq!(lease.release(&ana(), start), Err(held_by("ben")));
}

#[test]
fn a_viewer_back_within_five_seconds_keeps_its_epoch() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    lease.on_gone(&ana(), start);
    assert_eq!(lease.renew(&ana(), start), Err(Refusal::Stale), "it has no socket");
    lease.on_back(&ana(), start + RETURN - ms(1));
    assert_eq!(lease.admit(&ana(), 1, start + RETURN), Ok(()));

    lease.on_gone(&ana(), start);
    lease.on_back(&ana(), start + RETURN);
    assert_eq!(lease.admit(&ana(), 1, start + RETURN), Err(Refusal::Stale));
}

#[test]
fn keys_on_their_way_when_the_socket_went_are_good_and_extend_nothing() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    lease.on_gone(&ana(), start);
    assert_eq!(lease.admit(&ana(), 1, start + ms(10)), Ok(()));
    assert_eq!(lease.deadline(), Some(start + RETURN));
    assert_eq!(lease.admit(&ana(), 1, start + RETURN), Err(Refusal::Stale));
}

#[test]
fn a_gone_holder_does_not_outlive_its_own_ttl() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    lease.on_gone(&ana(), start + TTL - ms(1));
    assert_eq!(lease.deadline(), Some(start + TTL));
}

#[test]
fn an_agent_takes_a_free_lease_for_its_call_only() {
    let (mut lease, start) = (Lease::of_agent(), start());
    lease.admit(&agent(), 0, start).unwrap();
    assert_eq!(lease.admit(&ana(), 0, start), Err(held_by("agent")));
    assert_eq!(lease.admit(&ana(), 0, start + AGENT_TTL), Ok(()));
    assert_eq!(lease.admit(&agent(), 0, start + AGENT_TTL), Err(held_by("ana")));
}

#[test]
fn a_person_gives_an_agents_session_back_when_not_typing() {
    let (mut lease, start) = (Lease::of_agent(), start());
    lease.admit(&ana(), 0, start).unwrap();
    for beat in 1..6 {
        lease.renew(&ana(), start + ms(10_000) * beat).unwrap();
    }
    assert_eq!(lease.deadline(), Some(start + HAND_BACK_AFTER));
    lease.on_time(start + HAND_BACK_AFTER);
    assert_eq!(lease.holder(), None);
}

#[test]
fn a_replaced_session_keeps_its_holder_under_a_new_epoch() {
    let (mut lease, start) = (Lease::new(), start());
    lease.acquire(&ana(), start).unwrap();
    let mut next = lease.handed_over();
    assert_eq!(next.admit(&ana(), 1, start), Err(Refusal::Stale));
    assert_eq!(next.admit(&ana(), 2, start), Ok(()));
}

#[test]
fn a_change_is_told_once_and_a_renewal_is_none() {
    let (mut lease, start) = (Lease::new(), start());
    assert!(!lease.take_changed());
    lease.acquire(&ana(), start).unwrap();
    assert!(lease.take_changed() && !lease.take_changed());
    lease.renew(&ana(), start + ms(5)).unwrap();
    assert!(!lease.take_changed());
    lease.on_time(start + ms(5) + TTL);
    assert!(lease.take_changed());
}

proptest! {
    /// Whatever is done in whatever order: an epoch belongs to one viewer, never returns, and
    /// input is admitted for the holder alone.
    #[test]
    fn an_epoch_has_one_viewer_and_never_returns(
        script in prop::collection::vec((0_usize..4, 0_u8..9, 0_u64..9_000), 1..200)
    ) {
        let (mut lease, mut now) = (Lease::new(), start());
        let mut granted: Vec<(u32, ViewerId)> = Vec::new();
        for (who, act, wait) in script {
            now += ms(wait);
            let people = [ana(), ben(), owner(), agent()];
            let by = &people[who];
            let epoch = lease.epoch();
            let done = match act {
                0 => lease.acquire(by, now),
                1 => lease.renew(by, now),
                2 => lease.release(by, now),
                3 => lease.take(by, now),
                4 => lease.request(by, now),
                5 => lease.give(by, now),
                6 => { lease.on_gone(by, now); Ok(()) }
                7 => { lease.on_back(by, now); Ok(()) }
                _ => lease.admit(by, epoch, now),
            };
            if act == 8 && done.is_ok() {
                prop_assert_eq!(lease.holder(), Some(by));
            }
            prop_assert!(lease.deadline().is_none_or(|at| at > now), "nothing is overdue");
            if let Some(holder) = lease.holder() {
                let grant = (lease.epoch(), holder.viewer);
                if granted.last() != Some(&grant) {
                    prop_assert!(granted.last().is_none_or(|(last, _)| *last < grant.0));
                    granted.push(grant);
                }
            }
            prop_assert!(lease.asked.as_ref().is_none_or(|by| !lease.held.as_ref().unwrap().is(by)));
        }
    }
}

fn held_by(name: &str) -> Refusal {
    Refusal::HeldBy { name: name.to_owned() }
}

fn viewer(n: u8) -> ViewerId {
    ViewerId::from_random([n; 16])
}

fn by(n: u8, name: &str) -> By {
    By {
        caller: CallerId::from_random([n; 16]),
        viewer: viewer(n),
        name: name.to_owned(),
        kind: CallerKind::Person,
        owner: false,
    }
}

fn ana() -> By {
    by(1, "ana")
}

fn ben() -> By {
    by(2, "ben")
}

fn owner() -> By {
    By { owner: true, ..by(3, "owner") }
}

fn agent() -> By {
    By { kind: CallerKind::Agent, ..by(4, "agent") }
}
