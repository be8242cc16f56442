//! What programs find in their environment.
//!
//! A person's own: what their login shell sets up, asked once per host start, from an almost empty
//! environment, so that nothing leaks in from whoever happened to start the host. Nothing of ours
//! ever gets through: no token, no database address.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::config::Home;
use crate::exec_child::Plan;
use crate::helper;
use crate::procs::{self, Children};

/// Name and value, in order of name.
pub(crate) type Variables = BTreeMap<OsString, OsString>;

/// How long the login shell may take.
const SHELL_TIMEOUT: Duration = Duration::from_secs(5);
/// Most bytes of `/etc/passwd` that are looked at.
const PASSWD_MAX_BYTES: u64 = 4 * 1024 * 1024;
/// What stands before the variables: a greeting of the shell's own comes first.
const BEGIN: &str = "glasshouse-environment";

/// What the login shell is started with.
const SEED: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "PATH",
    "SSH_AUTH_SOCK",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
];
/// What an isolated program gets of it.
const ISOLATED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "SSH_AUTH_SOCK",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
];
/// Families of the same.
const ISOLATED_PREFIXES: &[&str] = &["LC_", "XDG_"];
/// What would be wrong in a pane: ours, the service manager's, and what the shell noted about
/// itself.
const NEVER: &[&str] = &[
    "DATABASE_URL",
    "PGPASSWORD",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
    "TERM",
    "TERM_PROGRAM",
    "TERMCAP",
    "TERM_PROGRAM_VERSION",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "WINDOW",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "NOTIFY_SOCKET",
    "LISTEN_FDS",
    "LISTEN_PID",
    "LISTEN_FDNAMES",
];
/// Families of the same.
const NEVER_PREFIXES: &[&str] = &["GLASSHOUSE_", "BASH_FUNC_glasshouse"];

/// Asks the login shell, or makes do with what this host was started with.
pub(crate) async fn of_login_shell(children: &Arc<Children>) -> Variables {
    let own: Variables = std::env::vars_os().collect();
    let seed = seed(&own, &account());
    let answer = helper::output(&login_shell(&seed), &seed, SHELL_TIMEOUT, children).await;
    match answer.map(|printed| parse(&printed)) {
        Ok(Some(answer)) => complete(answer, &own),
        Ok(None) => fall_back(seed, &"it printed no environment"),
        Err(error) => fall_back(seed, &error),
    }
}

fn fall_back(seed: Variables, why: &dyn std::fmt::Display) -> Variables {
    tracing::warn!(%why, "the login shell did not tell its environment: panes get a plain one");
    seed
}

/// `$SHELL -ilc ...`
fn login_shell(seed: &Variables) -> Plan {
    let shell = seed.get(OsStr::new("SHELL")).map_or("/bin/sh".into(), PathBuf::from);
    let script = format!("printf '\\0{BEGIN}\\0'; env -0");
    Plan {
        name: shell.file_name().unwrap_or(shell.as_os_str()).to_owned(),
        program: shell,
        args: vec!["-ilc".into(), script.into()],
        cwd: "/".into(),
        interrupt_is_signal: true,
        umask: 0o22,
        nofile: None,
        detached: true,
    }
}

fn parse(printed: &[u8]) -> Option<Variables> {
    let mut entries = printed.split(|&byte| byte == 0);
    entries.find(|entry| *entry == BEGIN.as_bytes())?;
    Some(
        entries
            .filter_map(|entry| {
                let equals = entry.iter().position(|&byte| byte == b'=').filter(|&at| at > 0)?;
                let (name, value) = entry.split_at(equals);
                let value = value.get(1..).unwrap_or_default();
                Some((OsString::from_vec(name.to_vec()), OsString::from_vec(value.to_vec())))
            })
            .collect(),
    )
}

/// The shell's answer, with the directories of our own PATH after its own: an image that sets PATH
/// for its CLIs means it, whatever `/etc/profile` says.
fn complete(mut answer: Variables, own: &Variables) -> Variables {
    let path = OsStr::new("PATH");
    let parts = |variables: &Variables| {
        let value = variables.get(path).cloned().unwrap_or_default();
        std::env::split_paths(&value).collect::<Vec<_>>()
    };
    let mut paths = parts(&answer);
    for part in parts(own) {
        if !paths.contains(&part) {
            paths.push(part);
        }
    }
    if let Ok(joined) = std::env::join_paths(paths) {
        answer.insert(path.to_owned(), joined);
    }
    answer
}

/// Home and shell as the system knows them.
struct Account {
    name: OsString,
    home: OsString,
    shell: OsString,
}

fn account() -> Account {
    let uid = crate::runtime::own_uid().to_string();
    let mut text = Vec::new();
    if let Ok(file) = File::open("/etc/passwd") {
        // A file that cannot be read leaves the defaults below.
        drop(file.take(PASSWD_MAX_BYTES).read_to_end(&mut text));
    }
    let found = text.split(|&byte| byte == b'\n').find_map(|line| {
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b':').collect();
        match fields.as_slice() {
            [name, _, id, _, _, home, shell, ..] if *id == uid.as_bytes() => {
                Some([*name, *home, *shell].map(|field| OsStr::from_bytes(field).to_owned()))
            }
            _ => None,
        }
    });
    let [name, home, shell] = found.unwrap_or_else(|| [uid.into(), "/".into(), "/bin/sh".into()]);
    let shell = if shell.is_empty() { "/bin/sh".into() } else { shell };
    Account { name, home, shell }
}

fn seed(own: &Variables, account: &Account) -> Variables {
    let mut seed: Variables = own
        .iter()
        .filter(|(name, _)| {
            let name = name.as_bytes();
            SEED.iter().any(|kept| kept.as_bytes() == name) || name.starts_with(b"LC_")
        })
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let defaults = [
        ("USER", &account.name),
        ("LOGNAME", &account.name),
        ("HOME", &account.home),
        ("SHELL", &account.shell),
    ];
    for (name, value) in defaults {
        seed.entry(name.into()).or_insert_with(|| value.clone());
    }
    seed
}

/// What one program gets.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    /// Whose home.
    pub(crate) home: Home,
    /// For `isolated`: its home and its folder for temporary files.
    pub(crate) own_home: Option<(&'a Path, &'a Path)>,
    /// What its profile sets, then what the request sets.
    pub(crate) extra: &'a [(String, String)],
    /// The mark of its session.
    pub(crate) mark: &'a str,
}

/// The environment of one program.
pub(crate) fn of_program(shell: &Variables, wanted: &Wanted<'_>) -> Variables {
    let mut variables: Variables = shell
        .iter()
        .filter(|(name, _)| is_allowed(name, wanted.home))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if let Some((home, temporary)) = wanted.own_home {
        variables.retain(|name, _| !name.as_bytes().starts_with(b"XDG_"));
        variables.insert("HOME".into(), home.into());
        variables.insert("TMPDIR".into(), temporary.into());
    }
    variables.insert("TERM".into(), "xterm-256color".into());
    variables.insert("COLORTERM".into(), "truecolor".into());
    for (name, value) in wanted.extra {
        if !is_ours(OsStr::new(name)) {
            variables.insert(name.into(), value.into());
        }
    }
    variables.insert(procs::MARK.into(), wanted.mark.into());
    variables
}

fn is_allowed(name: &OsStr, home: Home) -> bool {
    let bytes = name.as_bytes();
    let listed = |names: &[&str], prefixes: &[&str]| {
        names.iter().any(|listed| listed.as_bytes() == bytes)
            || prefixes.iter().any(|prefix| bytes.starts_with(prefix.as_bytes()))
    };
    match home {
        Home::Shared => !listed(NEVER, NEVER_PREFIXES),
        Home::Isolated => listed(ISOLATED, ISOLATED_PREFIXES),
    }
}

fn is_ours(name: &OsStr) -> bool {
    NEVER_PREFIXES.iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(entries: &[(&str, &str)]) -> Variables {
        entries.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    fn get<'a>(variables: &'a Variables, name: &str) -> Option<&'a OsStr> {
        variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    #[test]
    fn a_greeting_before_the_variables_is_passed_over() {
        let printed = b"Welcome!\nA=not this\0glasshouse-environment\0A=1\0B=x=y\nz\0=odd\0";
        assert_eq!(parse(printed), Some(variables(&[("A", "1"), ("B", "x=y\nz")])));
        assert_eq!(parse(b"A=1\0"), None);
    }

    #[test]
    fn nothing_of_ours_gets_into_a_pane() {
        let shell = variables(&[
            ("GLASSHOUSE_TOKEN", "t"),
            ("DATABASE_URL", "d"),
            ("NOTIFY_SOCKET", "n"),
            ("EDITOR", "vim"),
            ("LC_ALL", "C"),
        ]);
        let extra = [("GLASSHOUSE_SESSION".to_owned(), "forged".to_owned())];
        let mut wanted =
            Wanted { home: Home::Shared, own_home: None, extra: &extra, mark: "run/1" };
        let shared = of_program(&shell, &wanted);
        let names: Vec<_> = shared.keys().map(|name| name.to_str().unwrap()).collect();
        assert_eq!(names, ["COLORTERM", "EDITOR", "GLASSHOUSE_SESSION", "LC_ALL", "TERM"]);
        assert_eq!(get(&shared, "GLASSHOUSE_SESSION").unwrap(), "run/1");

        wanted.home = Home::Isolated;
        wanted.own_home = Some((Path::new("/h"), Path::new("/h/.tmp")));
        let isolated = of_program(&shell, &wanted);
        assert_eq!(
            (get(&isolated, "EDITOR"), get(&isolated, "HOME").unwrap()),
            (None, "/h".as_ref())
        );
    }

    #[test]
    fn our_path_comes_after_the_shells() {
        let path = |value| variables(&[("PATH", value)]);
        let complete = complete(path("/usr/bin:/bin"), &path("/opt/clis:/bin"));
        assert_eq!(get(&complete, "PATH").unwrap(), "/usr/bin:/bin:/opt/clis");
    }

    #[test]
    fn the_shell_starts_from_little() {
        let own = variables(&[("SECRET", "x"), ("HOME", "/home/ana"), ("LC_TIME", "C")]);
        let account = Account { name: "ana".into(), home: "/".into(), shell: "/bin/zsh".into() };
        let seed = seed(&own, &account);
        assert_eq!(get(&seed, "SECRET"), None);
        assert_eq!(get(&seed, "HOME").unwrap(), "/home/ana");
        assert_eq!(get(&seed, "SHELL").unwrap(), "/bin/zsh");
    }
}
