/** More columns don't fit beside the names of the steps. */
const mostColumns = 30;

/** Counts calls, and those that didn't pass, by the time at which they were placed. */
export class StepTimeline {
  /** The width of a column, for all steps; doubled when there are too many columns. */
  columnSeconds = 1;
  readonly #steps: readonly { calls: number[]; notPassed: number[] }[];

  constructor(steps: number) {
    this.#steps = Array.from({ length: steps }, () => ({ calls: [], notPassed: [] }));
  }

  add(step: number, second: number, isPassed: boolean): void {
    while (second >= this.columnSeconds * mostColumns) this.#halve();
    const column = Math.floor(Math.max(0, second) / this.columnSeconds);
    const counts = this.#steps[step];
    if (!counts) return;
    for (const values of [counts.calls, counts.notPassed]) while (values.length <= column) values.push(0);
    counts.calls[column] = (counts.calls[column] ?? 0) + 1;
    if (!isPassed) counts.notPassed[column] = (counts.notPassed[column] ?? 0) + 1;
  }

  /** Returns copies of the columns of a step. */
  of(step: number): { readonly calls: number[]; readonly notPassed: number[] } {
    const { calls = [], notPassed = [] } = this.#steps[step] ?? {};
    return { calls: [...calls], notPassed: [...notPassed] };
  }

  #halve(): void {
    this.columnSeconds *= 2;
    const pairs = (values: readonly number[]): number[] =>
      Array.from(
        { length: Math.ceil(values.length / 2) },
        (_, index) => (values[2 * index] ?? 0) + (values[2 * index + 1] ?? 0),
      );
    for (const counts of this.#steps) {
      counts.calls = pairs(counts.calls);
      counts.notPassed = pairs(counts.notPassed);
    }
  }
}
