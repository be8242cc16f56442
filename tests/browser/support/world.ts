/**
 * One Glasshouse of its own: a folder, a core that can be killed and started again, a host that
 * outlives it.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

/** What every step of a test may take. */
export const WITHIN_MS = 20_000;

export class World {
  readonly folder: string;
  /** Where panes start. */
  readonly home: string;
  #core: ChildProcess | undefined;
  #port = 0;
  /** The sign-in link that the last start printed, if it did. */
  signInUrl: string | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.home = join(folder, "home");
  }

  /** A folder with a home in it; `furnish` may put files there before anything starts. */
  static async start(furnish: (home: string) => Promise<void> = async () => {}): Promise<World> {
    const world = new World(await mkdtemp(join(tmpdir(), "glasshouse-browser-")));
    await mkdir(world.home);
    await furnish(world.home);
    await world.startCore();
    return world;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts a core, on the port of the last one, and waits until it listens. */
  async startCore(): Promise<void> {
    const { PATH = "" } = process.env;
    const core = spawn(
      program(),
      ["serve", "--listen", `127.0.0.1:${this.#port}`, "--data", join(this.folder, "data")],
      {
        cwd: this.home,
        env: {
          HOME: this.home,
          PATH,
          SHELL: "/bin/bash",
          LANG: "C.UTF-8",
          RUST_LOG: "info",
          PS1: "\\W $ ",
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#core = core;
    core.stderr.pipe(createWriteStream(join(this.folder, "log"), { flags: "a" }));
    const ended = new Promise<never>((_, fail) => {
      core.once("exit", () => fail(new Error(`the core ended; see ${this.folder}/log`)));
    });
    ended.catch(() => {});
    await within("the core listens", Promise.race([this.#listening(core), ended]));
  }

  /** Ends the core as a crash would. */
  async killCore(): Promise<void> {
    const core = this.#core;
    if (core === undefined) return;
    const ended = new Promise((done) => core.once("exit", done));
    core.kill("SIGKILL");
    await within("the core's end", ended);
    this.#core = undefined;
  }

  async stop(): Promise<void> {
    await this.killCore();
    // The host outlives its core and sessions their host; all of them carry our folder.
    for (const pid of await marked(this.folder)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async log(): Promise<string> {
    return await readFile(join(this.folder, "log"), "utf8").catch(() => "");
  }

  async #listening(core: ChildProcess): Promise<void> {
    if (core.stdout === null) throw new Error("its output is a pipe");
    const lines = createInterface(core.stdout);
    await new Promise<void>((done) => {
      lines.on("line", (line) => {
        const [, url] = /(http:\/\/\S+\/signin#\S+)/u.exec(line) ?? [];
        if (url !== undefined) this.signInUrl = url;
        const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/u.exec(line) ?? [];
        if (port === undefined) return;
        this.#port = Number(port);
        done();
      });
    });
  }
}

/** Waits for something that must happen. */
export async function within<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what}: not within ${WITHIN_MS} ms`)), WITHIN_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The built core; the host lies beside it. */
function program(): string {
  const { GLASSHOUSE_BIN } = process.env;
  const path = GLASSHOUSE_BIN ?? resolve(import.meta.dirname, "../../../target/debug/glasshouse");
  if (!existsSync(path)) throw new Error(`${path} is not built; see \`cargo dev test\``);
  return path;
}

/** Processes whose command line or environment names the folder. */
async function marked(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    const texts = await Promise.all(
      ["cmdline", "environ"].map((name) =>
        readFile(`/proc/${pid}/${name}`, "utf8").catch(() => ""),
      ),
    );
    if (pid !== process.pid && texts.some((text) => text.includes(folder))) found.push(pid);
  }
  return found;
}
