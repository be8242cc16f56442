//! The crate by hand: `vt snapshot|text|replies [--cols C --rows R --scrollback N]` read a stream
//! from stdin, `--resize CxR` resizes at its end and `--resize CxR@N` after N bytes; `vt bench FILE…` times files; `vt provider` prints the width provider
//! for xterm.js.

use std::error::Error;
use std::io::{Read as _, Write as _, stdin, stdout};
use std::time::{Duration, Instant};

use vt::{Options, Scope, Size, Terminal, TextScope};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, args) = args.split_first().ok_or("which command?")?;
    let flags = Flags::parse(args)?;
    let mut out = stdout().lock();
    match command.as_str() {
        "snapshot" => out.write_all(&terminal(&flags)?.snapshot(flags.scope).bytes)?,
        "text" => out.write_all(terminal(&flags)?.text(TextScope::Full).as_bytes())?,
        "replies" => {
            let mut terminal = terminal(&flags)?;
            while let Some(reply) = terminal.poll_reply() {
                out.write_all(&reply)?;
            }
        }
        "bench" => bench(&flags, &mut out)?,
        "provider" => out.write_all(provider().as_bytes())?,
        other => return Err(format!("no command {other}").into()),
    }
    Ok(())
}

struct Flags {
    size: Size,
    /// Sizes to take, and after how many bytes.
    resizes: Vec<(Size, Option<usize>)>,
    scrollback: usize,
    scope: Scope,
    files: Vec<String>,
}

impl Flags {
    fn parse(args: &[String]) -> Result<Self> {
        let mut flags = Self {
            size: Size { cols: 120, rows: 32 },
            resizes: Vec::new(),
            scrollback: 2000,
            scope: Scope::Full,
            files: Vec::new(),
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--cols" => flags.size.cols = value()?.parse()?,
                "--rows" => flags.size.rows = value()?.parse()?,
                "--scrollback" => flags.scrollback = value()?.parse()?,
                "--screen" => flags.scope = Scope::Screen,
                "--resize" => {
                    let value = value()?;
                    let (size, at) = match value.split_once('@') {
                        Some((size, at)) => (size, Some(at.parse()?)),
                        None => (value.as_str(), None),
                    };
                    let (cols, rows) = size.split_once('x').ok_or("a size is CxR")?;
                    let size = Size { cols: cols.parse()?, rows: rows.parse()? };
                    flags.resizes.push((size, at));
                }
                file => flags.files.push(file.to_owned()),
            }
        }
        Ok(flags)
    }
}

fn terminal(flags: &Flags) -> Result<Terminal> {
    let mut stream = Vec::new();
    stdin().read_to_end(&mut stream)?;
    let mut terminal = new(flags);
    let mut done = 0;
    for &(size, at) in &flags.resizes {
        let at = at.unwrap_or(stream.len()).min(stream.len());
        terminal.feed(stream.get(done..at).ok_or("resizes must be in order")?);
        terminal.resize(size);
        done = at;
    }
    terminal.feed(&stream[done..]);
    Ok(terminal)
}

fn new(flags: &Flags) -> Terminal {
    Terminal::new(flags.size, Options { scrollback_lines: flags.scrollback })
}

fn bench(flags: &Flags, out: &mut impl std::io::Write) -> Result {
    for file in &flags.files {
        let stream = std::fs::read(file)?;
        // The best of several rounds, piece by piece: a busy machine disturbs a piece, not all.
        let pieces: Vec<&[u8]> = stream.chunks(64 * 1024).collect();
        let mut best = vec![Duration::MAX; pieces.len()];
        let mut terminal = new(flags);
        for _ in 0..9 {
            terminal = new(flags);
            for (piece, best) in pieces.iter().zip(&mut best) {
                let start = Instant::now();
                terminal.feed(piece);
                *best = start.elapsed().min(*best);
            }
        }
        let best: Duration = best.iter().sum();
        let start = Instant::now();
        let snapshot = terminal.snapshot(Scope::Full);
        let took = start.elapsed();
        let rate = f64::from(u32::try_from(stream.len())?) / best.as_secs_f64() / 1e6;
        writeln!(
            out,
            "{rate:8.0} MB/s  {:8} B heap  snapshot {:8} B in {:.2} ms  {file}",
            terminal.heap_bytes(),
            snapshot.bytes.len(),
            took.as_secs_f64() * 1e3,
        )?;
    }
    Ok(())
}

fn provider() -> String {
    let table = vt::width::table();
    let runs: Vec<String> =
        table.runs.iter().map(|(from, class)| format!("{from},{class}")).collect();
    let steps: Vec<String> = table.steps.iter().map(u8::to_string).collect();
    format!(
        "const runs = [{}];\nconst steps = [{}];\nconst classes = {};\n\
         const table = new Uint8Array(0x110000);\n\
         for (let i = 0; i < runs.length; i += 2)\n  \
         table.fill(runs[i + 1], runs[i], runs[i + 2] ?? 0x110000);\n\
         export default {{\n  version: 'glasshouse',\n  \
         wcwidth(code) {{ return (steps[table[code]] >> 1) & 3; }},\n  \
         charProperties(code, preceding) {{\n    \
         return steps[(preceding >> 3) * classes + table[code]];\n  }},\n}};\n",
        runs.join(","),
        steps.join(","),
        table.classes,
    )
}
