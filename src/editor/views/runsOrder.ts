import type { Memento } from 'vscode';
import * as z from 'zod';
import { Emitter } from '../basics/emitter.ts';

export const groupingSchema = z.enum(['none', 'day', 'test', 'outcome']);
export type Grouping = z.output<typeof groupingSchema>;

/** A pinned run. Its start finds it again among the runs of the service. */
const pinSchema = z.object({ kind: z.enum(['run', 'load']), id: z.string(), startedAt: z.iso.datetime() });
export type Pin = z.output<typeof pinSchema>;

const key = 'dialtree.runsOrder';
const keptSchema = z.object({
  grouping: groupingSchema.catch('none'),
  pins: z.array(pinSchema).catch([]),
});
interface Kept {
  readonly grouping: Grouping;
  readonly pins: readonly Pin[];
}
const nothing: Kept = { grouping: 'none', pins: [] };
/** Pinned runs that aren't in the list are read one by one. The latest pins stay. */
const maxPins = 50;

/** How the user arranged the runs of this workspace: in groups, and with some pinned on top. */
export class RunsOrder {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.listen;
  #kept: Kept;

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    this.#kept = keptSchema.safeParse(memento.get(key)).data ?? nothing;
  }

  get grouping(): Grouping {
    return this.#kept.grouping;
  }
  /** The latest pin first. */
  get pins(): readonly Pin[] {
    return this.#kept.pins;
  }
  isPinned(id: string): boolean {
    return this.pins.some((pin) => pin.id === id);
  }

  async group(grouping: Grouping): Promise<void> {
    await this.#keep({ ...this.#kept, grouping });
  }
  async pin(pins: readonly Pin[]): Promise<void> {
    const others = this.pins.filter(({ id }) => !pins.some((pin) => pin.id === id));
    await this.#keep({ ...this.#kept, pins: [...pins, ...others].slice(0, maxPins) });
  }
  async unpin(ids: readonly string[]): Promise<void> {
    await this.#keep({ ...this.#kept, pins: this.pins.filter(({ id }) => !ids.includes(id)) });
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    this.#changed.fire(undefined);
    await this.#memento.update(key, kept);
  }
}
