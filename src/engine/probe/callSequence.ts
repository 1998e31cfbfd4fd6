import type { Sentences } from '../../base/sentences.ts';
import type { Turn } from '../../contract/testRuns.ts';
import { masked, maskReadBack } from '../../model/secrets/secretMask.ts';
import { samplesPerMs } from '../call/callAudio.ts';
import type { CallAudio, CallSides } from '../call/callAudio.ts';
import type { CallTestEnd, CallTestEvent } from '../call/callTestEvent.ts';
import { sentencesOfEnd } from '../../model/calls/sentencesOfEnd.ts';
import { withSentences } from '../call/hangUp.ts';
import { EventStream } from '../eventStream.ts';

type CallEnded = Omit<CallTestEnd, 'outcome' | 'steps'>;

/**
 * The events of a run's calls on one time axis: each call begins where the audio of the one before ends. Numbers are
 * read back in more ways than a test's own mask knows ("forty twelve"), so events leave without them.
 */
export class CallSequence extends EventStream<CallTestEvent> {
  readonly secretDigits: readonly string[];
  readonly #audio: CallAudio[] = [];
  readonly #openings: { readonly turn: Turn; readonly call: number }[] = [];
  readonly #offsets: number[] = [];
  /** When a secret was first given, in milliseconds of the run. */
  #givenMs = Infinity;

  constructor(secretDigits: readonly string[]) {
    super();
    this.secretDigits = secretDigits;
  }

  /** Masks what was said by then: a system can read a number out in pieces, each too short to recognise. */
  said(text: string, atMs: number): string {
    return maskReadBack(text, this.secretDigits, atMs >= this.#givenMs ? 'pieces' : 'long');
  }

  /** Masks a sentence of Dialtree, which can quote words from any time. */
  told(text: string): string {
    return maskReadBack(
      text.replaceAll(/“[^”]*”/g, (quote) => this.said(quote, Infinity)),
      this.secretDigits,
    );
  }

  masked(why: Sentences): Sentences {
    return why.with((value, isQuoted) => (isQuoted ? this.told(`“${value}”`).slice(1, -1) : this.told(value)));
  }

  /** What follows belongs to another call. Returns where it begins, in milliseconds. */
  nextCall(why?: string): number {
    const offsetMs = Math.round(lengthOf(this.#audio) / samplesPerMs);
    this.#offsets.push(offsetMs);
    if (why !== undefined) {
      const turn: Turn = { speaker: 'us', text: `[calls again: ${why}]`, startMs: offsetMs, endMs: offsetMs };
      this.#openings.push({ turn, call: this.#offsets.length - 1 });
      super.push({ type: 'turn', turn });
    }
    return offsetMs;
  }

  /** The audio of a call is kept until all calls are over, because a run has one recording. */
  override push(event: CallTestEvent): void {
    if (event.type === 'audio') this.#audio.push(event.audio);
    else
      super.push(
        event.type === 'turn' ? { type: 'turn', turn: this.#turn(event.turn, this.#offsets.at(-1) ?? 0) } : event,
      );
  }

  tellAudio(): void {
    if (this.#audio.length > 0)
      super.push({ type: 'audio', audio: { length: lengthOf(this.#audio), read: (from, to) => this.#read(from, to) } });
  }

  #read(from: number, to: number): CallSides {
    const parts: CallSides[] = [];
    let start = 0;
    for (const audio of this.#audio) {
      const [first, end] = [Math.max(from - start, 0), Math.min(to - start, audio.length)];
      if (first < end) parts.push(audio.read(first, end));
      start += audio.length;
    }
    return { us: joined(parts.map(({ us }) => us)), them: joined(parts.map(({ them }) => them)) };
  }

  /** Returns the end of the whole run: the last hang-up, the first post-dial delay, all seconds and turns. */
  ended(calls: readonly CallEnded[]): CallEnded {
    const offsetOf = (index: number): number => this.#offsets[index] ?? 0;
    const transcript = calls.flatMap((call, index) => [
      ...this.#openings.filter((opening) => opening.call === index).map(({ turn }) => turn),
      ...call.transcript.map((turn) => this.#turn(turn, offsetOf(index))),
    ]);
    const { hangUp } = calls.at(-1) ?? {};
    const postDialMs = calls[0]?.postDialMs;
    const endedBy = calls.find((call) => call.endedBy)?.endedBy;
    return {
      transcript,
      callSeconds: Math.round(calls.reduce((sum, { callSeconds }) => sum + callSeconds, 0) * 1000) / 1000,
      postDialMs,
      ...(endedBy && { endedBy }),
      ...(hangUp && {
        hangUp: {
          ...withSentences(hangUp, this.masked(sentencesOfEnd(hangUp))),
          ...(hangUp.atMs !== undefined && { atMs: hangUp.atMs + offsetOf(calls.length - 1) }),
        },
      }),
    };
  }

  #turn(turn: Turn, offsetMs: number): Turn {
    const { speaker, text, startMs, endMs } = turn;
    const atMs = ((speaker === 'us' ? startMs : endMs) ?? 0) + offsetMs;
    if (speaker === 'us' && text.includes(masked)) this.#givenMs = Math.min(this.#givenMs, atMs);
    return {
      ...turn,
      text: speaker === 'them' ? this.said(text, atMs) : text,
      ...(startMs !== undefined && { startMs: shifted(startMs, offsetMs) }),
      ...(endMs !== undefined && { endMs: shifted(endMs, offsetMs) }),
    };
  }
}

/** What was said before the answer of a further call comes after the calls before it. */
const shifted = (ms: number, offsetMs: number): number => (offsetMs === 0 ? ms : Math.max(0, ms) + offsetMs);

const lengthOf = (audio: readonly CallAudio[]): number => audio.reduce((sum, { length }) => sum + length, 0);

function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
