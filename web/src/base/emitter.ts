/** One kind of event and those who listen to it, in the order in which they began to. */

import { type Disposable, toDisposable } from "./disposable.ts";

export class Emitter<T> implements Disposable {
  #listeners = new Set<(value: T) => void>();

  /** Listens until the returned handle is disposed. */
  on(listener: (value: T) => void): Disposable {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  }

  /** Tells everybody; one who stops listening meanwhile is not told. */
  emit(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
