/**
 * One pane's terminal: xterm.js behind the few verbs the page needs.
 *
 * Its grid changes only when the output says so (`size`), never because its element did: two people
 * see the same grid, whatever their windows.
 */

import "@xterm/xterm/css/xterm.css";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import { DisposableStore, toDisposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { type Area, type Cell, fontSizeFor, gridIn } from "./fit.ts";
import { installGuards, isReport } from "./guards.ts";
import { type Scheme, terminalTheme } from "./theme.ts";
import { useWebgl } from "./webgl.ts";
import { useHostWidths } from "./widths.ts";

const FONT_FAMILY = '"JetBrains Mono", ui-monospace, "SF Mono", Menlo, Consolas, monospace';
export const FONT_BASE_PX = 13;
/** As long as a title may be; programs have set megabytes. */
const TITLE_MAX_CHARS = 256;
const TITLE_EVERY_MS = 250;
const SCROLLBACK_LINES = 5_000;
/** A cell at the base size until a terminal has been measured. */
const CELL_GUESS: Cell = { width: 7.8, height: 18 };

const encoder = new TextEncoder();

/** What a person did at the terminal, as the program would read it. */
export interface Typed {
  readonly bytes: Uint8Array;
  /** A focus or mouse report: sent while holding, and never a reason to ask for the lease. */
  readonly report: boolean;
}

/** The cell at the base size, the same for every terminal of the page. */
let measured: Cell | undefined;

export function cellAtBase(): Cell {
  return measured ?? CELL_GUESS;
}

export class PaneTerminal extends DisposableStore {
  readonly typed = this.add(new Emitter<Typed>());
  readonly titled = this.add(new Emitter<string>());
  readonly scrolled = this.add(new Emitter<void>());
  readonly rang = this.add(new Emitter<void>());
  readonly #terminal: Terminal;
  #title = "";
  #titleTimer: number | undefined;
  #webgl: { dispose(): void } | undefined;
  #openLink: (url: string) => void;
  #keyFilter: (event: KeyboardEvent) => boolean = () => true;

  constructor(cols: number, rows: number, scheme: Scheme, openLink: (url: string) => void) {
    super();
    this.#openLink = openLink;
    this.#terminal = new Terminal({
      cols,
      rows,
      allowProposedApi: true,
      convertEol: false,
      cursorBlink: false,
      cursorInactiveStyle: "outline",
      drawBoldTextInBrightColors: false,
      fontFamily: FONT_FAMILY,
      fontSize: FONT_BASE_PX,
      fontWeight: 400,
      fontWeightBold: 600,
      lineHeight: 1,
      linkHandler: { activate: (_event, url) => this.#open(url), allowNonHttpProtocols: false },
      macOptionIsMeta: true,
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      theme: terminalTheme(scheme),
    });
    this.add(toDisposable(() => this.#terminal.dispose()));
    this.add(toDisposable(() => this.useGpu(false)));
    this.add(toDisposable(() => clearTimeout(this.#titleTimer)));
    useHostWidths(this.#terminal);
    installGuards(this.#terminal);
    this.#terminal.loadAddon(new WebLinksAddon((_event, url) => this.#open(url)));
    this.#terminal.onData((data) => {
      this.typed.emit({ bytes: encoder.encode(data), report: isReport(data) });
    });
    this.#terminal.onBinary((data) => {
      this.typed.emit({ bytes: Uint8Array.from(data, (unit) => unit.charCodeAt(0)), report: true });
    });
    this.#terminal.onTitleChange((title) => this.#onTitle(title));
    this.#terminal.onScroll(() => this.scrolled.emit());
    this.#terminal.onBell(() => this.rang.emit());
    this.#terminal.attachCustomKeyEventHandler((event) => this.#keyFilter(event));
  }

  /** Draws into the element; at most once in a terminal's life. */
  open(element: HTMLElement): void {
    this.#terminal.open(element);
    this.#measure();
  }

  /** Called for every key before the terminal; false keeps it from the terminal. */
  filterKeys(filter: (event: KeyboardEvent) => boolean): void {
    this.#keyFilter = filter;
  }

  get cols(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** The grid is somebody else's, drawn smaller to fit. */
  get isScaled(): boolean {
    return this.#terminal.options.fontSize !== FONT_BASE_PX;
  }

  /** The grid's size, when even the smallest font does not fit and the view has to pan. */
  overflow(area: Area): Area | undefined {
    const box = this.#terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const isOver = box.width > area.width + 1 || box.height > area.height + 1;
    return isOver ? { width: Math.ceil(box.width), height: Math.ceil(box.height) } : undefined;
  }

  /** Whether touching the terminal opens the keyboard of a phone. */
  setTouchKeyboard(open: boolean): void {
    const { textarea } = this.#terminal;
    if (textarea !== undefined) textarea.inputMode = open ? "text" : "none";
  }

  write(bytes: Uint8Array, done: () => void): void {
    this.#terminal.write(bytes, done);
  }

  reset(): void {
    this.#terminal.reset();
  }

  size(cols: number, rows: number): void {
    if (cols !== this.#terminal.cols || rows !== this.#terminal.rows) {
      this.#terminal.resize(cols, rows);
    }
  }

  /** The grid this area would hold at the base size. */
  fitting(area: Area): { cols: number; rows: number } {
    return gridIn(area, cellAtBase());
  }

  /** Shrinks the font until the grid fits the area; without one, back to the base size. */
  fitFont(area: Area | undefined): void {
    const grid = { cols: this.#terminal.cols, rows: this.#terminal.rows };
    const size =
      area === undefined ? FONT_BASE_PX : fontSizeFor(area, grid, cellAtBase(), FONT_BASE_PX);
    if (size !== this.#terminal.options.fontSize) this.#terminal.options.fontSize = size;
    this.#measure();
  }

  /** The program has asked for marks round pastes. */
  get marksPastes(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  setScheme(scheme: Scheme): void {
    this.#terminal.options.theme = terminalTheme(scheme);
  }

  focus(): void {
    this.#terminal.focus();
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  clearSelection(): void {
    this.#terminal.clearSelection();
  }

  /** Lines between what is shown and the newest; 0 when following. */
  get linesBelow(): number {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    return baseY - viewportY;
  }

  scrollToBottom(): void {
    this.#terminal.scrollToBottom();
  }

  /** The last line with text, for the rail. */
  lastLine(): string {
    const { active } = this.#terminal.buffer;
    for (let at = active.baseY + this.#terminal.rows - 1; at >= active.baseY; at -= 1) {
      const text = active.getLine(at)?.translateToString(true).trim() ?? "";
      if (text !== "") return text;
    }
    return "";
  }

  /** Draws with the GPU while that is worth one of the few contexts. */
  useGpu(on: boolean): void {
    if (on === (this.#webgl !== undefined)) return;
    if (on) {
      this.#webgl = useWebgl(this.#terminal, () => {
        this.#webgl = undefined;
      });
    } else {
      this.#webgl?.dispose();
      this.#webgl = undefined;
    }
  }

  /** Programs have set a hundred thousand titles a second: a few are told, and always the last. */
  #onTitle(title: string): void {
    this.#title = title.slice(0, TITLE_MAX_CHARS);
    this.#titleTimer ??= window.setTimeout(() => {
      this.#titleTimer = undefined;
      this.titled.emit(this.#title);
    }, TITLE_EVERY_MS);
  }

  #open(url: string): void {
    if (/^https?:\/\//iu.test(url)) this.#openLink(url);
  }

  #measure(): void {
    if (this.#terminal.options.fontSize !== FONT_BASE_PX) return;
    const screen = this.#terminal.element?.querySelector(".xterm-screen");
    const box = screen?.getBoundingClientRect();
    if (box === undefined || box.width === 0 || box.height === 0) return;
    measured = { width: box.width / this.#terminal.cols, height: box.height / this.#terminal.rows };
  }
}
