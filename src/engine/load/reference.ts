import type { TestStep } from '../../contract/testConfigs.ts';
import type { Fingerprint, Utterance, Word } from '../../speech/ear.ts';
import { fingerprintOf } from '../../speech/fingerprint.ts';
import type { Span } from '../call/callAudio.ts';
import type { CallTestEnd } from '../call/callTestEvent.ts';
import type { ActiveCall, Dialer } from '../call/talk.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { endOfScript } from '../script/script.ts';
import { SpeechPieces } from './speechPieces.ts';

/** What the called side said between two short pauses. Word times are relative to its first sound. */
export interface ReferencePrompt {
  readonly text: string;
  readonly words: readonly Word[];
  readonly fingerprint: Fingerprint;
}

/** A call of a test that was understood by the recogniser. Plain data. */
export interface Reference {
  readonly prompts: readonly ReferencePrompt[];
  /** The caller's own words as audio, by their text. */
  readonly spoken: ReadonlyMap<string, Int16Array>;
  readonly callSeconds: number;
}

/** Calls once, with recognition, and returns how the test ended and what was heard. Rejects only if aborted. */
export async function makeReference(
  options: TestCallOptions & { readonly steps: readonly TestStep[] },
): Promise<{ readonly ended: CallTestEnd; readonly reference: Reference }> {
  const { dialer } = options;
  let heard: ReferenceCall | undefined;
  const tapped: Dialer = {
    dial: async (target, signal, as) => {
      const talk = await dialer.dial(target, signal, as);
      heard = new ReferenceCall(talk);
      return talk;
    },
  };
  const ended = await endOfScript({ ...options, dialer: tapped });
  return {
    ended,
    reference: {
      prompts: heard?.prompts() ?? [],
      spoken: heard?.spoken(options.steps) ?? new Map<string, Int16Array>(),
      callSeconds: ended.callSeconds,
    },
  };
}

/** A call, and what was understood on it. */
class ReferenceCall {
  readonly #talk: ActiveCall;
  readonly #utterances: Utterance[] = [];

  constructor(talk: ActiveCall) {
    this.#talk = talk;
    talk.listen((event) => {
      if (event.type === 'utterance') this.#utterances.push(event.utterance);
    });
  }

  /** Returns what the caller said. Only the texts of `say` steps are spoken, in order. */
  spoken(steps: readonly TestStep[]): Map<string, Int16Array> {
    const texts = steps.flatMap(({ action }) => (action.type === 'say' ? [action.text] : []));
    return new Map(this.#talk.spoken().flatMap(({ pcm }, index) => [[texts[index] ?? '', pcm] as const]));
  }

  /** Divides the call like the calls of the load test will be, by its sound alone. */
  prompts(): ReferencePrompt[] {
    const words = this.#utterances.flatMap((utterance) => wordsOf(utterance));
    return piecesOf(this.#talk.audio(0, this.#talk.now())).map(({ startMs, endMs }) => {
      const own = words.filter((word) => midOf(word) >= startMs - edgeMs && midOf(word) <= endMs + edgeMs);
      return {
        text: own.map(({ text }) => text).join(' '),
        words: own.map((word) => ({ ...word, startMs: word.startMs - startMs, endMs: word.endMs - startMs })),
        fingerprint: fingerprintOf(this.#talk.audio(startMs - edgeMs, endMs + edgeMs)),
      };
    });
  }
}

function piecesOf(pcm: Int16Array): Span[] {
  const pieces = new SpeechPieces();
  const spans: Span[] = [];
  const onEvent: Parameters<SpeechPieces['push']>[1]['onEvent'] = (event) => {
    if (event.type === 'piece') spans.push(event);
  };
  pieces.push(pcm, { onEvent });
  for (const event of pieces.finish()) onEvent(event);
  return spans;
}

/** Sound begins and ends slightly outside its detected times. */
const edgeMs = 60;
const midOf = ({ startMs, endMs }: Word): number => (startMs + endMs) / 2;

/** The words as they are shown, with their punctuation; evenly spread if the aligner found no times. */
function wordsOf({ text, words, startMs, endMs }: Utterance): Word[] {
  const shown = text.split(/\s+/).filter((word) => word !== '');
  const step = (endMs - startMs) / Math.max(1, shown.length);
  return shown.map((word, index) => ({
    text: word,
    startMs: (words.length === shown.length ? words[index]?.startMs : undefined) ?? startMs + index * step,
    endMs: (words.length === shown.length ? words[index]?.endMs : undefined) ?? startMs + (index + 1) * step,
  }));
}
