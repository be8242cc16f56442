//! What a viewer says, checked and passed on. Nothing here waits: what the host must answer is
//! handed back as an act for the driver to wait for.
//!
//! A refusal made here ends the input's run, as one of the host does: what was typed before the
//! viewer knew must not be applied after it.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use link::{CallError, Client};
use wire::browser::{ClientMessage, ControlAction, Paste, ServerMessage};
use wire::frame::ViewerInput;
use wire::host::{By, InputHead, LeaseAction, Request, Theme};
use wire::{ErrorCode, Seq, SessionId, limits};

/// Messages that make no sense before the socket is closed.
const NONSENSE: u32 = 64;

/// Something the host answers; resolves to what the viewer is told of it, if anything.
pub(super) type Act = BoxFuture<'static, Option<ServerMessage>>;

/// One viewer, as far as what it says is concerned.
#[derive(Debug)]
pub(super) struct Speaker {
    by: By,
    read_only: bool,
    /// The last run in which something was refused here.
    refused_run: Option<u32>,
    nonsense: u32,
}

/// Where what it says goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    pub(super) session: SessionId,
    /// The host, while it can be reached.
    pub(super) client: Option<&'a Client>,
    /// Whether the pane can be seen: others do not resize.
    pub(super) visible: bool,
}

/// What comes of what was said.
pub(super) enum Said {
    /// Nothing more.
    Done,
    /// Tell the viewer.
    Tell(ServerMessage),
    /// Wait for the host.
    Act(Act),
    /// It has parsed so much.
    Ack { stream: u32, seq: Seq, n: Option<u32> },
    /// It can be seen, or no longer.
    Visible(bool),
    /// It wants the screen anew.
    Resync,
    /// It says nothing but nonsense: close it.
    Enough,
}

/// An input before it is judged.
struct Input {
    paste: Option<Paste>,
    epoch: u32,
    run: u32,
    id: Option<u64>,
    bytes: Bytes,
    /// Its length as the limit counts it.
    units: usize,
}

impl Speaker {
    pub(super) fn new(by: By, read_only: bool) -> Self {
        Self { by, read_only, refused_run: None, nonsense: 0 }
    }

    /// A text message.
    pub(super) fn on_text(&mut self, text: &str, way: Way<'_>) -> Said {
        let message = match serde_json::from_str(text) {
            Ok(message) => message,
            // Where, and not what: the message may hold what was typed.
            Err(error) => return self.nonsense(&format!("column {}", error.column())),
        };
        match message {
            ClientMessage::Input { data, paste, epoch, run, id } => {
                let units = data.encode_utf16().count();
                let (epoch, run) = (epoch.unwrap_or(0), run.unwrap_or(0));
                let bytes = Bytes::from(data);
                self.input(Input { paste, epoch, run, id, bytes, units }, way)
            }
            ClientMessage::Resize { cols, rows, cell_width, cell_height } => {
                if !fits(cols, limits::COLS_MIN, limits::COLS_MAX)
                    || !fits(rows, limits::ROWS_MIN, limits::ROWS_MAX)
                {
                    return self.nonsense("a size out of range");
                }
                if !way.visible {
                    return Said::Tell(refused(None, ErrorCode::Conflict, None));
                }
                let cell = cell_width.zip(cell_height);
                self.act(way, |session, by| Request::Resize { session, by, cols, rows, cell })
            }
            // The holder may interrupt whatever its last key was typed under.
            ClientMessage::Interrupt {} => {
                self.act(way, |session, by| Request::Interrupt { session, by, epoch: 0 })
            }
            ClientMessage::Ping { t } => Said::Tell(ServerMessage::Pong { t }),
            ClientMessage::Control { action } => {
                let action = lease_action(action);
                self.act(way, |session, by| Request::Control { session, by, action })
            }
            ClientMessage::Ack { stream, seq, n } => Said::Ack { stream, seq, n },
            ClientMessage::Visibility { visible } => Said::Visible(visible),
            ClientMessage::Theme { fg, bg, cursor, palette } => {
                let theme = Theme { fg, bg, cursor, palette };
                if !is_theme(&theme) {
                    return self.nonsense("a colour that is none");
                }
                self.act(way, |session, by| Request::Theme { session, by, theme })
            }
            ClientMessage::Resync {} => Said::Resync,
        }
    }

    /// A binary message.
    pub(super) fn on_binary(&mut self, frame: &Bytes, way: Way<'_>) -> Said {
        let ViewerInput { paste, epoch, run, id, bytes } = match ViewerInput::parse(frame) {
            Ok(input) => input,
            Err(error) => return self.nonsense(&error.to_string()),
        };
        let most = usize::try_from(limits::INPUT_MAX_UNITS).unwrap_or(usize::MAX);
        // Bytes are at least as many as units: counting is for what might be too much.
        let units = match std::str::from_utf8(bytes) {
            Ok(text) if bytes.len() > most => text.encode_utf16().count(),
            Ok(_) | Err(_) => bytes.len(),
        };
        let bytes = frame.slice_ref(bytes);
        self.input(Input { paste, epoch, run, id: Some(id), bytes, units }, way)
    }

    /// Something that makes no sense.
    pub(super) fn nonsense(&mut self, what: &str) -> Said {
        self.nonsense += 1;
        if self.nonsense > NONSENSE {
            return Said::Enough;
        }
        Said::Tell(ServerMessage::Error {
            code: ErrorCode::BadMessage,
            message: format!("This message is not understood: {what}."),
            fatal: false,
        })
    }

    fn input(&mut self, input: Input, way: Way<'_>) -> Said {
        let Input { paste, epoch, run, id, bytes, units } = input;
        match self.judge(run, id, units).and_then(|()| {
            let client = way.client.ok_or(ErrorCode::HostDown)?;
            let (session, by) = (way.session, self.by.clone());
            let head = InputHead { session, by, paste, epoch, run, id };
            client.input(&head, &bytes).map_err(|error| code(&error))
        }) {
            Ok(()) => Said::Done,
            Err(code) => {
                if id.is_some() {
                    self.refused_run = self.refused_run.max(Some(run));
                }
                Said::Tell(refused(id, code, None))
            }
        }
    }

    fn judge(&self, run: u32, id: Option<u64>, units: usize) -> Result<(), ErrorCode> {
        if self.read_only {
            return Err(ErrorCode::ReadOnly);
        }
        if id.is_some() && self.refused_run.is_some_and(|refused| run <= refused) {
            return Err(ErrorCode::AfterRefused);
        }
        if units > usize::try_from(limits::INPUT_MAX_UNITS).unwrap_or(usize::MAX) {
            return Err(ErrorCode::TooLarge);
        }
        Ok(())
    }

    fn act(&self, way: Way<'_>, request: impl FnOnce(SessionId, By) -> Request) -> Said {
        if self.read_only {
            return Said::Tell(refused(None, ErrorCode::ReadOnly, None));
        }
        let Some(client) = way.client.cloned() else {
            return Said::Tell(refused(None, ErrorCode::HostDown, None));
        };
        let request = request(way.session, self.by.clone());
        Said::Act(Box::pin(async move {
            match client.request(request).await {
                Ok(_) => None,
                Err(CallError::Refused(error)) => Some(refused(None, error.code, error.details)),
                Err(error) => Some(refused(None, code(&error), None)),
            }
        }))
    }
}

/// What a viewer is told of something that was not done.
pub(super) fn refused(id: Option<u64>, code: ErrorCode, holder: Option<String>) -> ServerMessage {
    ServerMessage::Refused { id, code, holder }
}

fn code(error: &CallError) -> ErrorCode {
    match error {
        CallError::Refused(error) => error.code,
        CallError::Timeout => ErrorCode::Timeout,
        CallError::Closed => ErrorCode::HostDown,
    }
}

fn fits(n: u16, least: u64, most: u64) -> bool {
    (least..=most).contains(&u64::from(n))
}

fn lease_action(action: ControlAction) -> LeaseAction {
    match action {
        ControlAction::Acquire => LeaseAction::Acquire,
        ControlAction::Renew => LeaseAction::Renew,
        ControlAction::Release => LeaseAction::Release,
        ControlAction::Take => LeaseAction::Take,
        ControlAction::Request => LeaseAction::Request,
        ControlAction::Give => LeaseAction::Give,
    }
}

/// Whether everything in it is a colour, `#rrggbb`.
fn is_theme(theme: &Theme) -> bool {
    let colour = |text: &String| {
        text.len() == 7
            && text.strip_prefix('#').is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let Theme { fg, bg, cursor, palette } = theme;
    palette.len() <= 16 && [fg, bg, cursor].into_iter().chain(palette).all(colour)
}
