//! Which version of a CLI is installed, asked in the background.
//!
//! Asking starts the CLI, which may take seconds and must not fail anybody: who asks for profiles
//! is told what is known by then. A path is asked once; one that is slow or odd has no version.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::environment::Variables;
use crate::exec_child::Plan;
use crate::helper;
use crate::procs::Children;

/// How long one CLI may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Versions by path. A cheap clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions {
    known: Arc<Mutex<HashMap<PathBuf, Option<String>>>>,
}

impl Versions {
    /// The version, when it is known.
    pub(crate) fn get(&self, path: &Path) -> Option<String> {
        self.lock().get(path).cloned().flatten()
    }

    /// Notes that a path is asked; false when it was before.
    fn begin(&self, path: &Path) -> bool {
        let mut known = self.lock();
        if known.contains_key(path) {
            return false;
        }
        known.insert(path.to_owned(), None);
        true
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Option<String>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks those that were never asked, one after the other.
    pub(crate) async fn ask(
        self,
        asked: Vec<(String, PathBuf, Vec<String>)>,
        env: Variables,
        children: Arc<Children>,
    ) {
        for (name, path, args) in asked {
            if !self.begin(&path) {
                continue;
            }
            let plan = Plan {
                name: path.clone().into(),
                program: path.clone(),
                args: args.into_iter().map(OsString::from).collect(),
                cwd: "/".into(),
                interrupt_is_signal: true,
                umask: 0o22,
                nofile: None,
                detached: true,
            };
            match helper::output(&plan, &env, TIMEOUT, &children).await {
                Ok(printed) => {
                    let version = version(&String::from_utf8_lossy(&printed));
                    self.lock().insert(path, version);
                }
                Err(error) => tracing::debug!(name, %error, "no version"),
            }
        }
    }
}

/// The first word that looks like a version.
fn version(printed: &str) -> Option<String> {
    let words = printed.split(|char: char| char.is_whitespace() || matches!(char, '(' | ')' | ','));
    words
        .map(|word| word.strip_prefix('v').unwrap_or(word))
        .find(|word| word.starts_with(|char: char| char.is_ascii_digit()) && word.contains('.'))
        .filter(|word| {
            word.chars().all(|char| char.is_ascii_alphanumeric() || ".-+".contains(char))
        })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_in_what_clis_print() {
        assert_eq!(version("2.1.3 (Claude Code)\n").as_deref(), Some("2.1.3"));
        assert_eq!(version("codex-cli 0.63.0\n").as_deref(), Some("0.63.0"));
        assert_eq!(version("aider v0.86.1-dev").as_deref(), Some("0.86.1-dev"));
        assert_eq!(version("error: 404 not found"), None);
        assert_eq!(version("see http://x.y 3.1\x1b[0m"), None);
    }
}
