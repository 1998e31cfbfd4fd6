import type { RunOutcome } from '../../../contract/testRuns.ts';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import { testKey, weightiest, type RunEnd, type RunHistory } from '../../testing/runHistory.ts';
import { endingOf, type RunEnding } from '../../../runner/runTest.ts';
import { textAt, type ParsedFile } from '../../folders/parsedFile.ts';

/** The last result of a file's test in this workspace. For a param test, all rows of that run. */
export interface LastRun {
  /** The run whose report is most useful: one that didn't pass, otherwise the newest. */
  readonly runId: string;
  /** The worst outcome of all rows. */
  readonly outcome: RunOutcome;
  /** When the newest of them ended, in milliseconds since 1970. */
  readonly endedAt: number;
  /** Seconds of calls. */
  readonly seconds: number;
  readonly runs: number;
  readonly passed: number;
}

function lastRunOf(ends: readonly RunEnd[]): LastRun | undefined {
  const worstEnd = weightiest(ends);
  return (
    worstEnd && {
      runId: worstEnd.runId,
      outcome: worstEnd.outcome,
      endedAt: Math.max(...ends.map(({ endedAt }) => endedAt)),
      seconds: ends.reduce((sum, { seconds }) => sum + seconds, 0),
      runs: ends.length,
      passed: ends.filter(({ outcome }) => outcome === 'PASS').length,
    }
  );
}

interface LastRunsParts {
  readonly history: Pick<RunHistory, 'endsOf' | 'onDidEnd'>;
  readonly client: Pick<ServiceClient, 'call'>;
  /** Returns true if results can be shown without starting anything. */
  readonly isReady: () => boolean;
}

const maxKept = 50;

/**
 * The results of the last runs of the workspace's files: from this window as they end, and from the service if it is
 * running.
 */
export class LastRuns implements Disposable {
  readonly #parts: LastRunsParts;
  readonly #disposables = new DisposableStore();
  readonly #summaries = new Map<string, RunEnding>();

  constructor(parts: LastRunsParts) {
    this.#parts = parts;
    this.#disposables.add(
      parts.history.onDidEnd(({ results, mission }) => {
        this.#keep({ results, mission });
      }),
    );
  }

  of(file: ParsedFile): LastRun | undefined {
    return lastRunOf(this.#ends(file));
  }

  /** Newest first. Empty if nothing is known without starting something. */
  async told(file: ParsedFile): Promise<readonly RunEnding[]> {
    const newest = this.#ends(file)
      .sort((one, other) => other.endedAt - one.endedAt)
      .slice(0, maxKept);
    const descriptions = await Promise.all(newest.map(({ runId }) => this.#tell(runId)));
    return descriptions.filter((one) => one !== undefined);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #ends({ uri, root }: ParsedFile): RunEnd[] {
    return this.#parts.history.endsOf(testKey(textAt(root, 'id'), uri));
  }

  async #tell(runId: string): Promise<RunEnding | undefined> {
    const known = this.#summaries.get(runId);
    if (known || !this.#parts.isReady()) return known;
    const { client } = this.#parts;
    try {
      return this.#keep(await endingOf(client, await client.call('getRunResults', { runId })));
    } catch {
      // The run may have been deleted; then there is nothing to show.
      return undefined;
    }
  }

  #keep(told: RunEnding): RunEnding {
    this.#summaries.set(told.results.id, told);
    for (const oldest of [...this.#summaries.keys()].slice(0, -maxKept)) this.#summaries.delete(oldest);
    return told;
  }
}
