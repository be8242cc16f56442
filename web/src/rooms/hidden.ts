/**
 * How much output the page keeps unparsed for panes that nobody sees.
 *
 * The caps are caps: at one, a queue is dropped whole and its pane asks for the screen when it is
 * shown again. Nothing is lost by it, since a screen holds what the queue would have drawn.
 */

export interface HiddenLimits {
  readonly paneBytes: number;
  readonly pageBytes: number;
}

export class HiddenQueues {
  #bytes = new Map<string, number>();
  #total = 0;
  #dropped = 0;
  readonly #limits: HiddenLimits;

  constructor(limits: HiddenLimits) {
    this.#limits = limits;
  }

  /** Bytes queued for all hidden panes. */
  get totalBytes(): number {
    return this.#total;
  }

  /** How often a queue was dropped: pressure, for the flow view. */
  get drops(): number {
    return this.#dropped;
  }

  /** A hidden pane's queue holds so much now. Names the panes whose queues are to be dropped. */
  onQueued(pane: string, bytes: number): string[] {
    this.#set(pane, bytes);
    const drops: string[] = [];
    if (bytes > this.#limits.paneBytes) drops.push(this.#drop(pane));
    while (this.#total > this.#limits.pageBytes) {
      const fullest = this.#fullest();
      if (fullest === undefined) break;
      drops.push(this.#drop(fullest));
    }
    return drops;
  }

  /** The pane is shown, or gone. */
  onShown(pane: string): void {
    this.#set(pane, 0);
  }

  #drop(pane: string): string {
    this.#set(pane, 0);
    this.#dropped += 1;
    return pane;
  }

  #fullest(): string | undefined {
    let best: string | undefined;
    let most = 0;
    for (const [pane, bytes] of this.#bytes) {
      if (bytes > most) {
        best = pane;
        most = bytes;
      }
    }
    return best;
  }

  #set(pane: string, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(pane) ?? 0);
    if (bytes === 0) this.#bytes.delete(pane);
    else this.#bytes.set(pane, bytes);
  }
}
