import type { Fingerprint } from '../../speech/ear.ts';
import { partsBetweenPauses, promptMs, type PromptPart } from '../../speech/fingerprint.ts';
import { findPromptAtStart, recordedPromptIn, soundEdges } from '../../speech/promptMatcher.ts';

/** A prompt, or the part of it that was heard; `toMs` is Infinity at its end. */
export interface PromptPiece {
  /** The index of the prompt. */
  readonly index: number;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Candidate extends PromptPiece {
  readonly fingerprint: Fingerprint;
  /** The part that follows. */
  readonly next: number;
}

/** What follows a prompt in the same piece begins after this: about the middle of the pause. */
const halfPauseMs = 100;
/** A shorter sound isn't compared alone. */
const shortestMs = 250;

/**
 * Recognises the pieces of a call by the prompts of another. A pause that is about as long as the one that divides
 * speech into pieces can divide the same prompt on one call and not on the next, because it depends on where the frames
 * begin: a piece can contain several prompts, or a part of one.
 */
export class PieceMatcher {
  readonly #wholes: readonly Candidate[];
  readonly #parts: ReadonlyMap<number, readonly PromptPart[]>;
  /** A prompt of which only the parts before this one were heard. */
  #begun: { readonly index: number; readonly next: number } | undefined;

  /** Undefined prompts aren't recognised; the others keep their indexes. */
  constructor(fingerprints: readonly (Fingerprint | undefined)[]) {
    const known = [...fingerprints.entries()].flatMap(([index, fingerprint]) =>
      fingerprint ? [{ index, fingerprint }] : [],
    );
    this.#parts = new Map(known.map(({ index, fingerprint }) => [index, partsBetweenPauses(fingerprint)]));
    this.#wholes = known.map((prompt) => ({ ...prompt, fromMs: 0, toMs: Infinity, next: 0 }));
  }

  /** Returns what the next piece of the call contains, or undefined if it contains anything unknown. */
  hear(pcm: Int16Array): readonly PromptPiece[] | undefined {
    const before = this.#begun;
    const heard = this.#match(pcm);
    if (!heard) this.#begun = before;
    return heard;
  }

  #match(pcm: Int16Array): readonly PromptPiece[] | undefined {
    const whole = found(this.#wholes, (prompts) => recordedPromptIn(pcm, prompts));
    if (whole) {
      this.#begun = undefined;
      return [whole];
    }
    const rests = this.#rests();
    const part = found([...rests, ...this.#beginnings()], (prompts) => recordedPromptIn(pcm, prompts));
    if (part) {
      this.#note(part);
      return [part];
    }
    const { firstMs, lastMs } = soundEdges(pcm);
    const longestMs = lastMs - firstMs - shortestMs - halfPauseMs;
    const starts = [...rests.filter(({ toMs }) => toMs === Infinity), ...this.#wholes].filter(
      ({ fingerprint }) => promptMs(fingerprint) <= longestMs,
    );
    const first = found(starts, (prompts) => findPromptAtStart(pcm, prompts));
    if (!first) return undefined;
    this.#begun = undefined;
    const rest = this.#match(pcm.subarray(Math.round((firstMs + promptMs(first.fingerprint) + halfPauseMs) * 8)));
    return rest && [first, ...rest];
  }

  /** Returns what can follow the beginning of a prompt. */
  #rests(): Candidate[] {
    return this.#begun ? this.#from(this.#begun.index, this.#begun.next) : [];
  }

  #beginnings(): Candidate[] {
    return [...this.#parts.keys()].flatMap((index) => this.#from(index, 0).filter(({ toMs }) => toMs !== Infinity));
  }

  /** Returns this part of a prompt, alone and with those that follow it. */
  #from(index: number, first: number): Candidate[] {
    const parts = this.#parts.get(index) ?? [];
    const { fromMs = 0 } = parts[first] ?? {};
    return parts.slice(first).flatMap(({ toMs, until }, offset) => {
      const next = first + offset + 1;
      const fingerprint = until(fromMs);
      return promptMs(fingerprint) < shortestMs
        ? []
        : [{ index, fromMs, toMs: next === parts.length ? Infinity : toMs, next, fingerprint }];
    });
  }

  #note({ index, toMs, next }: Candidate): void {
    this.#begun = toMs === Infinity ? undefined : { index, next };
  }
}

function found(
  candidates: readonly Candidate[],
  search: (prompts: readonly { readonly id: string; readonly fingerprint: Fingerprint }[]) => string | undefined,
): Candidate | undefined {
  if (candidates.length === 0) return undefined;
  const id = search(candidates.map(({ fingerprint }, at) => ({ id: String(at), fingerprint })));
  return id === undefined ? undefined : candidates[Number(id)];
}
