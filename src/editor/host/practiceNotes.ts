import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Disposable } from '../basics/lifetime.ts';

const noteSchema = z.object({
  file: z.string(),
  name: z.string(),
  number: z.string().optional(),
  uri: z.string(),
  isSample: z.literal(true).optional(),
});
type Note = z.output<typeof noteSchema>;

/**
 * The practice IVRs that the user started, for the other windows of the same editor: one small file for each process,
 * named after its id. A window without access to the folder sees only its own practice IVRs.
 */
export class PracticeNotes implements Disposable {
  readonly #folder: string;
  readonly #own = new Set<string>();
  readonly #watcher: Disposable | undefined;
  #others: readonly Note[] = [];

  /** `onChange` is called if other windows have started or stopped one. */
  constructor(folder: string, onChange: () => void) {
    this.#folder = folder;
    this.#watcher = attempt(() => {
      mkdirSync(folder, { recursive: true });
      const watcher = watch(folder, { persistent: false }, () => {
        const before = this.#others;
        if (!isDeepStrictEqual(before, this.read())) onChange();
      });
      watcher.on('error', () => watcher.close());
      return { dispose: () => watcher.close() };
    });
    this.read();
  }

  /** Those of other windows when last read. */
  get others(): readonly Note[] {
    return this.#others;
  }

  read(): readonly Note[] {
    const names = attempt(() => readdirSync(this.#folder)) ?? [];
    this.#others = names.sort().flatMap((name) => {
      if (this.#own.has(name) || attempt(() => process.kill(Number.parseInt(name, 10), 0)) === undefined) return [];
      const text = attempt(() => JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as unknown);
      return noteSchema.safeParse(text).data ?? [];
    });
    return this.#others;
  }

  write(pid: number, note: Note): void {
    const name = `${String(pid)}.json`;
    this.#own.add(name);
    attempt(() => writeFileSync(join(this.#folder, name), JSON.stringify(note)));
  }

  remove(pid: number): void {
    const name = `${String(pid)}.json`;
    if (this.#own.delete(name)) attempt(() => rmSync(join(this.#folder, name), { force: true }));
  }

  dispose(): void {
    this.#watcher?.dispose();
    for (const name of this.#own) this.remove(Number.parseInt(name, 10));
  }
}

/** Other windows and processes change the folder at any time. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
