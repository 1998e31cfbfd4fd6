import type { Memento } from 'vscode';
import * as z from 'zod';
import type { RowModel } from './rowModel.ts';

type RowState = Exclude<RowModel['children'], 'none'>;
const keptSchema = z.array(z.tuple([z.string(), z.enum(['expanded', 'collapsed'])])).catch([]);
const maxRows = 500;

/**
 * Remembers which rows of a view the user expanded and collapsed, because the editor forgets it when the window is
 * reloaded.
 */
export class RowStates {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  readonly #key: string;
  /** By id, the latest change at the end. */
  readonly #states: Map<string, RowState>;

  constructor(memento: Pick<Memento, 'get' | 'update'>, view: string) {
    this.#memento = memento;
    this.#key = `${view}.rows`;
    this.#states = new Map(keptSchema.parse(memento.get(this.#key)));
  }

  set(id: string, state: RowState): void {
    if (this.#states.get(id) === state) return;
    this.#states.delete(id);
    this.#states.set(id, state);
    for (const oldest of [...this.#states.keys()].slice(0, -maxRows)) this.#states.delete(oldest);
    void this.#memento.update(this.#key, [...this.#states]);
  }

  of(row: RowModel): RowModel {
    const state = row.children === 'none' ? undefined : this.#states.get(row.id);
    return state === undefined ? row : { ...row, children: state };
  }
}
