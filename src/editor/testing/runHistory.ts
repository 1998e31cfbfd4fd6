import type { Memento } from 'vscode';
import * as z from 'zod';
import { runOutcomeSchema } from '../../contract/testRuns.ts';
import { Emitter } from '../emitter.ts';
import type { Ending } from './failures.ts';

const key = 'dialtree.testRuns';
const keptSchema = z.record(z.string(), z.array(z.string())).catch({});
const endsKey = 'dialtree.testEnds';
/** `endedAt` is in milliseconds since 1970, `seconds` those of the call. */
const runEndSchema = z.object({ runId: z.string(), outcome: runOutcomeSchema, endedAt: z.number(), seconds: z.number() });
export type RunEnd = z.output<typeof runEndSchema>;
const keptEndsSchema = z.record(z.string(), runEndSchema).catch({});
const mostTests = 500;
const mostRuns = 20;

/** Which runs each test of this workspace had, newest first, so that their reports are found again, and how the newest ended. */
export class RunHistory {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  /** In the order in which tests were run last. */
  readonly #runs: Map<string, readonly string[]>;
  readonly #ends: Map<string, RunEnd>;
  readonly #ended = new Emitter<Ending>();
  readonly onDidEnd = this.#ended.listen;

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    this.#runs = new Map(Object.entries(keptSchema.parse(memento.get(key) ?? {})));
    this.#ends = new Map(Object.entries(keptEndsSchema.parse(memento.get(endsKey) ?? {})));
  }

  of(testId: string): readonly string[] {
    return this.#runs.get(testId) ?? [];
  }

  /** How the newest run of a test ended. */
  endOf(testId: string): RunEnd | undefined {
    return this.#ends.get(testId);
  }

  add(testId: string, runId: string): void {
    const runs = [runId, ...this.of(testId)].slice(0, mostRuns);
    this.#runs.delete(testId);
    this.#runs.set(testId, runs);
    for (const oldest of [...this.#runs.keys()].slice(0, -mostTests)) {
      this.#runs.delete(oldest);
      this.#ends.delete(oldest);
    }
    void this.#memento.update(key, Object.fromEntries(this.#runs));
  }

  end(testId: string, ending: Ending): void {
    const { id, outcome, completedAt, startedAt, callSeconds = 0 } = ending.results;
    if (outcome === undefined) return;
    this.#ends.set(testId, { runId: id, outcome, endedAt: Date.parse(completedAt ?? startedAt), seconds: callSeconds });
    void this.#memento.update(endsKey, Object.fromEntries(this.#ends));
    this.#ended.fire(ending);
  }
}
