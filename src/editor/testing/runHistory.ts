import type { Memento } from 'vscode';
import * as z from 'zod';
import { runOutcomeSchema, type RunOutcome } from '../../contract/testRuns.ts';
import { Emitter } from '../basics/emitter.ts';
import type { RunEnding } from '../../runner/runTest.ts';

const key = 'dialtree.testRuns';
/** `endedAt` is in milliseconds since 1970, `seconds` those of the call. */
const endSchema = z.object({ outcome: runOutcomeSchema, endedAt: z.number(), seconds: z.number() });
const runSchema = z.object({ runId: z.string(), end: endSchema.optional() });
type KeptRun = z.output<typeof runSchema>;
export type RunEnd = z.output<typeof endSchema> & { readonly runId: string };
const keptSchema = z.record(z.string(), z.record(z.string(), runSchema)).catch({});
const maxTests = 500;
const maxRuns = 5_000;

/** What was run: a test, by `testKey`, and for a param test its row, by its key. */
export interface RunPlace {
  readonly test: string;
  readonly row?: string | undefined;
}

/** A test keeps its id if its file moves. A test without an id is identified by its file. */
export const testKey = (id: string | undefined, uri: string): string => id ?? uri;

const byWeight: readonly RunOutcome[] = ['FAIL', 'ERROR', 'INCONCLUSIVE', 'PASS'];

/** Returns the run that shows the state of a test best: the newest of the worst. */
export const weightiest = (ends: readonly RunEnd[]): RunEnd | undefined =>
  [...ends].sort(
    (one, other) => byWeight.indexOf(one.outcome) - byWeight.indexOf(other.outcome) || other.endedAt - one.endedAt,
  )[0];

/**
 * The newest run of each test in this workspace, for a param test of each row, and how it ended, so that its report can
 * be found again.
 */
export class RunHistory {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  /** By test and then by row, in the order of their last runs. A test without rows has a single, unnamed row. */
  readonly #tests: Map<string, Map<string, KeptRun>>;
  readonly #ended = new Emitter<RunEnding>();
  readonly onDidEnd = this.#ended.listen;

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    this.#tests = new Map(
      Object.entries(keptSchema.parse(memento.get(key) ?? {})).map(([test, rows]) => [
        test,
        new Map(Object.entries(rows)),
      ]),
    );
  }

  /**
   * Returns the run whose report is most useful: an active or interrupted one if no other came after it, otherwise the
   * weightiest of all rows.
   */
  runOf({ test, row }: RunPlace): string | undefined {
    const runs = this.#tests.get(test);
    if (row !== undefined) return runs?.get(row)?.runId;
    const newest = [...(runs?.values() ?? [])].at(-1);
    return newest?.end ? weightiest(this.endsOf(test))?.runId : newest?.runId;
  }

  /** Returns how the newest run of each row ended, if it has. A test without rows has one. */
  endsOf(test: string): RunEnd[] {
    return [...(this.#tests.get(test)?.values() ?? [])].flatMap(({ runId, end }) => (end ? [{ runId, ...end }] : []));
  }

  /** Returns the keys of the rows whose newest run didn't pass. A test without rows has one, the empty key. */
  failedRows(test: string): string[] {
    return [...(this.#tests.get(test) ?? [])].flatMap(([row, { end }]) => (end && end.outcome !== 'PASS' ? [row] : []));
  }

  add({ test, row = '' }: RunPlace, runId: string): void {
    const runs = this.#tests.get(test) ?? new Map<string, KeptRun>();
    runs.delete(row);
    runs.set(row, { runId });
    this.#tests.delete(test);
    this.#tests.set(test, runs);
    let most = maxRuns;
    for (const [at, [known, { size }]] of [...this.#tests].reverse().entries()) {
      most -= size;
      if (at >= maxTests || most < 0) this.#tests.delete(known);
    }
    this.#keep();
  }

  /** @param rows keys of all rows that the test had when it was run; other rows are forgotten */
  end({ test, row = '' }: RunPlace, ending: RunEnding, rows: readonly string[] = []): void {
    const { id, outcome, completedAt, startedAt, callSeconds = 0 } = ending.results;
    if (outcome === undefined) return;
    const runs = this.#tests.get(test) ?? new Map<string, KeptRun>();
    const standing = new Set([row, ...rows]);
    for (const other of [...runs.keys()]) if (!standing.has(other)) runs.delete(other);
    runs.set(row, { runId: id, end: { outcome, endedAt: Date.parse(completedAt ?? startedAt), seconds: callSeconds } });
    this.#tests.set(test, runs);
    this.#keep();
    this.#ended.fire(ending);
  }

  #keep(): void {
    void this.#memento.update(
      key,
      Object.fromEntries([...this.#tests].map(([test, runs]) => [test, Object.fromEntries(runs)])),
    );
  }
}
