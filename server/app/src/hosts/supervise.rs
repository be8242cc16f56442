//! Keeps the connection to the pane host up, for as long as the core runs.
//!
//! It never gives up: a host that is down now may be back in a second or tomorrow. What it says in
//! the log it says once per reason, not once per try.

use std::io;
use std::time::Duration;

use link::handshake::{ConnectOptions, HELLO_TIMEOUT};
use link::{Client, HelloReply, LinkError};
use wire::event::Event;
use wire::host::{Hello, LINK_VERSION};

use super::{Up, adopt, launch};
use crate::state::App;

/// First and longest wait between two tries.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// How often store and host are brought to agree while connected.
const SWEEP: Duration = Duration::from_secs(60);

/// Connects, follows, and connects again, until the core stops.
pub async fn run(app: App) {
    let mut wait = BACKOFF.0;
    let mut said = String::new();
    while !app.shutdown.has_begun() {
        match connect(&app).await {
            Ok((client, hello)) => {
                (wait, said) = (BACKOFF.0, String::new());
                follow(&app, Up { client, hello }).await;
            }
            Err(error) => {
                let why = format!("{error:#}");
                if why != said {
                    tracing::warn!(%why, "the pane host cannot be reached");
                    said = why;
                }
                tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = app.shutdown.begun() => return,
                }
                wait = (wait * 2).min(BACKOFF.1);
            }
        }
    }
}

/// From the moment a host is connected until it is gone.
async fn follow(app: &App, up: Up) {
    tracing::info!(build = up.hello.build, boot = up.hello.boot, "connected to the pane host");
    if up.hello.build != crate::BUILD {
        tracing::warn!(
            host = up.hello.build,
            core = crate::BUILD,
            "the pane host is of another build; `glasshouse host restart` ends its sessions"
        );
    }
    // Nobody may start a session before those the host has are known.
    let mut adopted = adopt::adopt(app, &up).await;
    app.hosts.set(Some(up.clone()));
    app.events.publish(Event::Host { up: true });
    loop {
        let again = if adopted.is_ok() { SWEEP } else { BACKOFF.1 };
        tokio::select! {
            () = up.client.closed() => break,
            () = app.shutdown.begun() => return,
            () = tokio::time::sleep(again) => {}
        }
        adopted = adopt::adopt(app, &up).await;
    }
    app.hosts.set(None);
    app.events.publish(Event::Host { up: false });
    tracing::warn!("the pane host is gone");
}

/// One try, which starts a host if it is ours to start and none listens.
async fn connect(app: &App) -> anyhow::Result<(Client, HelloReply)> {
    match dial(app).await {
        Err(error) if app.config.host.ours && nobody_listens(&error) => {
            launch::launch(&app.config.dirs).await?;
            dial(app).await
        }
        dialled => dialled,
    }
}

async fn dial(app: &App) -> anyhow::Result<(Client, HelloReply)> {
    let config = &app.config.host;
    // Read anew each time: the first host makes it, and a new one may have made another.
    let secret = tokio::fs::read_to_string(&config.secret).await?;
    let hello = Hello {
        link: LINK_VERSION,
        features: Vec::new(),
        build: crate::BUILD.to_owned(),
        store: app.store.id(),
        secret: secret.trim().to_owned(),
    };
    let options = ConnectOptions { allowed_uids: config.uids.clone(), timeout: HELLO_TIMEOUT };
    Ok(Client::connect(&config.socket, hello, &options).await?)
}

/// Whether the try failed because there is no host, and not because it refuses us.
fn nobody_listens(error: &anyhow::Error) -> bool {
    let io = match error.downcast_ref::<LinkError>() {
        Some(LinkError::Io(io)) => Some(io),
        Some(_) => None,
        None => error.downcast_ref::<io::Error>(),
    };
    io.is_some_and(|io| {
        matches!(io.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
    })
}
