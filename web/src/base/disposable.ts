/**
 * Ownership of things that must be let go: listeners, sockets, terminals.
 *
 * Whoever makes one hands it to a store and disposes the store once; disposing twice is harmless.
 */

export interface Disposable {
  dispose(): void;
}

/** Makes a disposable out of a function that runs at most once. */
export function toDisposable(run: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      run();
    },
  };
}

/** Disposes what it holds, last in first out. */
export class DisposableStore implements Disposable {
  #held: Disposable[] = [];
  #disposed = false;

  /** Takes ownership. What is added after disposal is let go at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#held.push(item);
    return item;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const item of this.#held.reverse()) item.dispose();
    this.#held = [];
  }
}
