//! Starting a session: what is wrong is said before anything is started, by a typed code.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pane::lease::Lease;
use wire::host::{Reply, Spawn};
use wire::{ErrorBody, ErrorCode};

use crate::config::Home;
use crate::environment::{self, Variables, Wanted};
use crate::exec_child::{self, Plan};
use crate::host::Host;
use crate::profile::{self, Profile, Reap, Signals};
use crate::pty::{self, Size, StartError};
use crate::session::resize::clamp;
use crate::session::{self, Around, Command, Handle, Start};

/// Starts a session, or finds the one that was started under this id.
///
/// # Errors
///
/// A typed reason.
pub(crate) async fn spawn(host: &Arc<Host>, spawn: Spawn) -> Result<Reply, ErrorBody> {
    let session = spawn.session;
    let handle = host.registry.get_or_start(session, || start(host, spawn)).await?;
    let facts = handle.ask(Command::Facts).await.ok_or_else(|| session::gone(session))?;
    Ok(Reply::Session(Box::new(facts)))
}

async fn start(host: &Arc<Host>, spawn: Spawn) -> Result<Handle, ErrorBody> {
    let profile = host.profiles.get(&spawn.profile).ok_or_else(|| {
        ErrorBody::new(ErrorCode::NotFound, format!("there is no profile {}", spawn.profile))
    })?;
    let shell_env = host.env().await;
    let mark = format!("{}{}", host.mark_prefix(), spawn.session);
    let env = environment(host, profile, &spawn, shell_env, &mark)?;
    let (command, args) = command_line(profile, &spawn, shell_env);
    let plan = plan(host, profile, &spawn, &command, &args, &env)?;
    let size = clamp(Size { cols: spawn.cols, rows: spawn.rows, cell: spawn.cell });

    let children = Arc::clone(&host.children);
    let env: Vec<(OsString, OsString)> = env.into_iter().collect();
    let started = tokio::task::spawn_blocking(move || pty::start(&plan, &env, size, &children));
    let parts = started
        .await
        .map_err(|error| ErrorBody::new(ErrorCode::Internal, error.to_string()))?
        .map_err(|error| not_started(&error))?;
    let (pty, program) =
        parts.watch().map_err(|error| not_started(&StartError::Exhausted(error.to_string())))?;

    let lease = match spawn.after.and_then(|after| host.registry.get(after)) {
        Some(before) => before.ask(Command::HandOver).await.unwrap_or_else(Lease::new),
        None => Lease::new(),
    };
    let start = Start {
        profile: profile.name.clone(),
        command,
        args,
        cwd: spawn.cwd,
        size,
        theme: spawn.theme,
        record: spawn.record,
        resumable: !profile.resume.is_empty() && profile.reap == Reap::Idle,
        lease,
    };
    let (handle, commands) = Handle::new(spawn.session, mark.clone());
    let around = Around { children: Arc::clone(&host.children) };
    let run = session::run(around, handle.clone(), start, mark, pty, program, commands);
    host.registry.watch(handle.clone(), tokio::spawn(run));
    tracing::info!(session = %spawn.session, profile = profile.name, "a session has started");
    Ok(handle)
}

/// The command and its arguments, as asked for or as the profile says.
fn command_line(profile: &Profile, spawn: &Spawn, env: &Variables) -> (String, Vec<String>) {
    if let Some(command) = &spawn.command {
        return (command.clone(), spawn.args.clone());
    }
    let resumes = spawn.resume && !profile.resume.is_empty();
    let mut args = if resumes { profile.resume.clone() } else { profile.args.clone() };
    args.extend(spawn.args.iter().cloned());
    (profile.command(env), args)
}

fn environment(
    host: &Host,
    profile: &Profile,
    spawn: &Spawn,
    shell_env: &Variables,
    mark: &str,
) -> Result<Variables, ErrorBody> {
    let home = profile.home.unwrap_or(host.home);
    let own_home: Option<(PathBuf, PathBuf)> = match home {
        Home::Shared => None,
        Home::Isolated => Some(host.state_dir.home_of(&profile.name).map_err(|error| {
            ErrorBody::new(ErrorCode::SpawnFailed, format!("no home of its own: {error}"))
        })?),
    };
    let mut extra: Vec<(String, String)> = profile.env.clone().into_iter().collect();
    extra.extend(spawn.env.iter().cloned());
    let broken = |(name, value): &(String, String)| {
        name.is_empty() || name.contains(['=', '\0']) || value.contains('\0')
    };
    if extra.iter().any(broken) {
        return Err(ErrorBody::new(ErrorCode::BadMessage, "a variable is not one"));
    }
    let own_home = own_home.as_ref().map(|(home, temporary)| (home.as_path(), temporary.as_path()));
    Ok(environment::of_program(shell_env, &Wanted { home, own_home, extra: &extra, mark }))
}

fn plan(
    host: &Host,
    profile: &Profile,
    spawn: &Spawn,
    command: &str,
    args: &[String],
    env: &Variables,
) -> Result<Plan, ErrorBody> {
    let words = std::iter::once(command).chain(args.iter().map(String::as_str));
    if words.chain([spawn.cwd.as_str()]).any(|word| !exec_child::is_word(word.as_ref())) {
        return Err(ErrorBody::new(ErrorCode::BadMessage, "the command line holds a NUL"));
    }
    let cwd = Path::new(&spawn.cwd);
    if !cwd.is_absolute() || !cwd.is_dir() {
        let message = format!("there is no folder {}", cwd.display());
        return Err(ErrorBody::new(ErrorCode::CwdMissing, message));
    }
    let program = profile::find(command.as_ref(), cwd, env).ok_or_else(|| {
        let mut error =
            ErrorBody::new(ErrorCode::CommandMissing, format!("{command} was not found"));
        error.details.clone_from(&profile.install);
        error
    })?;
    Ok(Plan {
        program,
        name: command.into(),
        args: args.iter().map(OsString::from).collect(),
        cwd: cwd.to_owned(),
        interrupt_is_signal: profile.signals == Signals::Tty,
        // Homes of a profile's own are as private as our files.
        umask: match profile.home.unwrap_or(host.home) {
            Home::Isolated => 0o077,
            Home::Shared => host.inherited.umask,
        },
        nofile: host.inherited.nofile,
        detached: false,
    })
}

fn not_started(error: &StartError) -> ErrorBody {
    let code = match error {
        StartError::Exhausted(_) => ErrorCode::Exhausted,
        StartError::Failed(_) => ErrorCode::SpawnFailed,
    };
    ErrorBody::new(code, error.to_string())
}
