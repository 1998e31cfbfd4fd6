import { because, join, reasonOf, sentence, type Reason, type Sentences } from '../../base/sentences.ts';
import type { RunOutcome } from '../../contract/testRuns.ts';
import { patience } from './patience.ts';

/** How late this machine was when it mattered: if it is busy, words become text long after they are said. */
export class Lateness {
  #worstMs = 0;

  /** An utterance became text, was acted upon, or still wasn't understood this long after its end. */
  behind(ms: number): void {
    this.#worstMs = Math.max(this.#worstMs, ms);
  }

  /** Whether the called side may have given up on its caller by the time that something was understood. */
  get isTooLate(): boolean {
    return this.#worstMs > patience.ofSystems;
  }

  /** Why the result says little about the called side: this machine may have caused it. Undefined if it was in time. */
  get cause(): Sentences | undefined {
    return this.isTooLate
      ? sentence`Dialtree itself may be the cause: this machine was so busy that speech recognition was up to ${(this.#worstMs / 1000).toFixed(1)} s late.`
      : undefined;
  }

  /** The cause, and what to do about a test. */
  get excuse(): Sentences | undefined {
    const { cause } = this;
    return cause && join(cause, sentence`Run the test again when the machine is less busy.`);
  }
}

/** Returns a result; a failure after this machine was too late is inconclusive. The rule for all kinds of runs. */
export function excused<End extends Reason & { readonly outcome: RunOutcome }>(
  end: End,
  excuse: Sentences | undefined,
): End {
  if (end.outcome !== 'FAIL' || excuse === undefined) return end;
  return { ...end, outcome: 'INCONCLUSIVE', ...because(join(reasonOf(end), excuse)) };
}
