//! `cargo dev test`: everything that CI runs, in an order that finds cheap faults first.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use crate::postgres::Postgres;
use crate::shell::{self, cargo, command};
use crate::{check, clis, run, setup};

/// What `cargo dev test` takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also drive the real Claude Code, Codex and OpenCode (1 GB of packages).
    #[arg(long)]
    clis: bool,
    /// Only stages whose name contains one of these.
    stages: Vec<String>,
}

/// What the stages share.
struct Machine<'a> {
    root: &'a Path,
    postgres: Option<Postgres>,
    clis: bool,
}

type Stage = fn(&mut Machine<'_>) -> Result<()>;

const STAGES: &[(&str, Stage)] = &[
    ("set-up", set_up),
    ("format", format),
    ("rules", rules),
    ("page", page),
    ("lints", lints),
    ("build", build),
    ("units", units),
    ("docs", docs),
    ("promises", promises),
    ("browser", browser),
];

/// Runs the stages; fails at the end if any failed.
pub(crate) fn run(root: &Path, args: &Args) -> Result<()> {
    let mut machine = Machine { root, postgres: None, clis: args.clis };
    let start = Instant::now();
    let wanted = |name: &str| {
        args.stages.is_empty() || args.stages.iter().any(|part| name.contains(part.as_str()))
    };
    let mut failed = Vec::new();
    let mut passed = 0;
    for (name, stage) in STAGES.iter().filter(|(name, _)| wanted(name)) {
        let since = Instant::now();
        eprintln!("── {name}");
        match stage(&mut machine) {
            Ok(()) => {
                passed += 1;
                eprintln!("── {name}: ok, {} s", since.elapsed().as_secs());
            }
            Err(error) => {
                eprintln!("── {name}: FAILED: {error:#}");
                failed.push(*name);
                // Without what these make, everything after fails for the same reason.
                if matches!(*name, "set-up" | "build") {
                    break;
                }
            }
        }
    }
    println!("stages, {} s:", start.elapsed().as_secs());
    println!("{passed} passed, {} failed", failed.len());
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

fn set_up(machine: &mut Machine<'_>) -> Result<()> {
    setup::c_compiler()?;
    setup::npm(&machine.root.join("web"))?;
    setup::npm(&machine.root.join("tests/browser"))?;
    setup::chromium()?;
    setup::postgres()?;
    Ok(())
}

fn format(machine: &mut Machine<'_>) -> Result<()> {
    shell::run(&mut cargo(machine.root, &["fmt", "--all", "--check"]))
}

fn rules(machine: &mut Machine<'_>) -> Result<()> {
    check::run(machine.root)
}

fn page(machine: &mut Machine<'_>) -> Result<()> {
    let web = machine.root.join("web");
    for script in ["check", "test", "build"] {
        shell::run(&mut command(&web, "npm", &["run", "--silent", script]))?;
    }
    Ok(())
}

fn lints(machine: &mut Machine<'_>) -> Result<()> {
    let clippy = ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];
    shell::run(&mut cargo(machine.root, &clippy))
}

fn build(machine: &mut Machine<'_>) -> Result<()> {
    // A test runner does not build the programs that the promises start.
    shell::run(&mut cargo(machine.root, &["build", "--quiet", "--workspace", "--bins"]))?;
    shell::run(&mut test_command(machine.root, &["--workspace", "--no-run"], false))
}

fn units(machine: &mut Machine<'_>) -> Result<()> {
    let url = postgres_url(machine)?;
    let mut tests = test_command(machine.root, &["--workspace", "--exclude", "e2e"], true);
    shell::run(tests.env("GLASSHOUSE_TEST_POSTGRES_URL", url))
}

fn docs(machine: &mut Machine<'_>) -> Result<()> {
    let doc = ["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"];
    shell::run(cargo(machine.root, &doc).env("RUSTDOCFLAGS", "-D warnings"))
}

fn promises(machine: &mut Machine<'_>) -> Result<()> {
    let mut tests = test_command(machine.root, &["--package", "e2e"], true);
    programs(machine, &mut tests)?;
    shell::run(&mut tests)
}

fn browser(machine: &mut Machine<'_>) -> Result<()> {
    let folder = machine.root.join("tests/browser");
    setup::npm(&folder)?;
    let mut tests = command(&folder, "npm", &["test", "--silent"]);
    programs(machine, &mut tests)?;
    tests.env("GLASSHOUSE_CHROMIUM", setup::chromium()?);
    shell::run(&mut tests)
}

/// Tells a test run which programs to start, which database to use, and where the CLIs are.
fn programs(machine: &mut Machine<'_>, tests: &mut Command) -> Result<()> {
    let folder = run::target(machine.root)?.join("debug");
    tests.env("GLASSHOUSE_BIN", folder.join("glasshouse"));
    tests.env("GLASSHOUSE_TEST_POSTGRES_URL", postgres_url(machine)?);
    if machine.clis {
        tests.env("GLASSHOUSE_CLIS", clis::install(machine.root)?);
    }
    Ok(())
}

fn postgres_url(machine: &mut Machine<'_>) -> Result<String> {
    if machine.postgres.is_none() {
        machine.postgres = Some(Postgres::start().context("cannot start PostgreSQL")?);
    }
    Ok(machine.postgres.as_ref().map(Postgres::url).unwrap_or_default())
}

/// nextest where it is installed, else `cargo test`; every test passes under both.
fn test_command(root: &Path, args: &[&str], run: bool) -> Command {
    let nextest = shell::has("cargo-nextest");
    let mut words: Vec<&str> = if nextest { vec!["nextest", "run"] } else { vec!["test"] };
    words.extend(args);
    if run && nextest {
        // Passing tests are counted, not listed.
        words.extend(["--status-level", "slow", "--final-status-level", "fail"]);
    }
    cargo(root, &words)
}
