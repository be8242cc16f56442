//! Who may type into a session: at most one viewer at any instant.
//!
//! Each grant has a number, the epoch, and input names the grant it was typed under: a key that
//! was sent before a hand-over and comes after it is refused, never applied. Epoch 0 asks for a
//! free lease. A lease runs out *at* its time to live, so a renewal at that instant is too late;
//! one that is a millisecond earlier keeps every key.

use std::time::{Duration, Instant};

use wire::browser::{CallerKind, Holder};
use wire::host::{By, LeaseFacts};
use wire::{ErrorCode, limits};

/// How long a grant lasts without a renewal or a key.
pub const TTL: Duration = Duration::from_millis(limits::LEASE_TTL_MS);
/// How long an agent's grant lasts after its last write: it takes the lease call by call.
pub const AGENT_TTL: Duration = Duration::from_secs(5);
/// How long a holder whose socket is gone may take to come back.
pub const RETURN: Duration = Duration::from_millis(limits::VIEWER_RETURN_MS);
/// What a grant is safe for from another caller's `take`, so that two cannot ping-pong.
pub const MIN_HOLD: Duration = Duration::from_secs(2);
/// A holder without a key for so long gives to who asked.
pub const GIVE_AFTER: Duration = Duration::from_secs(20);
/// A person without a key for so long gives an agent's session back.
pub const HAND_BACK_AFTER: Duration = Duration::from_secs(60);

/// The right to type into one session.
#[derive(Debug, Default)]
pub struct Lease {
    held: Option<Held>,
    /// The number of the last grant; counts up and never returns.
    epoch: u32,
    /// Who asked and has not been answered. Never the holder.
    asked: Option<By>,
    /// Whether the session belongs to an agent: people then hold it only while they type.
    of_agent: bool,
    /// Whether viewers have not been told how it stands.
    changed: bool,
}

/// A grant.
#[derive(Clone, Debug)]
struct Held {
    by: By,
    /// When it was granted.
    since: Instant,
    /// When it runs out unless renewed.
    until: Instant,
    /// When the last key came, or the grant.
    last_key: Instant,
    /// The holder's socket is gone; it may come back until `until`.
    gone: bool,
}

/// Why the lease is not had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Somebody else holds it: ask, or take it as the owner.
    #[error("{name} is typing")]
    HeldBy {
        /// The holder's name.
        name: String,
    },
    /// The grant that was named has ended: acquire anew.
    #[error("the lease has ended")]
    Stale,
    /// It has just changed hands: try again at `until`.
    #[error("{name} has only just taken over")]
    TooSoon {
        /// The holder's name.
        name: String,
        /// When it may be taken.
        until: Instant,
    },
    /// Somebody else asked first.
    #[error("{name} has asked already")]
    AskedBy {
        /// Who.
        name: String,
    },
    /// There is nobody to give it to.
    #[error("nobody has asked")]
    NobodyAsked,
}

impl Refusal {
    /// The code that tells a viewer.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::HeldBy { .. } | Self::TooSoon { .. } => ErrorCode::HeldBy,
            Self::Stale => ErrorCode::LeaseStale,
            Self::AskedBy { .. } | Self::NobodyAsked => ErrorCode::Conflict,
        }
    }

    /// The name to tell a viewer with the code.
    pub fn holder(&self) -> Option<&str> {
        match self {
            Self::HeldBy { name } | Self::TooSoon { name, .. } | Self::AskedBy { name } => {
                Some(name)
            }
            Self::Stale | Self::NobodyAsked => None,
        }
    }
}

impl Lease {
    /// A free lease.
    pub fn new() -> Self {
        Self::default()
    }

    /// The free lease of an agent's session.
    pub fn of_agent() -> Self {
        Self { of_agent: true, ..Self::default() }
    }

    /// The lease of the session that replaces this one: the holder stays, under a new epoch.
    #[must_use]
    pub fn handed_over(&self) -> Self {
        Self {
            held: self.held.clone(),
            epoch: self.epoch.wrapping_add(1),
            asked: self.asked.clone(),
            of_agent: self.of_agent,
            changed: true,
        }
    }

    /// How it stands, for everybody.
    pub fn facts(&self, now: Instant) -> LeaseFacts {
        let left = |held: &Held| held.until.saturating_duration_since(now).as_millis();
        LeaseFacts {
            holder: self.held.as_ref().map(|held| Holder {
                viewer: held.by.viewer,
                name: held.by.name.clone(),
                kind: held.by.kind,
            }),
            epoch: self.epoch,
            until_ms: self.held.as_ref().map_or(0, |held| left(held).try_into().unwrap_or(0)),
            requested_by: self.asked.as_ref().map(|by| by.name.clone()),
        }
    }

    /// Whether viewers have to be told anew. True once for each change.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// When [`Self::on_time`] has something to do.
    pub fn deadline(&self) -> Option<Instant> {
        let held = self.held.as_ref()?;
        let give = self.asked.is_some().then(|| held.last_key + GIVE_AFTER);
        let hand_back = self.hands_back(held).then(|| held.last_key + HAND_BACK_AFTER);
        [Some(held.until), give, hand_back].into_iter().flatten().min()
    }

    /// Ends what has run out. Every verb does so first, so it need not be punctual.
    pub fn on_time(&mut self, now: Instant) {
        let Some(held) = &self.held else { return };
        let over = now >= held.until
            || (self.asked.is_some() && now >= held.last_key + GIVE_AFTER)
            || (self.hands_back(held) && now >= held.last_key + HAND_BACK_AFTER);
        if over {
            self.pass_on(now);
        }
    }

    /// Lets input typed under `epoch` through, or not. A key renews, unless its viewer is gone;
    /// epoch 0 takes a free lease.
    ///
    /// # Errors
    ///
    /// [`Refusal::HeldBy`] for epoch 0 while somebody else types, else [`Refusal::Stale`].
    pub fn admit(&mut self, by: &By, epoch: u32, now: Instant) -> Result<(), Refusal> {
        self.on_time(now);
        let current = self.epoch;
        match &mut self.held {
            Some(held) if held.is(by) && (epoch == 0 || epoch == current) => {
                held.last_key = now;
                // A key that was on its way when the socket went is good, and extends nothing.
                if !held.gone {
                    held.until = now + ttl(by.kind);
                }
                Ok(())
            }
            Some(held) if epoch == 0 && !held.is(by) => Err(held.refusal()),
            None if epoch == 0 => {
                self.grant(by.clone(), now);
                Ok(())
            }
            Some(_) | None => Err(Refusal::Stale),
        }
    }

    /// Whether `by` holds it, for acts that are the holder's alone, such as a resize.
    ///
    /// # Errors
    ///
    /// [`Refusal::HeldBy`] when somebody else does, [`Refusal::Stale`] when nobody does.
    pub fn check(&mut self, by: &By, now: Instant) -> Result<(), Refusal> {
        self.on_time(now);
        match &self.held {
            Some(held) if held.is(by) && !held.gone => Ok(()),
            Some(held) if !held.is(by) => Err(held.refusal()),
            Some(_) | None => Err(Refusal::Stale),
        }
    }

    /// Takes it if it is free; renews it for who holds it.
    ///
    /// # Errors
    ///
    /// [`Refusal::HeldBy`], also when another tab of the same caller holds it.
    pub fn acquire(&mut self, by: &By, now: Instant) -> Result<(), Refusal> {
        self.on_time(now);
        if self.held.is_some() {
            return self.renew(by, now);
        }
        self.grant(by.clone(), now);
        Ok(())
    }

    /// Keeps it for another time to live.
    ///
    /// # Errors
    ///
    /// As [`Self::check`]: a grant that has run out is not revived.
    pub fn renew(&mut self, by: &By, now: Instant) -> Result<(), Refusal> {
        self.check(by, now)?;
        if let Some(held) = &mut self.held {
            held.until = now + ttl(by.kind);
        }
        Ok(())
    }

    /// Lets it go: to who asked, else to nobody.
    ///
    /// # Errors
    ///
    /// As [`Self::check`].
    pub fn release(&mut self, by: &By, now: Instant) -> Result<(), Refusal> {
        self.check(by, now)?;
        self.pass_on(now);
        Ok(())
    }

    /// Takes it: at once from another tab of the same caller, as the owner from anybody.
    ///
    /// # Errors
    ///
    /// [`Refusal::HeldBy`] for who is not the owner, [`Refusal::TooSoon`] within [`MIN_HOLD`].
    pub fn take(&mut self, by: &By, now: Instant) -> Result<(), Refusal> {
        self.on_time(now);
        if let Some(held) = &self.held {
            if held.is(by) && !held.gone {
                return self.renew(by, now);
            }
            if held.by.caller != by.caller {
                if !by.owner {
                    return Err(held.refusal());
                }
                let until = held.since + MIN_HOLD;
                if now < until {
                    return Err(Refusal::TooSoon { name: held.by.name.clone(), until });
                }
            }
        }
        self.grant(by.clone(), now);
        Ok(())
    }

    /// Asks the holder for it; a free one is had at once.
    ///
    /// # Errors
    ///
    /// [`Refusal::AskedBy`] when somebody else asked first.
    pub fn request(&mut self, by: &By, now: Instant) -> Result<(), Refusal> {
        self.on_time(now);
        match (&self.held, &self.asked) {
            (None, _) => self.grant(by.clone(), now),
            (Some(held), _) if held.is(by) => {}
            (Some(_), Some(asked)) if !same(asked, by) => {
                return Err(Refusal::AskedBy { name: asked.name.clone() });
            }
            (Some(_), Some(_) | None) => {
                self.asked = Some(by.clone());
                self.changed = true;
                self.on_time(now);
            }
        }
        Ok(())
    }

    /// Gives it to who asked.
    ///
    /// # Errors
    ///
    /// As [`Self::check`], and [`Refusal::NobodyAsked`].
    pub fn give(&mut self, by: &By, now: Instant) -> Result<(), Refusal> {
        self.check(by, now)?;
        if self.asked.is_none() {
            return Err(Refusal::NobodyAsked);
        }
        self.pass_on(now);
        Ok(())
    }

    /// The viewer's last socket is gone, or the core that served it.
    pub fn on_gone(&mut self, by: &By, now: Instant) {
        self.on_time(now);
        if self.asked.as_ref().is_some_and(|asked| same(asked, by)) {
            self.asked = None;
            self.changed = true;
        }
        if let Some(held) = self.held.as_mut().filter(|held| held.is(by)) {
            held.gone = true;
            held.until = held.until.min(now + RETURN);
        }
    }

    /// The viewer is back: within [`RETURN`] it keeps its epoch.
    pub fn on_back(&mut self, by: &By, now: Instant) {
        self.on_time(now);
        if let Some(held) = self.held.as_mut().filter(|held| held.is(by)) {
            held.gone = false;
            held.until = now + ttl(by.kind);
        }
    }

    /// Who holds it, as far as `on_time` has been told.
    pub fn holder(&self) -> Option<&By> {
        self.held.as_ref().map(|held| &held.by)
    }

    /// The number of the last grant.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Whether the holder keeps it only while typing.
    fn hands_back(&self, held: &Held) -> bool {
        self.of_agent && held.by.kind != CallerKind::Agent
    }

    fn pass_on(&mut self, now: Instant) {
        self.held = None;
        self.changed = true;
        if let Some(asked) = self.asked.take() {
            self.grant(asked, now);
        }
    }

    fn grant(&mut self, by: By, now: Instant) {
        if self.asked.as_ref().is_some_and(|asked| same(asked, &by)) {
            self.asked = None;
        }
        self.epoch = self.epoch.wrapping_add(1).max(1);
        let until = now + ttl(by.kind);
        self.held = Some(Held { by, since: now, until, last_key: now, gone: false });
        self.changed = true;
    }
}

impl Held {
    fn is(&self, by: &By) -> bool {
        same(&self.by, by)
    }

    fn refusal(&self) -> Refusal {
        Refusal::HeldBy { name: self.by.name.clone() }
    }
}

/// Whether two are one viewer of one caller: another caller cannot borrow a viewer's id.
fn same(one: &By, other: &By) -> bool {
    one.caller == other.caller && one.viewer == other.viewer
}

fn ttl(kind: CallerKind) -> Duration {
    match kind {
        CallerKind::Person | CallerKind::Guest => TTL,
        CallerKind::Agent => AGENT_TTL,
    }
}

#[cfg(test)]
mod tests;
