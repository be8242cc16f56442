//! What a room or pane may be asked to be. Pure but for [`folder`], which asks the host what a
//! path is really called.

use std::collections::BTreeSet;
use std::path::Path;

use wire::host::{Reply, Request};
use wire::http::{Folder, LayoutNode, NewPane};
use wire::{ErrorCode, PaneId, limits};

use crate::config::ROOMS_MAX;
use crate::error::ApiError;
use crate::hosts::unexpected;
use crate::state::App;

/// Columns and rows unless somebody asks for others.
const SIZE: (u16, u16) = (120, 32);
/// Arguments of a command, and bytes of them together.
const ARGS_MAX: (usize, usize) = (256, 32 * 1024);
/// Longest path Linux takes.
const PATH_MAX_BYTES: usize = 4096;
/// The profile whose rules hold for a command of its own: Ctrl-C stops it, nothing reaps it.
const COMMAND_PROFILE: &str = "shell";

fn bad(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::BadMessage, message)
}

/// A name of a room or pane, without the space around it.
///
/// # Errors
///
/// `bad_message` for one that is empty, too long or holds control characters.
pub fn name(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    let most = usize::try_from(limits::NAME_MAX_CHARS).unwrap_or(0);
    if text.is_empty() || text.chars().count() > most || text.chars().any(char::is_control) {
        return Err(bad(format!("A name has 1 to {most} characters and no control characters.")));
    }
    Ok(text.to_owned())
}

/// Columns and rows to start at.
///
/// # Errors
///
/// `bad_message` out of range.
pub fn size(cols: Option<u16>, rows: Option<u16>) -> Result<(u16, u16), ApiError> {
    let (cols, rows) = (cols.unwrap_or(SIZE.0), rows.unwrap_or(SIZE.1));
    let fits = |n: u16, least: u64, most: u64| (least..=most).contains(&u64::from(n));
    if fits(cols, limits::COLS_MIN, limits::COLS_MAX)
        && fits(rows, limits::ROWS_MIN, limits::ROWS_MAX)
    {
        Ok((cols, rows))
    } else {
        Err(bad(format!(
            "A terminal has {} to {} columns and {} to {} rows.",
            limits::COLS_MIN,
            limits::COLS_MAX,
            limits::ROWS_MIN,
            limits::ROWS_MAX
        )))
    }
}

/// A place among the rooms.
///
/// # Errors
///
/// `bad_message` for one that no room can have.
pub fn slot(slot: i16) -> Result<i16, ApiError> {
    if (0..i16::from(ROOMS_MAX)).contains(&slot) {
        Ok(slot)
    } else {
        Err(bad(format!("A room's place is between 0 and {}.", ROOMS_MAX - 1)))
    }
}

/// What a pane is to run.
#[derive(Debug, PartialEq, Eq)]
pub struct Program {
    /// The profile.
    pub profile: String,
    /// The command, when it is not the profile's own.
    pub command: Option<String>,
    /// What the pane is called when nobody says.
    pub name: String,
}

/// What a new pane is to run: a profile or a command, and not both.
///
/// # Errors
///
/// `bad_message`.
pub fn program(new: &NewPane) -> Result<Program, ApiError> {
    let total: usize = new.args.iter().map(String::len).sum();
    if new.args.len() > ARGS_MAX.0 || total > ARGS_MAX.1 {
        return Err(bad("These are too many arguments."));
    }
    let texts = new.args.iter().chain(&new.command).chain(&new.profile);
    if texts.clone().any(|text| text.contains('\0')) {
        return Err(bad("No program can be given a NUL character."));
    }
    match (&new.profile, &new.command) {
        (Some(profile), None) if !profile.is_empty() => {
            Ok(Program { profile: profile.clone(), command: None, name: profile.clone() })
        }
        (None, Some(command)) if !command.is_empty() => Ok(Program {
            profile: COMMAND_PROFILE.to_owned(),
            command: Some(command.clone()),
            name: Path::new(command)
                .file_name()
                .map_or_else(|| command.clone(), |name| name.to_string_lossy().into_owned()),
        }),
        _ => Err(bad("A pane runs a profile or a command, and not both.")),
    }
}

/// A layout and the version it was made on. Both or neither.
///
/// # Errors
///
/// `bad_message` for half of it, or a tree that cannot be drawn.
pub fn layout(
    tree: Option<LayoutNode>,
    version: Option<i32>,
) -> Result<Option<(LayoutNode, i32)>, ApiError> {
    match (tree, version) {
        (None, None) => Ok(None),
        (Some(tree), Some(version)) => {
            let mut panes = BTreeSet::new();
            if drawable(&tree, &mut panes) {
                Ok(Some((tree, version)))
            } else {
                Err(bad(
                    "A layout names each pane once, at most 16; a split has at least two children \
                     and as many shares, each above 0.",
                ))
            }
        }
        _ => Err(bad("A layout comes with the version it was made on.")),
    }
}

/// Whether a tree can be drawn. With at least two children to a split, 16 panes bound its depth.
fn drawable(node: &LayoutNode, panes: &mut BTreeSet<PaneId>) -> bool {
    match node {
        LayoutNode::Pane { pane } => {
            let most = usize::try_from(limits::PANES_PER_ROOM).unwrap_or(0);
            panes.insert(*pane) && panes.len() <= most
        }
        LayoutNode::Split { shares, children, direction: _ } => {
            children.len() >= 2
                && shares.len() == children.len()
                && shares.iter().all(|share| share.is_finite() && *share > 0.0)
                && children.iter().all(|child| drawable(child, panes))
        }
    }
}

/// Where a pane may start: a folder inside a registered one, as it is really called. Without a
/// path: the first registered folder.
///
/// # Errors
///
/// `cwd_missing`, `cwd_outside`; `host_down`, since only the host can tell.
pub async fn folder(app: &App, path: Option<&str>) -> Result<String, ApiError> {
    let folders = app.store.folders().await?;
    let outside = || {
        ApiError::new(
            ErrorCode::CwdOutside,
            "Panes start inside registered folders only: `glasshouse folder add` registers one.",
        )
    };
    let Some(path) = path else {
        return folders.into_iter().next().map(|folder| folder.path).ok_or_else(outside);
    };
    let path = canonical(app, path).await?;
    if inside(&path, &folders) { Ok(path) } else { Err(outside()) }
}

/// What a folder on the host's machine is really called.
///
/// # Errors
///
/// `bad_message`, `cwd_missing`, `host_down`.
pub async fn canonical(app: &App, path: &str) -> Result<String, ApiError> {
    if !path.starts_with('/') || path.len() > PATH_MAX_BYTES || path.contains('\0') {
        return Err(bad("A folder is given by its absolute path."));
    }
    let asked = Request::Folder { path: path.to_owned() };
    let Reply::Folder { path } = app.hosts.client()?.request(asked).await? else {
        return Err(unexpected("folder"));
    };
    Ok(path)
}

/// Whether a canonical path lies in one of the folders. Whole names are compared: `/work` does
/// not hold `/workshop`.
fn inside(path: &str, folders: &[Folder]) -> bool {
    folders.iter().any(|folder| Path::new(path).starts_with(&folder.path))
}

#[cfg(test)]
mod tests {
    use wire::FolderId;
    use wire::http::SplitDirection;

    use super::*;

    fn pane(n: u8) -> LayoutNode {
        LayoutNode::Pane { pane: PaneId::from_random([n; 16]) }
    }

    fn split(shares: &[f64], children: Vec<LayoutNode>) -> LayoutNode {
        let direction = SplitDirection::Row;
        LayoutNode::Split { direction, shares: shares.to_vec(), children }
    }

    #[test]
    fn a_folder_does_not_hold_its_namesakes() {
        let folder = Folder { id: FolderId::from_random([1; 16]), path: "/work".to_owned() };
        let folders = [folder];
        assert!(inside("/work", &folders));
        assert!(inside("/work/a/b", &folders));
        for outside in ["/workshop", "/wor", "/", "/home/work"] {
            assert!(!inside(outside, &folders), "{outside}");
        }
    }

    #[test]
    fn only_trees_that_can_be_drawn_are_kept() {
        let good = split(&[1.0, 2.0], vec![pane(1), split(&[1.0, 1.0], vec![pane(2), pane(3)])]);
        assert!(layout(Some(good.clone()), Some(1)).unwrap().is_some());
        assert!(layout(Some(good), None).is_err());
        assert!(layout(None, Some(1)).is_err());
        for wrong in [
            split(&[1.0], vec![pane(1)]),
            split(&[1.0, 1.0], vec![pane(1), pane(1)]),
            split(&[1.0], vec![pane(1), pane(2)]),
            split(&[1.0, 0.0], vec![pane(1), pane(2)]),
            split(&[1.0, f64::NAN], vec![pane(1), pane(2)]),
            split(&[1.0; 17], (0..17).map(pane).collect()),
        ] {
            assert!(layout(Some(wrong), Some(1)).is_err());
        }
    }

    #[test]
    fn a_pane_runs_a_profile_or_a_command() {
        let of = |profile: Option<&str>, command: Option<&str>, args: &[&str]| {
            let own = |text: &&str| (*text).to_owned();
            program(&NewPane {
                profile: profile.as_ref().map(own),
                command: command.as_ref().map(own),
                args: args.iter().map(own).collect(),
                ..NewPane::default()
            })
        };
        assert_eq!(of(Some("claude"), None, &[]).unwrap().name, "claude");
        assert_eq!(of(None, Some("/usr/bin/htop"), &["-d", "5"]).unwrap().name, "htop");
        assert!(of(Some("claude"), Some("htop"), &[]).is_err());
        assert!(of(None, None, &[]).is_err());
        assert!(of(None, Some("a\0b"), &[]).is_err());
        assert!(of(None, Some("a"), &["x\0"]).is_err());
        assert!(of(None, Some("a"), &["x"; 257]).is_err());
    }

    #[test]
    fn names_sizes_and_slots_have_bounds() {
        assert_eq!((slot(0).unwrap(), slot(15).unwrap()), (0, 15));
        assert!(slot(-1).is_err() && slot(16).is_err());
        assert_eq!(name("  rust  ").unwrap(), "rust");
        for wrong in ["", "   ", "a\nb", "\u{1b}[2J", &"x".repeat(101)] {
            assert!(name(wrong).is_err());
        }
        assert_eq!(size(None, None).unwrap(), SIZE);
        assert_eq!(size(Some(400), Some(2)).unwrap(), (400, 2));
        for (cols, rows) in [(1, 32), (401, 32), (80, 1), (80, 201), (0, 0)] {
            assert!(size(Some(cols), Some(rows)).is_err());
        }
    }
}
