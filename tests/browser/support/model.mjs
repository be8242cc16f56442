/**
 * A loopback stand-in for a model API, with which real coding CLIs do real work without a network.
 *
 * It streams in the shapes of Anthropic's messages, OpenAI's responses and OpenAI's chat
 * completions. What the person typed last decides the answer:
 *
 *   do:long N         N paragraphs of prose       do:code     Markdown: code, a table, emoji, CJK
 *   do:slow SECONDS   a word every 300 ms         do:burst N  N words at once
 *   do:tool NAME JSON one call of that tool: the CLI asks, runs it and sends back what came of it
 *
 * A CLI sends reminders of its own around what the person typed, so the words are looked for in
 * everything since the model's last turn; they need not stand alone.
 *
 *   node model.mjs PORT [--log FILE]     the log names each request's path and the tools it offers
 */

import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { argv } from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { completions, messages, responses } from "./dialects.mjs";

/**
 * An answer that a test prepares; it is given when its words are typed.
 * @typedef {{ to: string, say: string, pauseMs?: number }} Line
 *
 * @typedef {import("./dialects.mjs").Said} Said
 * @typedef {import("./dialects.mjs").Answer} Answer
 */

const PROSE =
  "The quick answer is that the change is small, and the reason it is small is worth a moment. ";

const MARKDOWN = `# Plan

1. Read \`src/main.rs\`.
2. Keep **emoji** 👩‍💻 ✅ ⚠️ and 日本語 aligned.

\`\`\`rust
fn main() {
    println!("{}", 6 * 7);
}
\`\`\`

| name | width |
|---|---|
| 한국어 | 6 |
| ok ✅ | 5 |

> done
`;

const SLOW_WORD_MS = 300;
const REPORT_CHARS = 200;
/** As many as Codex takes. */
const TITLE_CHARS = 36;

/** @param {string} text */
function words(text) {
  return text.match(/\s*\S+\s*$|\s*\S+/gu) ?? [];
}

/**
 * The answer to everything said since the model's last turn.
 *
 * A result is reported unless the person asked for something else after it.
 *
 * @param {Said[]} said
 * @param {readonly Line[]} lines
 * @returns {Answer}
 */
export function answerTo(said, lines = []) {
  const since = said.slice(said.findLastIndex(({ by }) => by === "model") + 1);
  for (const { by, text } of since.reverse()) {
    if (by === "tool") {
      return { pieces: words(`The tool said: ${text.slice(0, REPORT_CHARS)}`), pauseMs: 10 };
    }
    const line = lines.findLast(({ to }) => text.includes(to));
    if (line !== undefined) return { pieces: words(line.say), pauseMs: line.pauseMs ?? 10 };
    const [, verb, rest = ""] =
      [...text.matchAll(/do:(long|code|slow|burst|tool)\b[ \t]*([^\n]*)/gu)].at(-1) ?? [];
    if (verb !== undefined) return obey(verb, rest.trim());
  }
  return { pieces: words("Done. Ask me for something longer."), pauseMs: 20 };
}

/**
 * @param {string} verb
 * @param {string} rest
 * @returns {Answer}
 */
function obey(verb, rest) {
  const count = Number.parseInt(rest, 10) || 10;
  const prose = words(PROSE);
  /** @param {number} length */
  const cycle = (length) => Array.from({ length }, (_, at) => prose[at % prose.length] ?? "");
  switch (verb) {
    case "long":
      return { pieces: words(`${PROSE.repeat(4)}\n\n`.repeat(count)), pauseMs: 4 };
    case "code":
      return { pieces: words(MARKDOWN), pauseMs: 20 };
    case "slow":
      return { pieces: cycle(Math.ceil((count * 1_000) / SLOW_WORD_MS)), pauseMs: SLOW_WORD_MS };
    case "burst":
      return { pieces: cycle(count), pauseMs: 0 };
    default: {
      const [name = ""] = rest.split(" ", 1);
      const input = JSON.parse(rest.slice(name.length).trim() || "{}");
      return { pieces: [], pauseMs: 0, call: { name, input } };
    }
  }
}

/**
 * The CLI asks for itself, for a title or a summary: without tools, or in a form of its own.
 *
 * @param {any} body
 */
function isAside(body) {
  return !body.tools?.length || body.text?.format !== undefined;
}

/**
 * A title: the last line that the person typed.
 *
 * @param {Said[]} said
 * @param {any} body
 * @returns {Answer}
 */
function titleOf(said, body) {
  const typed = said.findLast(({ by, text }) => by === "person" && text.trim() !== "")?.text ?? "";
  const title = typed.trim().split("\n").at(-1)?.slice(0, TITLE_CHARS) || "ok";
  const text = body.text?.format === undefined ? title : JSON.stringify({ title });
  return { pieces: [text], pauseMs: 0 };
}

/** @type {Record<string, import("./dialects.mjs").Dialect>} by the end of the path */
const DIALECTS = { "/messages": messages, "/responses": responses, "/completions": completions };
const MODELS = { object: "list", data: [{ id: "stub", object: "model", created: 0 }] };

/**
 * Starts a model on a port of its own.
 *
 * @param {{ port?: number, lines?: readonly Line[], onRequest?: (path: string, body: any) => void }} options
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startModel({ port = 0, lines = [], onRequest } = {}) {
  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? "/", "http://model");
    respond(request, reply, pathname).catch((error) => reply.destroy(error));
  });

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} reply @param {string} path */
  async function respond(request, reply, path) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    onRequest?.(path, body);
    const dialect = DIALECTS[path.slice(path.lastIndexOf("/"))];
    if (request.method !== "POST" || dialect === undefined) {
      const known = path.endsWith("/count_tokens") ? { input_tokens: 10 } : {};
      reply.setHeader("content-type", "application/json");
      reply.end(JSON.stringify(path.endsWith("/models") ? MODELS : known));
      return;
    }
    const said = dialect.said(body);
    const answer = isAside(body) ? titleOf(said, body) : answerTo(said, lines);
    if (!body.stream) {
      reply.setHeader("content-type", "application/json");
      reply.end(JSON.stringify(dialect.whole(answer.pieces.join(""))));
      return;
    }
    reply.setHeader("content-type", "text/event-stream");
    await pipeline(Readable.from(events(dialect.stream(answer), answer.pauseMs)), reply);
  }

  await new Promise((done) => server.listen(port, "127.0.0.1", () => done(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done(undefined));
        server.closeAllConnections();
      }),
  };
}

/**
 * Frames as server-sent events, at the answer's pace.
 *
 * @param {Iterable<import("./dialects.mjs").Frame>} frames
 * @param {number} pauseMs
 */
async function* events(frames, pauseMs) {
  for (const { name, data, word } of frames) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    yield `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
    if (word && pauseMs > 0) await pause(pauseMs);
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const at = argv.indexOf("--log");
  const log = at === -1 ? undefined : argv[at + 1];
  await startModel({
    port: Number(argv[2] ?? 0),
    onRequest: (path, { tools = [] }) => {
      const names = tools.map((/** @type {any} */ tool) => tool.name ?? tool.function?.name);
      if (log !== undefined) appendFileSync(log, `${JSON.stringify({ path, tools: names })}\n`);
    },
  });
}
