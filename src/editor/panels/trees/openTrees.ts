import type { Memento } from 'vscode';
import * as z from 'zod';

const keptSchema = z.array(z.object({ jobId: z.string(), title: z.string() })).catch([]);
const key = 'dialtree.openTrees';

/**
 * Which trees are open in this workspace, for the window that comes after this one: a page that nobody touched has kept
 * no state of its own.
 */
export class OpenTrees {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  /** Of the earlier window, as far as they were not taken up. */
  readonly #earlier: { readonly jobId: string; readonly title: string }[];
  readonly #open = new Map<string, string>();

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    this.#earlier = keptSchema.parse(memento.get(key) ?? []);
  }

  opened(jobId: string, title: string): void {
    if (this.#open.get(jobId) === title) return;
    this.#open.set(jobId, title);
    this.#keep();
  }

  closed(jobId: string): void {
    if (this.#open.delete(jobId)) this.#keep();
  }

  /** The job of a panel that the editor brings back, each once: the one with that title, else any. */
  takeUp(title: string): string | undefined {
    const named = this.#earlier.findIndex((tree) => tree.title === title);
    return this.#earlier.splice(Math.max(0, named), 1)[0]?.jobId;
  }

  #keep(): void {
    void this.#memento.update(
      key,
      [...this.#open].map(([jobId, title]) => ({ jobId, title })),
    );
  }
}
