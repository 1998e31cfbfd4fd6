import type { RunsList } from './runsList.ts';
import type { RunsElement } from './runsRows.ts';

/** Elements of the runs view. A row keeps its element while it is shown, because the editor redraws rows by element. */
export class RunsElements {
  readonly #list: Pick<RunsList, 'rows' | 'hasMore'>;
  #known: ReadonlyMap<string, RunsElement> = new Map();
  readonly #more: RunsElement = { kind: 'more' };

  constructor(list: Pick<RunsList, 'rows' | 'hasMore'>) {
    this.#list = list;
  }

  /** In list order. */
  all(): RunsElement[] {
    const elements = this.#list.rows.map((row): [string, RunsElement] => {
      const id = row.kind === 'run' ? row.run.id : row.test.id;
      return [
        id,
        this.#known.get(id) ?? (row.kind === 'run' ? { kind: 'run', runId: id } : { kind: 'load', loadTestId: id }),
      ];
    });
    this.#known = new Map(elements);
    return [...this.#known.values(), ...(this.#list.hasMore ? [this.#more] : [])];
  }

  of(ids: readonly string[]): RunsElement[] {
    return ids.flatMap((id) => this.#known.get(id) ?? []);
  }
}
