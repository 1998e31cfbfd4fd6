import type { Span } from '../call/callAudio.ts';
import type { HeardBySound, HeardSounds } from '../call/heardBySound.ts';
import type { Understood } from './referencePrompts.ts';

interface Piece extends Span {
  readonly understood: Understood | undefined;
}

/** An utterance can begin this long before the time that the caller noted for it. */
const edgeMs = 250;
/** Together with a key, it is an option that isn't harmless. */
const unheard = 'unrecognised wording';

/** The pieces that a call of a load test heard, with the words of those that sound like the reference. */
export class SoundWords implements HeardBySound {
  readonly #pieces: Piece[] = [];

  add({ startMs, endMs }: Span, understood: Understood | undefined): void {
    this.#pieces.push({ startMs, endMs, understood });
  }

  since(fromMs: number): HeardSounds {
    const pieces = this.#pieces.filter(({ endMs }) => endMs > fromMs);
    return {
      text: pieces
        .map((piece) => textOf(piece, fromMs))
        .filter((text) => text !== '')
        .join(' '),
      varies: pieces.some(({ understood }) => understood?.varies === true),
      isUnknown: pieces.some(({ understood }) => !understood),
    };
  }
}

function textOf({ startMs, understood }: Piece, fromMs: number): string {
  const { text, varies } = understood ?? { text: '', varies: true };
  // If a piece began earlier, it isn't known which sentence its rest belongs to.
  const isSure = varies !== true && startMs >= fromMs - edgeMs;
  if (isSure || (understood && text === '')) return text;
  // If it is a sentence, it isn't a part of the next one.
  return unheard + (/[.?!]$/.exec(text.trim())?.[0] ?? '');
}
