import type { Disposable } from '../basics/lifetime.ts';

export interface TreeKey {
  readonly jobId: string;
  readonly runNumber: number;
}

/** Trees that aren't shown but stay in memory, in case they are shown again soon. */
const maxRecent = 5;

/** Decides which trees stay in memory: those that are shown, and those that were requested last. */
export class KeptTrees {
  /** Trees in memory, the least recently requested first. */
  readonly #recent = new Map<string, TreeKey>();
  readonly #shown = new Map<string, number>();
  readonly #drop: (keys: readonly TreeKey[]) => void;

  /** @param drop receives the trees that can be dropped */
  constructor(drop: (keys: readonly TreeKey[]) => void) {
    this.#drop = drop;
  }

  /** Call this when the tree is in memory and was requested. */
  touch(key: TreeKey): void {
    const name = nameOf(key);
    this.#recent.delete(name);
    this.#recent.set(name, key);
    this.#bound();
  }

  /** Keeps a tree, even if it arrives later, until the result is disposed of. */
  show(key: TreeKey): Disposable {
    const name = nameOf(key);
    this.#shown.set(name, (this.#shown.get(name) ?? 0) + 1);
    let ended = false;
    return {
      dispose: () => {
        if (ended) return;
        ended = true;
        const remainingViews = (this.#shown.get(name) ?? 1) - 1;
        if (remainingViews > 0) this.#shown.set(name, remainingViews);
        else this.#shown.delete(name);
        this.#bound();
      },
    };
  }

  #bound(): void {
    const others = [...this.#recent].filter(([name]) => !this.#shown.has(name));
    const dropped = others.slice(0, Math.max(0, others.length - maxRecent));
    for (const [name] of dropped) this.#recent.delete(name);
    if (dropped.length > 0) this.#drop(dropped.map(([, key]) => key));
  }
}

const nameOf = ({ jobId, runNumber }: TreeKey): string => `${jobId} ${String(runNumber)}`;
