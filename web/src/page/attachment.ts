/**
 * One pane of the page at work: its rules (`pane/*`), its terminal and its socket, wired together.
 *
 * It performs what the rules say and decides nothing itself. It lives as long as its room is warm.
 */

import { DisposableStore, toDisposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { openPaneSocket, type PaneSocket } from "../net/socket.ts";
import { AckPacer } from "../pane/credit.ts";
import { type Circumstances, Lease, type LeaseEffect } from "../pane/lease.ts";
import { hasSeveralLines, sanitizePaste } from "../pane/paste.ts";
import { PaneSession, type SessionEffect } from "../pane/session.ts";
import { type GridSize, SizePacer } from "../pane/sizing.ts";
import { PaneWriter } from "../pane/writer.ts";
import { cellAtBase, type PaneTerminal } from "../term/terminal.ts";
import { type Scheme, themeMessage } from "../term/theme.ts";
import type { ServerFrame } from "../wire/frame.ts";
import type { ControlAction, Holder, ServerMessage } from "../wire/gen/types.ts";
import { afterMessage, initialView, type PaneView } from "./pane-view.ts";

export interface AttachmentOptions {
  readonly pane: string;
  readonly profile: string;
  readonly visible: boolean;
  readonly scheme: Scheme;
  readonly terminal: PaneTerminal;
  readonly isSameCaller: (holder: Holder) => boolean;
  /** A ticket is wanted; `open` or `dispose` follows. */
  readonly dial: () => void;
  readonly onUp: () => void;
  readonly onSignedOut: () => void;
  /** A hidden pane's queue holds so many bytes now. */
  readonly onQueued: (bytes: number) => void;
}

/** A viewer that fell behind is mostly live again at once: long enough to be read. */
const LAG_SHOWN_MS = 4_000;
/** Output this soon after a key or a resize is an answer to it. */
const ECHO_MS = 300;
/** Keys behind this much unwritten input would wait long: Ctrl+C then goes ahead of it. */
const INTERRUPT_PAST_BYTES = 4 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Attachment extends DisposableStore {
  readonly pane: string;
  readonly profile: string;
  readonly terminal: PaneTerminal;
  readonly changed = this.add(new Emitter<PaneView>());
  /** The program printed something of its own accord. */
  readonly printed = this.add(new Emitter<void>());
  readonly #options: AttachmentOptions;
  readonly #session: PaneSession;
  readonly #lease: Lease;
  readonly #writer = new PaneWriter();
  readonly #acks = new AckPacer();
  readonly #sizes = new SizePacer();
  #view: PaneView;
  #socket: PaneSocket | undefined;
  #scheme: Scheme;
  #sizeTimer: number | undefined;
  #lagTimer: number | undefined;
  #actedMs = Number.NEGATIVE_INFINITY;

  constructor(options: AttachmentOptions) {
    super();
    this.pane = options.pane;
    this.profile = options.profile;
    this.terminal = this.add(options.terminal);
    this.#options = options;
    this.#scheme = options.scheme;
    this.#view = initialView(options.terminal.cols, options.terminal.rows);
    this.#session = new PaneSession(options.visible);
    this.#lease = new Lease(options.isSameCaller);
    this.#writer.hold(!options.visible);
    this.terminal.typed.on(({ bytes, report }) => {
      if (!report || this.#lease.you) this.type(bytes);
    });
    this.terminal.titled.on((title) => this.#show({ title }));
    this.terminal.scrolled.on(() => this.#showScroll());
    this.add(toDisposable(() => this.#socket?.close()));
    this.add(toDisposable(() => clearTimeout(this.#sizeTimer)));
    this.add(toDisposable(() => clearTimeout(this.#lagTimer)));
  }

  get view(): PaneView {
    return this.#view;
  }

  /** Begins, or begins again after an end. */
  connect(): void {
    this.#follow(this.#session.connect());
  }

  open(ticket: string): void {
    if (this.disposed || this.#session.phase.at !== "lost") return;
    const resume = this.#session.onOpening();
    this.#socket = openPaneSocket(this.pane, ticket, resume, this.#session.hidden, {
      onMessage: (message) => this.#onMessage(message),
      onFrame: (frame) => this.#onFrame(frame),
      onNonsense: () => this.#follow(this.#session.onNonsense()),
      onClosed: (code) => this.#onClosed(code),
    });
    this.#show({ phase: this.#session.phase });
  }

  type(bytes: Uint8Array): void {
    this.#actedMs = now();
    const isInterrupt = bytes.length === 1 && bytes[0] === CTRL_C;
    const goesAhead = isInterrupt && this.#lease.pendingBytes > INTERRUPT_PAST_BYTES;
    this.#lead(goesAhead ? this.#lease.interrupt() : this.#lease.onKeys(bytes, now()));
  }

  /** Pastes; a program that would run the lines one by one is asked about first. */
  paste(text: string, sure = false): void {
    const clean = sanitizePaste(text);
    if (clean === "") return;
    const marked = this.#view.modes.paste || this.terminal.marksPastes;
    if (!sure && !marked && hasSeveralLines(clean)) {
      this.#show({ ask: { text: clean } });
      return;
    }
    this.#show({ ask: undefined });
    this.#lead(this.#lease.onPaste(encoder.encode(clean), now()));
  }

  act(action: ControlAction): void {
    this.#lead(this.#lease.act(action));
  }

  /** Takes a footer's message away. */
  dismiss(what: "offer" | "ask" | "notice" | "blocked" | "lag"): void {
    this.#show({ [what]: undefined });
  }

  setCircumstances(circumstances: Circumstances): void {
    const { visible } = circumstances;
    this.#follow(this.#session.onVisibility(visible));
    this.#writer.hold(!visible);
    this.#lead(this.#lease.onCircumstances(circumstances));
    if (visible) this.#drain();
  }

  setScheme(scheme: Scheme): void {
    this.#scheme = scheme;
    this.terminal.setScheme(scheme);
    this.#tellTheme();
  }

  /** The size this view would like, or nothing while it cannot be seen. */
  setWanted(size: GridSize | undefined): void {
    this.#wanted = size;
    this.#negotiateSize();
  }

  /** The page had no room for what this hidden pane queued. */
  dropQueue(): void {
    this.#writer.drop();
    this.#session.onDropped();
  }

  onWake(): void {
    this.#follow(this.#session.onWake(now()));
  }

  onTick(): void {
    this.#follow(this.#session.onTick(now()));
    this.#lead(this.#lease.onTick(now()));
  }

  #wanted: GridSize | undefined;

  #onMessage(message: ServerMessage): void {
    this.#follow(this.#session.onMessage(message, now()));
    const hadIt = this.#view.you;
    this.#view = afterMessage(this.#view, message);
    switch (message.type) {
      case "ready":
        this.#acks.onAttached(this.#session.socket, message.stream, message.seq);
        this.#sizes.onCurrent(message);
        this.#options.onUp();
        this.#lead(this.#lease.onReady(message, message.readOnly, now()));
        break;
      case "control":
        this.#lead(this.#lease.onControl(message, now()));
        break;
      case "input_ack":
        this.#lead(this.#lease.onInputAck(message.id, now()));
        return;
      case "refused":
        this.#lead(this.#lease.onRefused(message.id, message.code));
        break;
      case "status":
        if (message.state === "exited" || message.state === "lost") {
          this.#lead(this.#lease.onEnded());
        }
        break;
      case "session_replaced":
        this.#lease.onReplaced();
        break;
      case "lag":
        this.#lagTimer ??= window.setTimeout(() => {
          this.#lagTimer = undefined;
          this.dismiss("lag");
        }, LAG_SHOWN_MS);
        break;
      case "snapshot":
      case "resized":
        this.#sizes.onCurrent(message);
        break;
      default:
        break;
    }
    if (this.#view.you && !hadIt) this.#tellTheme();
    this.#show({ phase: this.#session.phase });
    this.#negotiateSize();
  }

  #onFrame(frame: ServerFrame): void {
    this.#follow(this.#session.onFrame(frame, now()));
    if (frame.frame === "output" && now() - this.#actedMs > ECHO_MS) this.printed.emit();
  }

  #onClosed(code: number): void {
    this.#socket = undefined;
    this.#lease.onLost(now());
    this.#follow(this.#session.onClosed(code));
    const { phase } = this.#session;
    if (phase.at === "ended" && phase.why === "signed_out") this.#options.onSignedOut();
    this.#show({ phase });
  }

  #follow(effects: readonly SessionEffect[]): void {
    for (const effect of effects) {
      switch (effect.do) {
        case "dial":
          this.#options.dial();
          break;
        case "hang_up":
          this.#socket?.close();
          break;
        case "send":
          this.#socket?.send(effect.message);
          break;
        case "write":
          this.#writer.push(effect.job);
          this.#drain();
          break;
      }
    }
  }

  #lead(effects: readonly LeaseEffect[]): void {
    for (const effect of effects) {
      switch (effect.do) {
        case "control":
          this.#socket?.send({ type: "control", action: effect.action });
          break;
        case "input":
          this.#socket?.input(effect.input);
          break;
        case "interrupt":
          this.#socket?.send({ type: "interrupt" });
          break;
        case "blocked":
          this.#show({
            blocked: { why: effect.why, count: (this.#view.blocked?.count ?? 0) + 1 },
          });
          break;
        case "offer": {
          const text = effect.bytes.map((bytes) => decoder.decode(bytes)).join("");
          const earlier = this.#view.offer?.text ?? "";
          this.#show({ offer: { why: effect.why, text: earlier + text } });
          break;
        }
      }
    }
  }

  /** Gives the terminal its next steps until one of them has to be waited for. */
  #drain(): void {
    for (;;) {
      const step = this.#writer.next();
      if (step === undefined) break;
      switch (step.step) {
        case "reset":
          this.terminal.reset();
          break;
        case "size":
          this.terminal.size(step.cols, step.rows);
          break;
        case "write":
          this.terminal.write(step.bytes, () => this.#onWritten());
          break;
      }
    }
    if (this.#session.hidden) this.#options.onQueued(this.#writer.queuedBytes);
  }

  #onWritten(): void {
    if (this.disposed) return;
    const parsed = this.#writer.onWritten();
    this.#drain();
    this.#showScroll();
    if (parsed === undefined) return;
    const ack = this.#acks.onParsed(parsed, this.#writer.idle);
    if (ack === undefined) return;
    const { stream, seq, n } = ack;
    this.#socket?.send({ type: "ack", stream, seq, ...(n === undefined ? {} : { n }) });
  }

  #negotiateSize(): void {
    const mayAsk = this.#view.you && this.#view.phase.at === "live" && !this.#session.hidden;
    const size = this.#sizes.onWanted(mayAsk ? this.#wanted : undefined, now());
    if (size !== undefined) this.#sendSize(size);
    clearTimeout(this.#sizeTimer);
    const due = this.#sizes.deadline();
    if (due === undefined) return;
    this.#sizeTimer = window.setTimeout(() => this.#negotiateSize(), Math.max(0, due - now()));
  }

  #sendSize({ cols, rows }: GridSize): void {
    this.#actedMs = now();
    const cell = cellAtBase();
    const cellWidth = Math.round(cell.width);
    const cellHeight = Math.round(cell.height);
    this.#socket?.send({ type: "resize", cols, rows, cellWidth, cellHeight });
  }

  #tellTheme(): void {
    if (this.#view.you) this.#socket?.send(themeMessage(this.#scheme));
  }

  #showScroll(): void {
    const { linesBelow } = this.terminal;
    if (linesBelow !== this.#view.linesBelow) this.#show({ linesBelow });
  }

  #show(patch: Partial<PaneView>): void {
    if (this.disposed) return;
    this.#view = { ...this.#view, ...patch };
    this.changed.emit(this.#view);
  }
}

const CTRL_C = 3;

function now(): number {
  return performance.now();
}
