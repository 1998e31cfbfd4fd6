import type { Memento } from 'vscode';
import * as z from 'zod';

const keptSchema = z.array(z.object({ jobId: z.string(), title: z.string() })).catch([]);
const key = 'dialtree.openTrees';

/** The trees that are open in this workspace, for a restored window: a page that the user didn't touch has no state. */
export class OpenTrees {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  /** Trees of the earlier window that haven't been restored yet. */
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

  /** Returns the job of a panel that the editor restores, each once: the one with that title, otherwise any. */
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
