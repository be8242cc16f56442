/**
 * Which rooms keep their sockets and terminals while another is shown.
 *
 * A room shown again soon should be there at once; one that was not looked at for long costs memory
 * and sockets for nothing. The least recently shown goes first, and the shown one never does.
 */

export interface WarmLimits {
  readonly rooms: number;
  readonly panes: number;
}

export class WarmRooms {
  /** Panes by room, the most recently shown room last. */
  #rooms = new Map<string, number>();
  readonly #limits: WarmLimits;

  constructor(limits: WarmLimits) {
    this.#limits = limits;
  }

  /** Warm rooms, the most recently shown first. */
  get rooms(): string[] {
    return [...this.#rooms.keys()].reverse();
  }

  isWarm(room: string): boolean {
    return this.#rooms.has(room);
  }

  /** The room is shown now and has so many panes. Tells which rooms go cold. */
  onShown(room: string, panes: number): string[] {
    this.#rooms.delete(room);
    this.#rooms.set(room, panes);
    return this.#evict();
  }

  /** The room has another number of panes. Tells which rooms go cold. */
  onPanes(room: string, panes: number): string[] {
    if (!this.#rooms.has(room)) return [];
    this.#rooms.set(room, panes);
    return this.#evict();
  }

  onGone(room: string): void {
    this.#rooms.delete(room);
  }

  #evict(): string[] {
    const cold: string[] = [];
    let panes = 0;
    for (const count of this.#rooms.values()) panes += count;
    for (const [room, count] of this.#rooms) {
      const isOver = this.#rooms.size > this.#limits.rooms || panes > this.#limits.panes;
      if (!isOver || this.#rooms.size === 1) break;
      this.#rooms.delete(room);
      panes -= count;
      cold.push(room);
    }
    return cold;
  }
}
