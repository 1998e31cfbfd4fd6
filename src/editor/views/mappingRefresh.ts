import type { Basics } from '../basics/createBasics.ts';
import { Throttle } from '../basics/throttle.ts';
import type { MappingStore, StoreChange } from '../store/mappingStore.ts';
import type { JobSnapshot } from '../store/snapshot.ts';
import { changesBetween } from './mappingChanges.ts';
import { elementId, type TreeElement } from './treeElement.ts';

interface MappingRefreshParts extends Pick<Basics, 'clock' | 'l10n'> {
  readonly store: Pick<MappingStore, 'jobs' | 'job'>;
  /** Draws rows again, each with everything below it; undefined means all rows. */
  readonly draw: (elements: readonly TreeElement[] | undefined) => void;
}

/**
 * An active run's figures change with every call, and the editor redraws a row only together with everything below it.
 */
const figuresMs = 1_000;

/**
 * Decides which rows of the mappings view to draw again after a change of the store. The editor identifies a row by its
 * element, so each row keeps its element.
 */
export class MappingRefresh {
  readonly #parts: MappingRefreshParts;
  /** The editor's elements, by id. */
  #elements = new Map<string, TreeElement>();
  /** The snapshots that the rows were drawn from. */
  #drawn: ReadonlyMap<string, JobSnapshot> = new Map();
  readonly #later = new Map<string, TreeElement>();
  readonly #figures: Throttle;

  constructor(parts: MappingRefreshParts) {
    this.#parts = parts;
    this.#figures = new Throttle(parts.clock, figuresMs, () => this.#draw([...this.#later.values()]));
  }

  /** Returns the elements, replaced by those that the editor already has. */
  known(elements: readonly TreeElement[]): TreeElement[] {
    return elements.map((element) => {
      const id = elementId(element);
      const known = this.#elements.get(id) ?? element;
      this.#elements.set(id, known);
      return known;
    });
  }

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

  /** Draws the row of a job, for something that isn't in the store. */
  job(jobId: string): void {
    this.#draw([{ kind: 'job', jobId }]);
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
