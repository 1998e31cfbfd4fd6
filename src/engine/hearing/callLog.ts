import type { Turn } from '../../contract/testRuns.ts';
import type { SoundClass, Utterance, Word } from '../../speech/ear.ts';
import type { CallEnd } from '../../telephony/call.ts';
import type { Clock } from '../../base/clock.ts';
import type { Span } from '../call/callAudio.ts';
import { Inbox } from './inbox.ts';
import { patience } from './patience.ts';
import type { Talk, TalkEvent } from '../call/talk.ts';

/** What was heard within a time: its words, and where the speech lies in the call's audio (milliseconds). */
export interface HeardPart {
  readonly text: string;
  readonly words: readonly Word[];
  readonly endMs: number;
}

/** A sound that isn't speech; `sinceMs` is where it began, `atMs` when that was sure. */
export interface HeardSound {
  readonly sound: SoundClass;
  readonly sinceMs: number;
  readonly atMs: number;
}

/** A known prompt that plays, or has ended. */
export interface MatchedPrompt {
  readonly id: string;
  readonly startMs: number;
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
/** A tone and the gap behind it: systems answer the last key before that has ended. */
const toneMs = 200;
const longSilenceMs = 1500;
const onsetMs = 300;
const endSlackMs = 500;

/** Everything that was said on one call, by both sides, as it becomes known. */
export class CallLog {
  readonly #talk: Talk;
  readonly #clock: Clock;
  readonly #inbox: Inbox;
  readonly #onTurn: (turn: Turn) => void;
  readonly #turns: Turn[] = [];
  readonly #utterances: Utterance[] = [];
  readonly #speech: Stretch[] = [];
  #partial: HeardPartial | undefined;
  #speaking = false;
  #music = false;
  readonly #sounds: HeardSound[] = [];
  #matched: MatchedPrompt | undefined;
  #unknownAtMs = -Infinity;
  #end: { readonly end: CallEnd; readonly atMs: number } | undefined;
  #eventCount = 0;
  #textLagMs = 0;
  readonly #stopTiming: () => void;

  /** An abort of `signal` ends a wait for the next event early. */
  constructor(talk: Talk, clock: Clock, onTurn: (turn: Turn) => void, signal?: AbortSignal) {
    this.#talk = talk;
    this.#clock = clock;
    this.#inbox = new Inbox(talk, clock, signal);
    this.#onTurn = onTurn;
    // When it came, not when somebody takes it in.
    this.#stopTiming = talk.listen((event) => {
      if (event.type === 'utterance') this.#textLagMs = Math.max(this.#textLagMs, talk.now() - event.utterance.endMs);
    });
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }
  /** How long the call lasts, and up to where speech in it is known; see `Talk`. */
  get nowMs(): number {
    return this.#talk.now();
  }
  get heardMs(): number {
    return this.#talk.heardMs();
  }
  /** How many events were taken in. */
  get eventCount(): number {
    return this.#eventCount;
  }
  /** Set once the call has ended and all that was said has become text. */
  get ended(): { readonly end: CallEnd; readonly atMs: number } | undefined {
    return this.#end;
  }
  /** Music plays, or a ringing tone: somebody is waited for. */
  get onHold(): boolean {
    return this.#music;
  }

  /** Sounds that aren't speech and began after this time, in their order. */
  soundsSince(fromMs: number): SoundClass[] {
    return this.#sounds.filter(({ sinceMs }) => sinceMs >= fromMs - edgeSlackMs).map(({ sound }) => sound);
  }
  /** All sounds that aren't speech, in their order. */
  get sounds(): readonly HeardSound[] {
    return this.#sounds;
  }

  /** The known prompt that began after this time; undefined if there is none, or it went on differently. */
  matchedSince(fromMs: number): MatchedPrompt | undefined {
    return this.#matched && this.#matched.startMs >= fromMs - edgeSlackMs ? this.#matched : undefined;
  }
  /** When the last prompt turned out to be none of the known ones. */
  get unknownAtMs(): number {
    return this.#unknownAtMs;
  }

  /** All that is text of what they said after this time, whole. */
  utterancesSince(fromMs: number): readonly Utterance[] {
    return this.#utterances.filter(({ endMs }) => endMs > fromMs);
  }
  /** What is text of the utterance that isn't over. */
  partialSince(fromMs: number): HeardPartial | undefined {
    return this.#partial && this.#partial.endMs > fromMs ? this.#partial : undefined;
  }

  /** Where they spoke. */
  get speech(): readonly Span[] {
    return this.#speech;
  }

  /** Puts another text for what was heard, where it turns out to be no words of theirs. */
  retell(textOf: (utterance: Utterance) => string): void {
    for (const utterance of this.#utterances) {
      const index = this.#turns.findIndex(
        ({ speaker, text, startMs }) =>
          speaker === 'them' && text === utterance.text && startMs === Math.round(utterance.startMs),
      );
      const turn = this.#turns[index];
      if (turn) this.#turns[index] = { ...turn, text: textOf(utterance) };
    }
  }

  /** Takes in the next event, or lets this time pass. */
  async next(timeoutMs: number): Promise<void> {
    const event = await this.#inbox.next(timeoutMs);
    if (event) this.#take(event);
    this.#catchUp();
  }

  /** Takes in what comes until the end of a call that was hung up, for this time at most. Returns whether it came. */
  async drain(timeoutMs: number): Promise<boolean> {
    const untilMs = this.#clock.now() + timeoutMs;
    for (let leftMs = timeoutMs; !this.#end && leftMs > 0; leftMs = untilMs - this.#clock.now())
      await this.next(leftMs);
    return this.#end !== undefined;
  }

  /**
   * A busy machine tells much at once. How long it has been quiet is known only when all of it is taken in: the
   * beginning of the next sentence may be among it.
   */
  #catchUp(): void {
    for (let event = this.#inbox.take(); event; event = this.#inbox.take()) this.#take(event);
  }

  close(): void {
    this.#stopTiming();
    this.#inbox.close();
  }

  /** We pressed or said something. */
  did(text: string, startMs: number, endMs: number): void {
    this.#add({ speaker: 'us', text, startMs: Math.round(startMs), endMs: Math.round(endMs) });
  }

  /**
   * What they said from this time on; words of an utterance that began earlier only as far as they lie behind it, or at
   * most `slackMs` before: the times of words are not that exact.
   */
  heardSince(fromMs: number, slackMs = edgeSlackMs): HeardPart {
    this.#catchUp();
    const utterances = this.#utterances.filter(({ endMs }) => endMs > fromMs);
    const parts = utterances.map((utterance) =>
      utterance.startMs >= fromMs - slackMs || utterance.words.length === 0
        ? utterance.text
        : utterance.words
            .filter(({ startMs }) => startMs >= fromMs - slackMs)
            .map(({ text }) => text)
            .join(' '),
    );
    const partial = this.#partial && this.#partial.endMs > fromMs ? [this.#partial.text] : [];
    return {
      text: [...parts, ...partial].filter((part) => part !== '').join(' '),
      words: utterances.flatMap(({ words }) => words).filter(({ startMs }) => startMs >= fromMs - slackMs),
      endMs: Math.max(fromMs, utterances.at(-1)?.endMs ?? fromMs, this.#partial?.endMs ?? fromMs),
    };
  }

  /**
   * Milliseconds since somebody there last spoke, or since `fromMs`; 0 while somebody speaks, or what was said is not
   * text yet.
   */
  quietMs(fromMs: number): number {
    return Math.max(0, this.heardMs - this.quietAtMs(fromMs, 0));
  }

  /** When it has been quiet for this time since `fromMs` if nothing more is said; Infinity while somebody speaks. */
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

  /** How long after its end something that was said became text, at worst. */
  get textLagMs(): number {
    return this.#textLagMs;
  }

  /** How long ago the last speech ended that is not text yet; 0 where all is. */
  get unreadMs(): number {
    const last = this.#speech.at(-1)?.endMs ?? 0;
    const textUntil = this.#utterances.at(-1)?.endMs ?? 0;
    return last <= textUntil + edgeSlackMs ? 0 : Math.max(1, this.#talk.heardMs() - last);
  }

  /** Where the last speech between these times ends that is not text yet; undefined if all is. */
  unreadBefore(fromMs: number, untilMs: number): number | undefined {
    const last = this.#speech.findLast(({ startMs }) => startMs < untilMs - onsetMs);
    const textUntil = this.#utterances.at(-1)?.endMs ?? 0;
    if (!last || last.endMs <= fromMs) return undefined;
    return textUntil >= Math.min(last.endMs, untilMs) - endSlackMs ? undefined : last.endMs;
  }

  /**
   * The pause behind what is text so far (from `fromMs` on), where they have spoken again since; else 0. On a busy
   * machine words become text when the next ones are being said already: whoever waits for a quiet moment with
   * everything understood would wait for ever, and miss the turns that were there.
   */
  pausedMs(fromMs: number): number {
    const textUntil = this.#utterances.at(-1)?.endMs ?? 0;
    if (textUntil <= fromMs) return 0;
    const next = this.onsetAfter(textUntil);
    return next === undefined ? 0 : next - textUntil;
  }

  /**
   * Milliseconds from this time until they began to speak; undefined where they have not. `acted`: this is when we had
   * pressed or said something. Who does so into a prompt hears the answer follow it without a pause: where it began
   * cannot be told.
   */
  latencyMs(fromMs: number, acted: boolean): number | undefined {
    const onsetMs = acted && this.speaksAt(fromMs - toneMs) ? undefined : this.onsetAfter(fromMs - toneMs);
    return onsetMs === undefined ? undefined : Math.max(0, Math.round(onsetMs - fromMs));
  }

  /** Whether they were speaking when this time came, or began after it. */
  begunSince(fromMs: number): boolean {
    return this.speaksAt(fromMs - toneMs) || this.onsetAfter(fromMs - toneMs) !== undefined;
  }

  /** Whether anybody there spoke from this time on. */
  spokeSince(fromMs: number): boolean {
    return this.#speech.some(({ endMs }) => endMs > fromMs + edgeSlackMs);
  }

  speaksAt(atMs: number): boolean {
    return this.#speech.some(
      ({ startMs, endMs }, index) =>
        startMs <= atMs && (endMs > atMs || (this.#speaking && index === this.#speech.length - 1)),
    );
  }

  /** Where the first sound of speech after this time began. */
  onsetAfter(fromMs: number): number | undefined {
    return this.#speech.find(({ startMs }) => startMs >= fromMs)?.startMs;
  }

  /** The longest time without speech between these, in milliseconds. */
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

  /** Where the words lie that `hidden` picks by their index; the whole utterance where its words have no times. */
  spansOf(
    hidden: (words: readonly string[]) => ReadonlySet<number>,
  ): { readonly startMs: number; readonly endMs: number }[] {
    return this.#utterances.flatMap(({ text, words, startMs, endMs }) => {
      if (words.length === 0) return hidden(text.split(/\s+/)).size > 0 ? [{ startMs, endMs }] : [];
      return [...hidden(words.map((word) => word.text))].flatMap((index) => words[index] ?? []);
    });
  }

  #take(event: TalkEvent): void {
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
        if (utterance.text !== '')
          this.#add({
            speaker: 'them',
            text: utterance.text,
            startMs: Math.round(utterance.startMs),
            endMs: Math.round(utterance.endMs),
          });
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
      case 'promptMatched':
        this.#matched = { id: event.id, startMs: event.startMs, hasEnded: false };
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

  #add(turn: Turn): void {
    this.#turns.push(turn);
    this.#onTurn(turn);
  }
}
