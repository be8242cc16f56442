//! The CLIs we know, as their own documentation describes them.

use super::{Profile, Reap, Signals};

/// What one is made of: name, title, command, resume arguments, environment, how to install it.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
    &'static str,
);

const CLIS: &[Row] = &[
    (
        "claude",
        "Claude Code",
        "claude",
        &["--continue"],
        &[("DISABLE_AUTOUPDATER", "1")],
        "npm install -g @anthropic-ai/claude-code",
    ),
    ("codex", "Codex", "codex", &["resume", "--last"], &[], "npm install -g @openai/codex"),
    (
        "opencode",
        "OpenCode",
        "opencode",
        &["--continue"],
        &[("OPENCODE_DISABLE_AUTOUPDATE", "1")],
        "npm install -g opencode-ai",
    ),
    (
        "gemini",
        "Gemini CLI",
        "gemini",
        &["--resume", "latest"],
        &[],
        "npm install -g @google/gemini-cli",
    ),
    ("qwen", "Qwen Code", "qwen", &["--continue"], &[], "npm install -g @qwen-code/qwen-code"),
    (
        "aider",
        "Aider",
        "aider",
        &["--restore-chat-history"],
        &[("AIDER_CHECK_UPDATE", "false")],
        "pipx install aider-chat",
    ),
    (
        "goose",
        "Goose",
        "goose",
        &["session", "--resume"],
        &[],
        "https://block.github.io/goose/docs/getting-started/installation",
    ),
    ("crush", "Crush", "crush", &[], &[], "npm install -g @charmland/crush"),
    (
        "amp",
        "Amp",
        "amp",
        &["threads", "continue", "--last"],
        &[],
        "npm install -g @sourcegraph/amp",
    ),
    ("cursor-agent", "Cursor Agent", "cursor-agent", &["resume"], &[], "https://cursor.com/cli"),
    (
        "copilot",
        "GitHub Copilot CLI",
        "copilot",
        &["--continue"],
        &[],
        "npm install -g @github/copilot",
    ),
];

/// All of them, and the shell.
pub(super) fn profiles() -> Vec<Profile> {
    let mut profiles: Vec<Profile> = CLIS.iter().map(profile).collect();
    profiles.push(Profile {
        signals: Signals::Tty,
        reap: Reap::Never,
        install: None,
        version: Vec::new(),
        shell: true,
        ..profile(&("shell", "Shell", "", &[], &[], ""))
    });
    profiles
}

fn profile((name, title, command, resume, env, install): &Row) -> Profile {
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let env = env.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    Profile {
        name: (*name).to_owned(),
        title: (*title).to_owned(),
        command: (*command).to_owned(),
        // Goose alone starts its conversation by a verb.
        args: if *name == "goose" { owned(&["session"]) } else { Vec::new() },
        resume: owned(resume),
        env: env.collect(),
        home: None,
        signals: Signals::Byte,
        reap: Reap::Idle,
        install: Some((*install).to_owned()),
        version: owned(&["--version"]),
        shell: false,
    }
}
