import type { Memento } from 'vscode';
import * as z from 'zod';

const key = 'dialtree.testRuns';
const keptSchema = z.record(z.string(), z.array(z.string())).catch({});
const mostTests = 500;
const mostRuns = 20;

/** Which runs each test of this workspace had, newest first, so that their reports are found again. */
export class RunHistory {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  /** In the order in which tests were run last. */
  readonly #runs: Map<string, readonly string[]>;

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    this.#runs = new Map(Object.entries(keptSchema.parse(memento.get(key))));
  }

  of(testId: string): readonly string[] {
    return this.#runs.get(testId) ?? [];
  }

  add(testId: string, runId: string): void {
    const runs = [runId, ...this.of(testId)].slice(0, mostRuns);
    this.#runs.delete(testId);
    this.#runs.set(testId, runs);
    for (const oldest of [...this.#runs.keys()].slice(0, -mostTests)) this.#runs.delete(oldest);
    void this.#memento.update(key, Object.fromEntries(this.#runs));
  }
}
