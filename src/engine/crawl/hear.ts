import type { MenuReading } from '../../contract/menu.ts';
import type { EndKind } from '../../contract/tree.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { classifyAnnouncement } from '../../language/menu/announcement.ts';
import { withoutRestart } from '../../language/menu/restart.ts';
import type { ExpectedPrompt, SoundClass, Utterance, Word } from '../../speech/ear.ts';
import { endOfCall, endOfSound, isOurs } from '../hearing/callEnding.ts';
import type { Inbox } from '../hearing/inbox.ts';
import { patience } from '../hearing/patience.ts';
import type { Talk, TalkEvent } from '../call/talk.ts';

export interface Heard {
  /** `known`: a prompt that was expected plays; `cut`: the call broke off while a menu was being read. */
  readonly kind: 'menu' | 'input' | 'end' | 'known' | 'cut';
  readonly text: string;
  readonly words: readonly Word[];
  readonly reading: MenuReading;
  readonly end?: EndKind;
  readonly knownId?: string;
  /** The prompt in the call's audio: its first sound and the end of its last. */
  readonly startMs: number;
  readonly endMs: number;
  /** Where the known prompt began. */
  readonly knownStartMs?: number;
}

export interface HearOptions {
  /** Prompts that may turn up, read anew at each onset. */
  readonly known: () => readonly ExpectedPrompt[];
  /** Called with what can be read so far, as often as it grows. */
  readonly onReading?: (reading: MenuReading) => void;
  /** Silence before the first word, and after words that ask for nothing, that counts as dead air. */
  readonly patienceMs?: number | undefined;
  /** The prompt began at this time at the earliest; default now. */
  readonly fromMs?: number;
  /** The known prompts are being listened for already. */
  readonly armed?: boolean;
  /** A known prompt counts as recognised after this much of it; the less is at stake, the less. */
  readonly knownSureMs?: number;
  /** What is said before a known prompt does not matter. */
  readonly knownOnly?: boolean;
}

/** A known prompt counts as recognised after this much of it. */
const knownSureMs = 1700;

/** A request for data; a key that only skips or cancels the entry makes it no menu. */
const onlyEntry = ({ input, options, speech }: MenuReading): boolean =>
  input !== null &&
  speech.length === 0 &&
  options.length <= 1 &&
  options.every(({ key }) => key === '*' || key === '#');

/**
 * Listens until it is sure what plays from now on: a menu, a request for input, a known prompt, or a way the path ends.
 */
export async function hear(talk: Talk, inbox: Inbox, options: HearOptions): Promise<Heard> {
  return new Listener(talk, inbox, options).run();
}

class Listener {
  readonly #talk: Talk;
  readonly #inbox: Inbox;
  readonly #options: HearOptions;
  readonly #fromMs: number;
  readonly #utterances: Utterance[] = [];
  #partial = '';
  #speaking = false;
  #spoke = false;
  #firstSpeechMs: number | undefined;
  #lastSpeechMs: number;
  /** `spokenMs`: where the speech before the known prompt ended. */
  #match: { readonly id: string; readonly startMs: number; readonly spokenMs: number } | undefined;
  #reading: MenuReading = readMenu('');
  #text = '';
  #expected = -1;
  /** A sound told how the path ends; its words are still awaited. */
  #sure: EndKind | undefined;

  constructor(talk: Talk, inbox: Inbox, options: HearOptions) {
    this.#talk = talk;
    this.#inbox = inbox;
    this.#options = options;
    this.#fromMs = options.fromMs ?? talk.now();
    this.#lastSpeechMs = this.#fromMs;
  }

  async run(): Promise<Heard> {
    if (!this.#options.armed) this.#expect();
    for (;;) {
      // What a busy machine told at once is taken in first: it may be the beginning of the next sentence.
      const told = this.#inbox.take();
      const waitMs = told ? 0 : this.#waitMs();
      if (!told && waitMs <= 0) return this.#conclude();
      const event = told ?? (await this.#inbox.next(waitMs));
      const heard = event && this.#take(event);
      if (heard) return heard;
    }
  }

  /**
   * Listens for what is known by now. Only between two sounds, lest a beginning be missed, and only where there is
   * something new.
   */
  #expect(): void {
    const known = this.#options.known();
    if (known.length === this.#expected) return;
    this.#expected = known.length;
    this.#talk.expect(known);
  }

  #take(event: TalkEvent): Heard | undefined {
    switch (event.type) {
      case 'ended':
        return isOurs(event.end) ? this.#result('cut') : this.#ended(event);
      case 'speechStart':
        this.#speaking = true;
        this.#spoke = true;
        this.#firstSpeechMs ??= event.atMs;
        return undefined;
      case 'speechPause':
        this.#speaking = false;
        this.#lastSpeechMs = Math.max(this.#lastSpeechMs, event.atMs);
        return undefined;
      case 'partial':
        this.#takePartial(event);
        return undefined;
      case 'utterance':
        if (event.utterance.endMs > this.#fromMs) this.#takeUtterance(event.utterance);
        return undefined;
      case 'sound':
        this.#sound(event.sound, event.sinceMs, event.atMs);
        return undefined;
      case 'promptMatched':
        this.#match = { id: event.id, startMs: event.startMs, spokenMs: Math.min(this.#lastSpeechMs, event.startMs) };
        return undefined;
      case 'promptBroken':
        if (this.#match?.id === event.id) this.#match = undefined;
        return undefined;
      case 'promptEnded':
        return this.#match?.id === event.id ? this.#known() : undefined;
      case 'promptUnknown':
        this.#expect();
        return undefined;
    }
  }

  #takePartial({ text, endMs }: Extract<TalkEvent, { type: 'partial' }>): void {
    this.#partial = text;
    this.#lastSpeechMs = Math.max(this.#lastSpeechMs, endMs);
    this.#read();
  }

  #takeUtterance(utterance: Utterance): void {
    const { startMs, endMs } = utterance;
    this.#partial = '';
    this.#utterances.push(utterance);
    this.#firstSpeechMs = Math.max(this.#fromMs, Math.min(this.#firstSpeechMs ?? startMs, startMs));
    this.#lastSpeechMs = Math.max(this.#lastSpeechMs, endMs);
    this.#spoke = true;
    this.#read();
  }

  #read(): void {
    const parts = [...this.#utterances.map((utterance) => utterance.text), this.#partial].filter((part) => part !== '');
    const text = withoutRestart(parts.join(' '));
    if (text === this.#text) return;
    this.#text = text;
    this.#reading = readMenu(withoutRestart(parts.join(', ')));
    if (!this.#match && this.#reading.input === null) this.#options.onReading?.(this.#reading);
  }

  /** How long to wait for the next event before concluding; 0 where it is time to. */
  #waitMs(): number {
    const now = this.#talk.heardMs();
    if (now - this.#fromMs > patience.longestPrompt) return 0;
    if (this.#sure !== undefined) return this.#settledUntil(this.#lastSpeechMs) ? 0 : settlePollMs;
    if (this.#match) {
      const sureIn = this.#match.startMs + (this.#options.knownSureMs ?? knownSureMs) - now;
      return sureIn <= 0 && (this.#options.knownOnly === true || this.#settledUntil(this.#match.spokenMs))
        ? 0
        : Math.max(20, sureIn);
    }
    if (this.#speaking || !this.#settledUntil(this.#lastSpeechMs)) return settlePollMs;
    const left = this.#lastSpeechMs + this.#silenceMs() - now;
    return left <= 0 ? 0 : Math.max(20, left);
  }

  /** All speech before this time has become text. */
  #settledUntil(atMs: number): boolean {
    if (!this.#spoke) return true;
    const textUntil = this.#utterances.at(-1)?.endMs ?? -Infinity;
    const speechBefore = this.#firstSpeechMs !== undefined && this.#firstSpeechMs < atMs - pauseLagMs;
    return (
      !speechBefore ||
      textUntil >= atMs - settleSlackMs ||
      this.#talk.heardMs() - this.#lastSpeechMs > patience.text.crawl
    );
  }

  #silenceMs(): number {
    if (!this.#spoke) return this.#options.patienceMs ?? patience.deadAir.crawl;
    const { options, speech, repeatKey, stayOnLine, input } = this.#reading;
    if (options.length > 0) return repeatKey !== null || stayOnLine ? patience.prompt.closedMenu : patience.prompt.menu;
    if (speech.length > 0) return patience.prompt.menu;
    if (input) return patience.prompt.input;
    return classifyAnnouncement(this.#text) === 'human'
      ? patience.prompt.person
      : (this.#options.patienceMs ?? patience.prompt.announcement);
  }

  #sound(sound: SoundClass, sinceMs: number, atMs: number): void {
    if (sinceMs < this.#fromMs - soundSlackMs && atMs - this.#fromMs < soundSlackMs) return;
    if (sound === 'silence' && this.#speaking && atMs - sinceMs > 1500) this.#speaking = false;
    const isMenu = this.#reading.options.length > 0;
    const end = sound === 'beep' && this.#spoke && !isMenu ? 'voicemail' : endOfSound[sound];
    if (end === undefined || (isMenu && sound === 'music')) return;
    this.#sure ??= end;
    this.#match = undefined;
  }

  #ended({ atMs, end }: Extract<TalkEvent, { type: 'ended' }>): Heard {
    const interrupted =
      this.#reading.options.length > 0 ||
      this.#reading.speech.length > 0 ||
      !this.#spoke ||
      (this.#speaking && atMs - this.#lastSpeechMs > 400 && this.#utterances.length === 0 && this.#text === '');
    return interrupted && !this.#talkOver() ? this.#result('cut') : this.#result('end', { end: endOfCall(end) });
  }

  /** The last words said goodbye. */
  #talkOver(): boolean {
    return classifyAnnouncement(this.#text) === 'goodbye';
  }

  #conclude(): Heard {
    if (this.#sure !== undefined) return this.#result('end', { end: this.#sure });
    if (this.#match) return this.#known();
    const { options, speech, input } = this.#reading;
    if (input && onlyEntry(this.#reading)) return this.#result('input', { end: 'input' });
    if (options.length > 0 || speech.length > 0) return this.#result('menu');
    if (input) return this.#result('input', { end: 'input' });
    return this.#result('end', {
      end: this.#spoke && classifyAnnouncement(this.#text) === 'human' ? 'human' : 'dead-air',
    });
  }

  #known(): Heard {
    const match = this.#match;
    if (!match) return this.#conclude();
    const before = this.#utterances.filter((utterance) => utterance.endMs <= match.startMs + pauseLagMs);
    return {
      ...this.#result('known'),
      knownId: match.id,
      knownStartMs: match.startMs,
      text: before.map((utterance) => utterance.text).join(' '),
      words: before.flatMap((utterance) => utterance.words),
      startMs: before[0]?.startMs ?? match.startMs,
      endMs: this.#talk.now(),
    };
  }

  #result(kind: Heard['kind'], extra: { end?: EndKind } = {}): Heard {
    const startMs = this.#firstSpeechMs ?? this.#fromMs;
    return {
      kind,
      text: this.#text,
      words: this.#utterances.flatMap((utterance) => utterance.words),
      reading: this.#reading,
      startMs,
      endMs: Math.max(startMs, this.#spoke ? this.#lastSpeechMs : this.#talk.now()),
      ...(extra.end === undefined ? {} : { end: extra.end }),
    };
  }
}

const pauseLagMs = 300;
const settlePollMs = 400;
const settleSlackMs = 500;
const soundSlackMs = 300;
