//! What can be run: the CLIs we know, the shell, and what the user adds.
//!
//! A profile says how a program is started and treated, never that it is there: that is looked up
//! on the machine, each time somebody asks.

mod known;
mod versions;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::Home;
use crate::environment::Variables;

pub(crate) use versions::Versions;

/// How one program is started and treated.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    /// Its name, such as `claude`.
    pub(crate) name: String,
    /// Its name for people.
    #[serde(default)]
    pub(crate) title: String,
    /// The command; empty: the login shell.
    #[serde(default)]
    pub(crate) command: String,
    /// Arguments of every start.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Arguments that continue its last conversation; empty: it cannot.
    #[serde(default)]
    pub(crate) resume: Vec<String>,
    /// Variables it needs, such as one that turns its auto-update off.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// Whose home it sees; unsaid: as the host was told.
    #[serde(default)]
    pub(crate) home: Option<Home>,
    /// What Ctrl-C is to it.
    #[serde(default)]
    pub(crate) signals: Signals,
    /// Whether it may be ended when nobody has needed it for long. Only one that can resume is.
    #[serde(default)]
    pub(crate) reap: Reap,
    /// How to get it.
    #[serde(default)]
    pub(crate) install: Option<String>,
    /// Arguments that make it print its version at once and do nothing else.
    #[serde(default)]
    pub(crate) version: Vec<String>,
    /// Whether it is a plain shell.
    #[serde(default)]
    pub(crate) shell: bool,
}

/// What Ctrl-C is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Signals {
    /// The byte 0x03: for CLIs, which would else lose their whole tree.
    #[default]
    Byte,
    /// A signal from the terminal: for shells.
    Tty,
}

/// Whether an idle session is ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reap {
    /// After half an hour, if it can resume.
    #[default]
    Idle,
    /// Never.
    Never,
}

/// The user's file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    profile: Vec<Profile>,
}

/// All profiles, in the order in which they are offered.
#[derive(Debug)]
pub(crate) struct Profiles {
    profiles: Vec<Profile>,
}

impl Profiles {
    /// The known ones, with those of the user's file in their place or after them.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or does not parse.
    pub(crate) fn load(file: Option<&Path>) -> anyhow::Result<Self> {
        let mut profiles = known::profiles();
        let Some(path) = file else { return Ok(Self { profiles }) };
        let text = std::fs::read_to_string(path)?;
        let own: File = toml::from_str(&text)?;
        for mut profile in own.profile {
            if profile.title.is_empty() {
                profile.title.clone_from(&profile.name);
            }
            match profiles.iter_mut().find(|known| known.name == profile.name) {
                Some(known) => *known = profile,
                None => profiles.push(profile),
            }
        }
        Ok(Self { profiles })
    }

    /// One by its name.
    pub(crate) fn get(&self, name: &str) -> Option<&Profile> {
        self.profiles.iter().find(|profile| profile.name == name)
    }

    /// What is offered, found ones first.
    pub(crate) fn list(&self, env: &Variables, versions: &Versions) -> Vec<wire::http::Profile> {
        let mut list: Vec<wire::http::Profile> =
            self.profiles.iter().map(|profile| profile.offer(env, versions)).collect();
        list.sort_by_key(|profile| !profile.found);
        list
    }

    /// Those that are here and tell their version, with where they are and how to ask.
    pub(crate) fn versioned(&self, env: &Variables) -> Vec<(String, PathBuf, Vec<String>)> {
        let asked = self.profiles.iter().filter(|profile| !profile.version.is_empty());
        asked
            .filter_map(|profile| {
                let path = profile.find(env)?;
                Some((profile.name.clone(), path, profile.version.clone()))
            })
            .collect()
    }
}

impl Profile {
    /// Its command; the login shell's for a shell without one.
    pub(crate) fn command(&self, env: &Variables) -> String {
        if !self.command.is_empty() {
            return self.command.clone();
        }
        let shell = env.get(OsStr::new("SHELL")).and_then(|shell| shell.to_str());
        shell.unwrap_or("/bin/sh").to_owned()
    }

    fn find(&self, env: &Variables) -> Option<PathBuf> {
        find(OsStr::new(&self.command(env)), Path::new("/"), env)
    }

    fn offer(&self, env: &Variables, versions: &Versions) -> wire::http::Profile {
        let path = self.find(env);
        wire::http::Profile {
            name: self.name.clone(),
            title: self.title.clone(),
            found: path.is_some(),
            version: path.as_deref().and_then(|path| versions.get(path)),
            path: path.map(|path| path.to_string_lossy().into_owned()),
            signed_in: None,
            install: self.install.clone(),
            resumes: !self.resume.is_empty(),
            shell: self.shell,
        }
    }
}

/// The executable that a command means, as a shell with this PATH, in this folder, finds it.
pub(crate) fn find(command: &OsStr, cwd: &Path, env: &Variables) -> Option<PathBuf> {
    if command.is_empty() {
        return None;
    }
    if command.as_bytes().contains(&b'/') {
        return Some(cwd.join(command)).filter(|path| is_executable(path));
    }
    let path = env.get(OsStr::new("PATH"))?;
    std::env::split_paths(path)
        // A relative entry means the folder the program starts in, as it does to a shell.
        .map(|directory| cwd.join(directory).join(command))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_found_as_a_shell_finds_it() {
        let env: Variables = [("PATH".into(), "/nowhere:/bin:/usr/bin".into())].into();
        let sh = find("sh".as_ref(), Path::new("/"), &env).unwrap();
        assert!(sh.ends_with("sh") && sh.is_absolute());
        assert_eq!(find("./sh".as_ref(), Path::new("/bin"), &env), Some("/bin/./sh".into()));
        assert_eq!(find("sh/".as_ref(), Path::new("/bin"), &env), None);
        assert_eq!(find("no-such-command".as_ref(), Path::new("/"), &env), None);
        assert_eq!(find("/etc/passwd".as_ref(), Path::new("/"), &env), None, "not executable");
        assert_eq!(find("".as_ref(), Path::new("/bin"), &env), None);
    }

    #[test]
    fn the_users_file_adds_and_replaces() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("profiles.toml");
        std::fs::write(
            &file,
            "[[profile]]\nname = \"claude\"\ncommand = \"/opt/claude\"\nreap = \"never\"\n\
             [[profile]]\nname = \"mine\"\ncommand = \"mine\"\nsignals = \"tty\"\n",
        )
        .unwrap();
        let profiles = Profiles::load(Some(&file)).unwrap();
        assert_eq!(profiles.get("claude").unwrap().command, "/opt/claude");
        let mine = profiles.get("mine").unwrap();
        assert_eq!((mine.title.as_str(), mine.signals), ("mine", Signals::Tty));
        std::fs::write(&file, "[[profile]]\nname = \"x\"\ncolour = 3\n").unwrap();
        assert!(Profiles::load(Some(&file)).is_err());
    }

    #[test]
    fn only_the_shell_keeps_signals_and_every_name_is_there_once() {
        let known = known::profiles();
        for profile in &known {
            assert_eq!(profile.signals == Signals::Tty, profile.shell, "{}", profile.name);
            assert_eq!(known.iter().filter(|other| other.name == profile.name).count(), 1);
        }
        assert_eq!(known.len(), 12);
    }

    #[test]
    fn found_ones_are_offered_first() {
        let env: Variables =
            [("PATH".into(), "/nowhere".into()), ("SHELL".into(), "/bin/sh".into())].into();
        let list = Profiles::load(None).unwrap().list(&env, &Versions::default());
        assert_eq!((list[0].name.as_str(), list[0].found, list[0].shell), ("shell", true, true));
        assert!(list[1..].iter().all(|profile| !profile.found && profile.install.is_some()));
    }
}
