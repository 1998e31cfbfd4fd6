import type { Clock } from '../basics/clock.ts';
import type { L10n } from '../basics/localise.ts';
import { Throttle } from '../basics/throttle.ts';
import type { MappingStore, StoreChange } from '../store/mappingStore.ts';
import type { JobSnapshot } from '../store/snapshot.ts';
import { changesBetween } from './mappingChanges.ts';
import type { TreeElement } from './treeElement.ts';
import { elementId } from './treeElement.ts';

export interface MappingRefreshParts {
  readonly store: Pick<MappingStore, 'jobs' | 'job'>;
  readonly clock: Clock;
  readonly l10n: L10n;
  /** Rows to be asked for again, each with all below it; undefined: all. */
  readonly draw: (elements: readonly TreeElement[] | undefined) => void;
}

/** Figures of a run that goes on change with every call, and the editor draws no row without reading all below it. */
const figuresMs = 1_000;

/**
 * Decides which rows of the mappings view are drawn again when the store has changed. The editor knows a row by its
 * element, so that each thing keeps one.
 */
export class MappingRefresh {
  readonly #parts: MappingRefreshParts;
  /** By id, those that the editor has. */
  #elements = new Map<string, TreeElement>();
  /** What the rows were drawn from. */
  #drawn: ReadonlyMap<string, JobSnapshot> = new Map();
  readonly #later = new Map<string, TreeElement>();
  readonly #figures: Throttle;

  constructor(parts: MappingRefreshParts) {
    this.#parts = parts;
    this.#figures = new Throttle(parts.clock, figuresMs, () => {
      this.#draw([...this.#later.values()]);
    });
  }

  /** The elements that the editor is to have in their places: the ones it has, where it has them. */
  known(elements: readonly TreeElement[]): TreeElement[] {
    return elements.map((element) => {
      const id = elementId(element);
      const known = this.#elements.get(id) ?? element;
      this.#elements.set(id, known);
      return known;
    });
  }

  /** Draws everything. */
  all(): void {
    this.#elements = new Map();
    this.#drawn = new Map(this.#parts.store.jobs.map((snapshot) => [snapshot.job.id, snapshot]));
    this.#later.clear();
    this.#parts.draw(undefined);
  }

  take(change: StoreChange): void {
    const [before, after] = change ? [this.#drawn.get(change.jobId), this.#parts.store.job(change.jobId)] : [];
    if (!before || !after) {
      this.all();
      return;
    }
    this.#drawn = new Map(this.#drawn).set(after.job.id, after);
    const { now, later } = changesBetween(before, after, this.#parts.l10n);
    for (const element of later) this.#later.set(elementId(element), element);
    this.#draw(now);
    if (this.#later.size > 0) this.#figures.request();
  }

  dispose(): void {
    this.#figures.dispose();
  }

  #draw(wanted: readonly TreeElement[]): void {
    const elements = wanted.flatMap((element) => this.#elements.get(elementId(element)) ?? []);
    for (const element of wanted) this.#later.delete(elementId(element));
    if (elements.length > 0) this.#parts.draw(elements);
  }
}
