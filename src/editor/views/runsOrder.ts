import type { Memento } from 'vscode';
import * as z from 'zod';
import { Emitter } from '../basics/emitter.ts';

export const groupingSchema = z.enum(['none', 'day', 'test', 'outcome']);
/** A pinned run. */
const pinSchema = z.object({ id: z.string() });

const key = 'dialtree.runsOrder';
const keptSchema = z.object({ grouping: groupingSchema.catch('none'), pins: z.array(pinSchema).catch([]) });
type Kept = z.output<typeof keptSchema>;
/** Pinned runs that aren't in the list are read one by one. The latest pins stay. */
const maxPins = 50;

/** How the user arranged the runs of this workspace: in groups, and with some pinned on top, the latest pin first. */
export class RunsOrder {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.listen;
  #kept: Kept;

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    this.#kept = keptSchema.safeParse(memento.get(key)).data ?? { grouping: 'none', pins: [] };
  }

  get kept(): Kept {
    return this.#kept;
  }
  isPinned(id: string): boolean {
    return this.#kept.pins.some((pin) => pin.id === id);
  }
  pin(ids: readonly string[]): Promise<void> {
    const others = this.#kept.pins.filter(({ id }) => !ids.includes(id));
    return this.change({ pins: [...ids.map((id) => ({ id })), ...others].slice(0, maxPins) });
  }
  unpin(ids: readonly string[]): Promise<void> {
    return this.change({ pins: this.#kept.pins.filter(({ id }) => !ids.includes(id)) });
  }

  async change(changes: Partial<Kept>): Promise<void> {
    this.#kept = { ...this.#kept, ...changes };
    this.#changed.fire(undefined);
    await this.#memento.update(key, this.#kept);
  }
}
