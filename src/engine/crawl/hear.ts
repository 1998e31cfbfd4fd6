import type { MenuReading } from '../../contract/menu.ts';
import type { EndKind } from '../../contract/tree.ts';
import { english } from '../../language/menu/english.ts';
import { classifyAnnouncement } from '../../language/menu/announcement.ts';
import type { ExpectedPrompt, SoundClass, Utterance, Word } from '../../speech/ear.ts';
import { endOfCall, endOfSound, isOurs } from '../hearing/callEnding.ts';
import type { Inbox } from '../hearing/inbox.ts';
import { patience } from '../hearing/patience.ts';
import { PromptText, type Overrun } from '../hearing/promptText.ts';
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
  /** What was said after the prompt already; the call has left the state if it is `other`. */
  readonly overrun?: Overrun;
  /** The longest silence between two options. */
  readonly pauseMs?: number;
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
  /** The prompt that plays on if our key was lost: whether it is that one takes longer to be sure of. */
  readonly doubtedId?: string | undefined;
  /** What is said before a known prompt does not matter. */
  readonly knownOnly?: boolean;
  /** The longest silence between two options that was heard on this number so far, in milliseconds. */
  readonly pauseMs?: () => number | undefined;
}

/** A known prompt counts as recognised after this much of it. */
const knownSureMs = 1700;

/** A request for data; a key that only skips or cancels the entry makes it no menu. */
const onlyEntry = ({ input, options, speech }: MenuReading): boolean =>
  input !== null &&
  speech.length === 0 &&
  options.length <= 1 &&
  options.every(({ key }) => key === '*' || key === '#');

/** An extension that can be dialled at any time: the prompt goes on, and asks for something else. */
const isSideOffer = (text: string): boolean => english.sideOffer.test(text);

/**
 * Listens until it is sure what plays from now on: a menu, a request for input, a known prompt, or a way the path ends.
 */
export async function hear(talk: Talk, inbox: Inbox, options: HearOptions): Promise<Heard> {
  return new Listener(talk, inbox, options).run();
}

/** Words, and then a silence for us. */
function endByWords(text: string): EndKind {
  const announcement = classifyAnnouncement(text);
  return announcement === 'human' || announcement === 'voicemail' ? announcement : 'dead-air';
}

interface Match {
  readonly id: string;
  readonly startMs: number;
  /** Where the speech before the known prompt ended. */
  readonly spokenMs: number;
}

class Listener {
  readonly #talk: Talk;
  readonly #inbox: Inbox;
  readonly #options: HearOptions;
  readonly #fromMs: number;
  readonly #said: PromptText;
  #speaking = false;
  #spoke = false;
  #firstSpeechMs: number | undefined;
  #lastSpeechMs: number;
  #match: Match | undefined;
  #expected = -1;
  /** A sound told how the path ends; its words are still awaited. */
  #sure: EndKind | undefined;

  constructor(talk: Talk, inbox: Inbox, options: HearOptions) {
    this.#talk = talk;
    this.#inbox = inbox;
    this.#options = options;
    this.#fromMs = options.fromMs ?? talk.now();
    this.#lastSpeechMs = this.#fromMs;
    this.#said = new PromptText(this.#fromMs);
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
      case 'speechResume':
        this.#speaking = true;
        return undefined;
      case 'speechPause':
        this.#speaking = false;
        this.#lastSpeechMs = Math.max(this.#lastSpeechMs, event.atMs);
        return undefined;
      case 'partial':
        if (event.endMs > this.#fromMs) this.#takePartial(event);
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

  #takePartial(partial: Extract<TalkEvent, { type: 'partial' }>): void {
    this.#lastSpeechMs = Math.max(this.#lastSpeechMs, partial.endMs);
    if (this.#said.addPartial(partial)) this.#tellReading();
  }

  #takeUtterance(utterance: Utterance): void {
    const { startMs, endMs } = utterance;
    this.#firstSpeechMs = Math.max(this.#fromMs, Math.min(this.#firstSpeechMs ?? startMs, startMs));
    this.#lastSpeechMs = Math.max(this.#lastSpeechMs, endMs);
    this.#spoke = true;
    if (this.#said.addUtterance(utterance)) this.#tellReading();
  }

  #tellReading(): void {
    const { reading } = this.#said;
    if (!this.#match && (reading.input === null || isSideOffer(this.#said.text))) this.#options.onReading?.(reading);
  }

  /** How long to wait for the next event before concluding; 0 where it is time to. */
  #waitMs(): number {
    const now = this.#talk.heardMs();
    if (now - this.#fromMs > patience.longestPrompt) return 0;
    if (this.#said.overrun) return 0;
    if (this.#sure !== undefined) return this.#settledUntil(this.#lastSpeechMs) ? 0 : settlePollMs;
    if (this.#match) {
      const sureIn = this.#match.startMs + this.#sureMs(this.#match) - now;
      return sureIn <= 0 && (this.#options.knownOnly === true || this.#settledUntil(this.#match.spokenMs))
        ? 0
        : Math.max(20, sureIn);
    }
    if (this.#speaking || !this.#settledUntil(this.#lastSpeechMs)) return settlePollMs;
    const left = this.#lastSpeechMs + this.#silenceMs() - now;
    return left <= 0 ? 0 : Math.max(20, left);
  }

  /** Another prompt's words before it, or a lost key, make a short likeness less sure. */
  #sureMs({ id, startMs }: Match): number {
    const usual = this.#options.knownSureMs ?? knownSureMs;
    const isDoubtful = id === this.#options.doubtedId || (this.#firstSpeechMs ?? startMs) < startMs - 1000;
    return isDoubtful && this.#options.knownOnly !== true ? usual * 2 : usual;
  }

  /** All speech before this time has become text. */
  #settledUntil(atMs: number): boolean {
    if (!this.#spoke) return true;
    const textUntil = this.#said.utterances.at(-1)?.endMs ?? -Infinity;
    const speechBefore = this.#firstSpeechMs !== undefined && this.#firstSpeechMs < atMs - pauseLagMs;
    return (
      !speechBefore ||
      textUntil >= atMs - settleSlackMs ||
      this.#talk.heardMs() - this.#lastSpeechMs > patience.text.crawl
    );
  }

  #silenceMs(): number {
    if (!this.#spoke) return this.#options.patienceMs ?? patience.deadAir.crawl;
    const { reading, text, offers } = this.#said;
    if (offers) return this.#menuSilenceMs(reading);
    if (reading.input && !isSideOffer(text)) return patience.prompt.input;
    return classifyAnnouncement(text) === 'human'
      ? patience.prompt.person
      : (this.#options.patienceMs ?? patience.prompt.announcement);
  }

  /** A menu pauses between its later options about as long as between the first ones. */
  #menuSilenceMs({ options, speech, repeatKey, stayOnLine }: MenuReading): number {
    const { prompt, pause } = patience;
    const pauseMs = Math.max(this.#said.pauseMs, this.#options.pauseMs?.() ?? 0);
    const usual = repeatKey !== null || stayOnLine ? prompt.closedMenu : prompt.menu;
    const later = Math.max(usual, pauseMs * pause.growth + 200);
    if (options.length + speech.length > 1 || stayOnLine) return later;
    return Math.max(options[0]?.key === '1' ? pause.afterFirstOption : pause.afterOneOption, later);
  }

  #sound(sound: SoundClass, sinceMs: number, atMs: number): void {
    if (sinceMs < this.#fromMs - soundSlackMs && atMs - this.#fromMs < soundSlackMs) return;
    if (sound === 'silence' && this.#speaking && atMs - sinceMs > 1500) this.#speaking = false;
    const isMenu = this.#said.reading.options.length > 0;
    const end = sound === 'beep' && this.#spoke && !isMenu ? 'voicemail' : endOfSound[sound];
    if (end === undefined) return;
    if (isMenu) {
      // Nothing that we did led to this sound, so it follows the menu's time-out.
      this.#said.endBySound(sinceMs);
      return;
    }
    this.#sure ??= end;
    this.#match = undefined;
  }

  #ended({ atMs, end }: Extract<TalkEvent, { type: 'ended' }>): Heard {
    if (this.#said.offers) {
      this.#said.endBeforeLastPart();
      const quietMs = atMs - (this.#said.endMs ?? atMs);
      return this.#result(this.#said.overrun || quietMs >= patience.pause.boundary ? 'menu' : 'cut');
    }
    const interrupted =
      !this.#spoke ||
      (this.#speaking &&
        atMs - this.#lastSpeechMs > 400 &&
        this.#said.utterances.length === 0 &&
        this.#said.text === '');
    return interrupted && !this.#talkOver() ? this.#result('cut') : this.#result('end', { end: endOfCall(end) });
  }

  /** The last words said goodbye. */
  #talkOver(): boolean {
    return classifyAnnouncement(this.#said.text) === 'goodbye';
  }

  #conclude(): Heard {
    if (this.#sure !== undefined) return this.#result('end', { end: this.#sure });
    if (this.#match) return this.#known();
    const { reading, offers, text } = this.#said;
    const asks = reading.input !== null && !isSideOffer(text);
    if (asks && onlyEntry(reading)) return this.#result('input', { end: 'input' });
    if (offers) return this.#result('menu');
    if (asks) return this.#result('input', { end: 'input' });
    return this.#result('end', { end: this.#spoke ? endByWords(text) : 'dead-air' });
  }

  #known(): Heard {
    const match = this.#match;
    if (!match) return this.#conclude();
    const before = this.#said.utterances.filter((utterance) => utterance.endMs <= match.startMs + pauseLagMs);
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
    const { text, words, reading, overrun, pauseMs } = this.#said;
    const endMs = overrun && this.#said.endMs !== undefined ? this.#said.endMs : this.#lastSpeechMs;
    return {
      kind,
      text,
      words,
      reading,
      startMs,
      endMs: Math.max(startMs, this.#spoke ? endMs : this.#talk.now()),
      pauseMs,
      ...(overrun && { overrun }),
      ...(extra.end === undefined ? {} : { end: extra.end }),
    };
  }
}

const pauseLagMs = 300;
const settlePollMs = 400;
const settleSlackMs = 500;
const soundSlackMs = 300;
