//! The core's parts, held together. A cheap clone that every task and handler has.
//!
//! Nothing here decides anything; each field has a module of its own that does.

use std::ops::Deref;
use std::sync::Arc;

use store::Store;

use crate::auth::doors::Doors;
use crate::auth::session::Signins;
use crate::auth::tickets::Tickets;
use crate::clock::Clock;
use crate::config::Config;
use crate::events::Events;
use crate::hosts::Hosts;
use crate::hub::Hubs;
use crate::random::Random;
use crate::sessions::notes::Notes;
use crate::sessions::resume::Resumes;
use crate::shutdown::Shutdown;

/// A handle to the core.
#[derive(Clone, Debug)]
pub struct App(Arc<Parts>);

/// What a core is made of.
#[derive(Debug)]
pub struct Parts {
    /// Settings.
    pub config: Config,
    /// The names under which it is reached.
    pub doors: Doors,
    /// What is remembered.
    pub store: Store,
    /// The way to the pane host.
    pub hosts: Hosts,
    /// Tickets that wait for their sockets.
    pub tickets: Tickets,
    /// Who is signed in.
    pub signins: Signins,
    /// What changed, for whoever keeps a list.
    pub events: Events,
    /// The sessions that are followed.
    pub hubs: Hubs,
    /// What sessions report of themselves, on its way to the store.
    pub notes: Notes,
    /// Which lost sessions were taken up again.
    pub resumes: Resumes,
    /// What time it is.
    pub clock: Clock,
    /// Random bytes.
    pub rng: Random,
    /// How everything ends.
    pub shutdown: Shutdown,
}

impl App {
    /// A core that is connected to nothing yet. `port` is the one it really listens on.
    pub fn new(config: Config, port: u16, store: Store) -> Self {
        let rng = Random;
        Self(Arc::new(Parts {
            doors: Doors::new(port, &config.origins),
            store,
            hosts: Hosts::default(),
            tickets: Tickets::default(),
            signins: Signins::default(),
            events: Events::new(rng.bytes()),
            hubs: Hubs::default(),
            notes: Notes::default(),
            resumes: Resumes::default(),
            clock: Clock,
            rng,
            shutdown: Shutdown::default(),
            config,
        }))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
