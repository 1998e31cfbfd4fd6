import type { Turn } from '../../contract/testRuns.ts';
import type { SoundClass, Utterance, Word } from '../../speech/ear.ts';
import { replaceUtterance } from '../../speech/utterances.ts';
import type { CallEnd } from '../../telephony/call.ts';
import type { Clock } from '../../base/clock.ts';
import { addTurn } from '../../model/calls/turnOrder.ts';
import type { AudioSpan } from '../call/callAudio.ts';
import { cutAtActs, type Piece } from './cutAtActs.ts';
import { Inbox } from './inbox.ts';
import { patience } from './patience.ts';
import type { ActiveCall, ActiveCallEvent } from '../call/activeCall.ts';

/** The speech within a span: its words, and where the speech is in the call's audio (milliseconds). */
export interface HeardSpeech {
  readonly text: string;
  readonly words: readonly Word[];
  readonly endMs: number;
}

/** A sound that isn't speech. It began at `sinceMs` and was certain at `atMs`. */
export interface HeardSound {
  readonly sound: SoundClass;
  readonly sinceMs: number;
  readonly atMs: number;
}

/** A known prompt that is playing, or has ended. */
export interface MatchedPrompt {
  readonly id: string;
  readonly startMs: number;
  /** How much of the prompt was skipped; see `ExpectedPrompt`. */
  readonly offsetMs: number;
  readonly hasEnded: boolean;
}

/** Text of an utterance up to a pause. */
export interface HeardPartial {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

interface Stretch {
  readonly startMs: number;
  endMs: number;
}

const edgeSlackMs = 250;
/** A tone and the gap after it. Systems respond to the last key before the gap has ended. */
const toneMs = 200;
const longSilenceMs = 1500;
const onsetMs = 300;
const endSlackMs = 500;

/** Everything that both sides said on one call, as it becomes known. */
export class CallLog {
  readonly #call: ActiveCall;
  readonly #clock: Clock;
  readonly #inbox: Inbox;
  readonly #onTurn: (turn: Turn) => void;
  readonly #turns: Turn[] = [];
  /** When the caller pressed or said something, in order. */
  readonly #acts: AudioSpan[] = [];
  readonly #utterances: Utterance[] = [];
  readonly #speech: Stretch[] = [];
  #partial: HeardPartial | undefined;
  #speaking = false;
  #music = false;
  readonly #sounds: HeardSound[] = [];
  #matched: MatchedPrompt | undefined;
  #unknownAtMs = -Infinity;
  #transfer: { readonly atMs: number; readonly target: string } | undefined;
  #end: { readonly end: CallEnd; readonly atMs: number } | undefined;
  #eventCount = 0;
  /** How long after its end each utterance became text. */
  readonly #textLags: { readonly endMs: number; readonly lagMs: number }[] = [];
  readonly #stopTiming: () => void;

  /** An abort of `signal` ends a wait for the next event early. */
  constructor(call: ActiveCall, clock: Clock, onTurn: (turn: Turn) => void, signal?: AbortSignal) {
    this.#call = call;
    this.#clock = clock;
    this.#inbox = new Inbox(call, clock, signal);
    this.#onTurn = onTurn;
    // The time of arrival, not of processing.
    this.#stopTiming = call.listen((event) => {
      if (event.type !== 'utterance') return;
      const { endMs } = event.utterance;
      this.#textLags.push({ endMs, lagMs: call.now() - endMs });
    });
  }

  /** In the order in which they began. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }
  /** The length of the call, and the time up to which its speech is known; see `ActiveCall`. */
  get nowMs(): number {
    return this.#call.now();
  }
  get heardMs(): number {
    return this.#call.heardMs();
  }
  get eventCount(): number {
    return this.#eventCount;
  }
  /** Set once the call has ended and everything that was said is text. */
  get ended(): { readonly end: CallEnd; readonly atMs: number } | undefined {
    return this.#end;
  }
  /** The last transfer that the called side asked for. */
  get transfer(): { readonly atMs: number; readonly target: string } | undefined {
    return this.#transfer;
  }
  /** Music or a ringing tone plays: the caller is waiting to be connected. */
  get onHold(): boolean {
    return this.#music;
  }

  /** Sounds that aren't speech and began after this time, in order. */
  soundsSince(fromMs: number): SoundClass[] {
    return this.#sounds.filter(({ sinceMs }) => sinceMs >= fromMs - edgeSlackMs).map(({ sound }) => sound);
  }
  /** All sounds that aren't speech, in order. */
  get sounds(): readonly HeardSound[] {
    return this.#sounds;
  }

  /** The known prompt that began after this time; undefined if there is none, or it continued differently. */
  matchedSince(fromMs: number): MatchedPrompt | undefined {
    return this.#matched && this.#matched.startMs >= fromMs - edgeSlackMs ? this.#matched : undefined;
  }
  /** When the last prompt turned out to be an unknown one. */
  get unknownAtMs(): number {
    return this.#unknownAtMs;
  }

  /** All complete utterances of the called side after this time, as far as they are text. */
  utterancesSince(fromMs: number): readonly Utterance[] {
    return this.#utterances.filter(({ endMs }) => endMs > fromMs);
  }
  /** The text so far of an unfinished utterance. */
  partialSince(fromMs: number): HeardPartial | undefined {
    return this.#partial && this.#partial.endMs > fromMs ? this.#partial : undefined;
  }

  /** The text so far of an unfinished utterance, without what was said before the caller's last act. */
  get hearing(): Utterance | undefined {
    const pieces = this.#partial ? cutAtActs({ ...this.#partial, rawText: '', words: [] }, this.#acts) : [];
    return pieces.find(({ acts }) => acts === this.#acts.length);
  }

  /** The spans in which the called side spoke. */
  get speech(): readonly AudioSpan[] {
    return this.#speech;
  }

  /** Replaces the text of utterances, or their parts, that turn out not to be words of the called side. */
  rewriteTurns(textOf: (utterance: Utterance) => string): void {
    for (const piece of this.#utterances.flatMap((utterance) => this.#piecesOf(utterance))) {
      const index = this.#turns.findIndex(
        ({ speaker, text, startMs }) =>
          speaker === 'them' && text === piece.text && startMs === Math.round(piece.startMs),
      );
      const turn = this.#turns[index];
      if (turn) this.#turns[index] = { ...turn, text: textOf(piece) };
    }
  }

  /** Processes the next event, or waits for this time. */
  async next(timeoutMs: number): Promise<void> {
    const event = await this.#inbox.next(timeoutMs);
    if (event) this.#take(event);
    this.#catchUp();
  }

  /** Ends a wait for the next event early. */
  wake(): void {
    this.#inbox.wake();
  }

  /** Processes events until a call that was hung up has ended, for up to this time. Returns whether it has ended. */
  async drain(timeoutMs: number): Promise<boolean> {
    const untilMs = this.#clock.now() + timeoutMs;
    for (let leftMs = timeoutMs; !this.#end && leftMs > 0; leftMs = untilMs - this.#clock.now())
      await this.next(leftMs);
    return this.#end !== undefined;
  }

  /**
   * A busy machine reports many events at once. How long it has been quiet is known only when all are processed,
   * because the beginning of the next sentence can be among them.
   */
  #catchUp(): void {
    for (let event = this.#inbox.take(); event; event = this.#inbox.take()) this.#take(event);
  }

  close(): void {
    this.#stopTiming();
    this.#inbox.close();
  }

  /** The caller pressed or said something. Words that are text already can turn out to come after it. */
  did(text: string, startMs: number, endMs: number): void {
    this.#add({ speaker: 'us', text, startMs: Math.round(startMs), endMs: Math.round(endMs) });
    const spans = this.#utterances.filter((utterance) => utterance.endMs > startMs);
    const before = spans.map((utterance) => this.#piecesOf(utterance));
    this.#acts.push({ startMs, endMs });
    for (const [index, utterance] of spans.entries()) this.#replace(before[index] ?? [], utterance);
  }

  /**
   * Returns what the called side said from this time: after the caller's act if it is the time of one, otherwise the
   * words of which most is after it. Only utterances that had ended by `untilMs`.
   */
  heardSince(fromMs: number, untilMs = Infinity): HeardSpeech {
    this.#catchUp();
    const act = this.#acts.findLast(({ startMs, endMs }) => startMs <= fromMs && endMs >= fromMs);
    const from = act ?? { startMs: fromMs, endMs: fromMs };
    const utterances = this.utterancesSince(from.startMs).filter(({ endMs }) => endMs <= untilMs);
    const partial = untilMs === Infinity ? this.partialSince(from.startMs) : undefined;
    const pieces = [...utterances, ...(partial ? [{ ...partial, rawText: '', words: [] }] : [])]
      .flatMap((utterance) => cutAtActs(utterance, [from]))
      .filter(({ acts, text }) => acts > 0 && text !== '');
    return {
      text: pieces.map(({ text }) => text).join(' '),
      words: pieces.flatMap(({ words }) => words),
      endMs: Math.max(fromMs, utterances.at(-1)?.endMs ?? fromMs, partial?.endMs ?? fromMs),
    };
  }

  /** Milliseconds since the called side last spoke, or since `fromMs`. 0 while it speaks or speech isn't text yet. */
  quietMs(fromMs: number): number {
    return Math.max(0, this.heardMs - this.quietAtMs(fromMs, 0));
  }

  /** When it will have been quiet for this time since `fromMs` if nothing more is said; Infinity during speech. */
  quietAtMs(fromMs: number, forMs: number): number {
    this.#catchUp();
    const lastMs = this.#speech.at(-1)?.endMs ?? fromMs;
    const quietMs = Math.max(lastMs, fromMs) + forMs;
    if (this.#end) return quietMs;
    if (this.#speaking) return Infinity;
    return this.unreadMs > 0 && this.unreadMs < patience.text.lost
      ? Math.max(quietMs, lastMs + patience.text.lost)
      : quietMs;
  }

  /** The longest time from the end of an utterance until it became text. */
  get textLagMs(): number {
    return this.lateMs(0, Infinity);
  }

  /** The longest time from the end of an utterance to its text, of those that ended after `fromMs` and were text by `toMs`. */
  lateMs(fromMs: number, toMs: number): number {
    const lags = this.#textLags.filter(({ endMs, lagMs }) => endMs >= fromMs && endMs + lagMs <= toMs);
    return Math.max(0, ...lags.map(({ lagMs }) => lagMs));
  }

  /** How long ago the last speech ended that isn't text yet; 0 if all is. */
  get unreadMs(): number {
    const last = this.#speech.at(-1)?.endMs ?? 0;
    const textUntil = this.#utterances.at(-1)?.endMs ?? 0;
    return last <= textUntil + edgeSlackMs ? 0 : Math.max(1, this.#call.heardMs() - last);
  }

  /** Where the last speech between these times ends that isn't text yet; undefined if all is. */
  unreadBefore(fromMs: number, untilMs: number): number | undefined {
    const last = this.#speech.findLast(({ startMs }) => startMs < untilMs - onsetMs);
    const textUntil = this.#utterances.at(-1)?.endMs ?? 0;
    if (!last) return undefined;
    const continues = this.#speaking && last === this.#speech.at(-1);
    const endMs = continues ? Math.max(last.endMs, untilMs) : last.endMs;
    return endMs <= fromMs || textUntil >= Math.min(endMs, untilMs) - endSlackMs ? undefined : endMs;
  }

  /**
   * The pause after the text so far (from `fromMs`) if the called side has spoken again since, otherwise 0. On a busy
   * machine, words become text when the next ones are already being said. Waiting for a quiet moment with everything
   * understood would take forever and miss turns.
   */
  pausedMs(fromMs: number): number {
    const textUntil = this.#utterances.at(-1)?.endMs ?? 0;
    if (textUntil <= fromMs) return 0;
    const next = this.onsetAfter(textUntil);
    return next === undefined ? 0 : next - textUntil;
  }

  /**
   * Milliseconds from this time until the called side began to speak; undefined if it hasn't. `acted`: the caller
   * pressed or said something at this time. If that happens during a prompt, the response follows without a pause, so
   * its start isn't known.
   */
  latencyMs(fromMs: number, acted: boolean): number | undefined {
    const onsetMs = acted && this.speaksAt(fromMs - toneMs) ? undefined : this.onsetAfter(fromMs - toneMs);
    return onsetMs === undefined ? undefined : Math.max(0, Math.round(onsetMs - fromMs));
  }

  /** Returns true if the called side was speaking at this time, or began afterwards. */
  begunSince(fromMs: number): boolean {
    return this.speaksAt(fromMs - toneMs) || this.onsetAfter(fromMs - toneMs) !== undefined;
  }

  /** Returns true if the called side spoke after this time. */
  spokeSince(fromMs: number): boolean {
    return this.#speech.some(({ endMs }) => endMs > fromMs + edgeSlackMs);
  }

  speaksAt(atMs: number): boolean {
    return this.#speech.some(
      ({ startMs, endMs }, index) =>
        startMs <= atMs && (endMs > atMs || (this.#speaking && index === this.#speech.length - 1)),
    );
  }

  /** Returns where the first speech after this time began. */
  onsetAfter(fromMs: number): number | undefined {
    return this.#speech.find(({ startMs }) => startMs >= fromMs)?.startMs;
  }

  /** Returns the longest time without speech in this span, in milliseconds. */
  longestSilence(fromMs: number, toMs: number): number {
    let longest = 0,
      quietSince = fromMs;
    for (const { startMs, endMs } of this.#speech) {
      if (endMs <= fromMs || startMs >= toMs) continue;
      longest = Math.max(longest, startMs - quietSince);
      quietSince = Math.max(quietSince, endMs);
    }
    return Math.max(longest, toMs - quietSince);
  }

  /** The same of all utterances of the call. */
  spansOf(hidden: HiddenWords): AudioSpan[] {
    return spansOf(this.#utterances, hidden);
  }

  #take(event: ActiveCallEvent): void {
    this.#eventCount += 1;
    switch (event.type) {
      case 'speechStart':
        this.#speaking = true;
        this.#music = false;
        this.#speech.push({ startMs: event.atMs, endMs: event.atMs });
        break;
      case 'speechResume':
        this.#speaking = true;
        break;
      case 'speechPause': {
        this.#speaking = false;
        const last = this.#speech.at(-1);
        if (last) last.endMs = Math.max(last.endMs, event.atMs);
        break;
      }
      case 'partial': {
        this.#partial = event;
        const last = this.#speech.at(-1);
        if (last) last.endMs = Math.max(last.endMs, event.endMs);
        break;
      }
      case 'utterance': {
        const { utterance } = event;
        this.#partial = undefined;
        this.#utterances.push(utterance);
        this.#replace([], utterance);
        break;
      }
      case 'correction': {
        const before = this.#utterances.find(({ startMs }) => startMs === event.utterance.startMs);
        if (!before) break;
        replaceUtterance(this.#utterances, event.utterance);
        this.#replace(this.#piecesOf(before), event.utterance);
        break;
      }
      case 'sound':
        if (event.sound !== 'silence') this.#sounds.push(event);
        // Noise can hide a pause.
        else if (event.atMs - event.sinceMs > longSilenceMs) this.#speaking = false;
        this.#music = event.sound === 'music' || event.sound === 'ringback';
        break;
      case 'ended': {
        const last = this.#speech.at(-1);
        if (last && this.#speaking) last.endMs = Math.max(last.endMs, event.atMs);
        this.#speaking = false;
        this.#end = event;
        break;
      }
      case 'transfer':
        this.#transfer = event;
        break;
      case 'promptMatched':
        this.#matched = { id: event.id, startMs: event.startMs, offsetMs: event.offsetMs ?? 0, hasEnded: false };
        break;
      case 'promptBroken':
        if (this.#matched?.id === event.id) this.#matched = undefined;
        break;
      case 'promptEnded':
        if (this.#matched?.id === event.id) this.#matched = { ...this.#matched, hasEnded: true };
        break;
      case 'promptUnknown':
        this.#unknownAtMs = event.atMs;
        break;
    }
  }

  #piecesOf(utterance: Utterance): readonly Piece[] {
    return utterance.text === '' ? [] : cutAtActs(utterance, this.#acts);
  }

  /** Adds the turns of an utterance. Those that it had before are replaced, or removed by an empty text. */
  #replace(before: readonly Piece[], utterance: Utterance): void {
    const [old, now] = [before.map(turnOf), this.#piecesOf(utterance).map(turnOf)];
    for (const turn of old) if (!now.some(({ startMs }) => startMs === turn.startMs)) this.#add({ ...turn, text: '' });
    for (const turn of now)
      if (!old.some(({ startMs, text }) => startMs === turn.startMs && text === turn.text)) this.#add(turn);
  }

  #add(turn: Turn): void {
    addTurn(this.#turns, turn);
    this.#onTurn(turn);
  }
}

type HiddenWords = (words: readonly string[]) => ReadonlySet<number>;

/** Returns the spans of the words that `hidden` selects by index, or the whole utterance if they have no times. */
export const spansOf = (utterances: readonly Utterance[], hidden: HiddenWords): AudioSpan[] =>
  utterances.flatMap(({ text, words, startMs, endMs }) => {
    if (words.length === 0) return hidden(text.split(/\s+/)).size > 0 ? [{ startMs, endMs }] : [];
    return [...hidden(words.map((word) => word.text))].flatMap((index) => words[index] ?? []);
  });

const turnOf = ({ text, startMs, endMs }: Utterance): Turn => ({
  speaker: 'them',
  text,
  startMs: Math.round(startMs),
  endMs: Math.round(endMs),
});
