import type { MenuReading } from '../../contract/menu.ts';
import type { EndKind } from '../../contract/tree.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { englishLexicon } from '../../language/menu/english.ts';
import { mayAskForEntry } from '../../language/menu/input.ts';
import { endsInHold } from '../../language/holdWords.ts';
import {
  announcesRecording,
  classifyAnnouncement,
  introducesPerson,
  saysNoAnswer,
} from '../../language/menu/announcement.ts';
import type { ExpectedPrompt, Utterance, Word } from '../../speech/ear.ts';
import type { CallEnd } from '../../telephony/call.ts';
import { endOfCall, endOfSound, endsInBeep, isOurs } from '../hearing/callEnding.ts';
import type { CallLog, HeardSound, MatchedPrompt } from '../hearing/callLog.ts';
import { listen, type HeardSince, type CallToHear } from '../hearing/listen.ts';
import { patience } from '../hearing/patience.ts';
import { offersAny, PromptText, type NextMenu, type Overrun } from '../hearing/promptText.ts';
import type { ActiveCall } from '../call/activeCall.ts';

export interface HeardPrompt {
  /**
   * `known`: an expected prompt plays; `cut`: the call ended while a menu was being read; `endless`: it lasts longer
   * than any prompt, and offers nothing.
   */
  readonly kind: 'menu' | 'input' | 'end' | 'known' | 'cut' | 'endless';
  readonly text: string;
  /** Like `text`, with a comma between utterances. */
  readonly clauses: string;
  readonly words: readonly Word[];
  readonly reading: MenuReading;
  readonly end?: EndKind | undefined;
  /** Where the called side transferred the call by REFER. */
  readonly transferTo?: string;
  readonly knownId?: string;
  /** The prompt in the call's audio, from its first sound to its last. */
  readonly startMs: number;
  readonly endMs: number;
  /** Where the known prompt began, or its rest from `knownOffsetMs` of the prompt. */
  readonly knownStartMs?: number;
  readonly knownOffsetMs?: number;
  /** What was said after the prompt. If it is `other`, the call has left this state. */
  readonly overrun?: Overrun | undefined;
  /** Where what followed the prompt without a key begins, if it is another state's. */
  readonly nextMs?: number | undefined;
  /** The prompt may have timed out into this menu: its own offers weren't all understood. */
  readonly nextMenu?: NextMenu | undefined;
  /** A request that repeated itself before the menu began. If the menu is another state's, only this was asked here. */
  readonly asked?: HeardPrompt;
  /** The longest silence between two options. */
  readonly pauseMs?: number;
}

type Hearing = Pick<ActiveCall, 'expect' | 'fingerprint' | 'promptIn'>;

export interface HearOptions {
  /** Prompts that can occur, read again at each onset. */
  readonly known: () => readonly ExpectedPrompt[];
  /** Called with the reading so far whenever it grows, and the words whose times are known. */
  readonly onReading?: (reading: MenuReading, words: readonly Word[]) => void;
  /** Silence before the first word, and after words that ask for nothing, that counts as dead air. */
  readonly patienceMs?: number | undefined;
  /** A menu after a long silence counts as another state's, although the words before it offer nothing. */
  readonly mayTimeOut?: boolean;
  /** The earliest time at which the prompt can begin; default now. */
  readonly fromMs?: number;
  /** The listener already expects the known prompts. */
  readonly armed?: boolean;
  /** A known prompt counts as recognised after this much of it. Less is needed if less depends on it. */
  readonly knownSureMs?: number;
  /** The prompt that continues if the key was lost. Recognising this one takes longer. */
  readonly doubtedId?: string | undefined;
  /** Ignores words before a known prompt. */
  readonly knownOnly?: boolean;
  /** The longest silence between two options on this number so far, in milliseconds. */
  readonly pauseMs?: () => number | undefined;
  /** Returns the silence that is enough if these are all words of a known menu, in milliseconds. */
  readonly wholeMs?: (text: string, reading: MenuReading) => number | undefined;
}

/** A known prompt counts as recognised after this much of it. */
const knownSureMs = 1700;

/** Returns true for a request for data. A key that only skips or cancels the entry doesn't make it a menu. */
const onlyEntry = ({ input, options, speech }: MenuReading): boolean =>
  input !== null &&
  speech.length === 0 &&
  options.length <= 1 &&
  options.every(({ key }) => key === '*' || key === '#');

/** An extension that can be dialled at any time. The prompt continues, and asks for something else. */
const isSideOffer = (text: string): boolean => englishLexicon.sideOffer.test(text);

/** Listens until it is certain what is playing: a menu, a request for input, a known prompt, or an end. */
export function hear(line: CallToHear, call: Hearing, options: HearOptions): Promise<HeardPrompt> {
  const listener = new PromptListener(line.log, call, options);
  return listen(line, listener.fromMs, (heard) => listener.whatIsHeard(heard));
}

/** Words that were said again after silences. */
interface Repetition {
  readonly count: number;
  readonly timeoutMs: number;
  readonly firstRound: readonly Utterance[];
}

/** Words, followed by silence. */
export function endByWords(text: string): EndKind {
  const announcement = classifyAnnouncement(text);
  return announcement === 'human' || announcement === 'voicemail' ? announcement : 'dead-air';
}

class PromptListener {
  readonly fromMs: number;
  readonly #log: CallLog;
  readonly #call: Hearing;
  readonly #options: HearOptions;
  readonly #said: PromptText;
  #expected = -1;
  #expectedAtMs = -Infinity;
  #soundCount = 0;
  #repeated: { readonly length: number; readonly found: Repetition | undefined } = { length: 0, found: undefined };
  /** A sound shows how the path ends. Its words are still pending. */
  #end: EndKind | undefined;
  /** Single tones. The words before them are still pending. */
  #tones: HeardSound[] = [];
  /** See `HearOptions.wholeMs`. */
  #wholeMs: number | undefined;
  /** When music began after words that ask the caller to hold: a queue can still offer keys. */
  #queueMs: number | undefined;

  constructor(log: CallLog, call: Hearing, options: HearOptions) {
    this.#log = log;
    this.#call = call;
    this.#options = options;
    this.fromMs = options.fromMs ?? log.nowMs;
    this.#said = new PromptText(this.fromMs, options);
    if (!options.armed) this.#expect();
  }

  /** Returns what was heard once it is certain, otherwise undefined. */
  whatIsHeard(heard: HeardSince): HeardPrompt | undefined {
    this.#readOn();
    const { ended } = this.#log;
    if (ended && isOurs(ended.end)) return this.#result('cut');
    for (const sound of this.#log.sounds.slice(this.#soundCount)) this.#takeSound(sound);
    this.#soundCount = this.#log.sounds.length;
    const isKnown = ({ sinceMs }: HeardSound): boolean => ended !== undefined || heard.isText(sinceMs);
    while (this.#tones[0] && isKnown(this.#tones[0])) this.#takeTone(this.#tones.shift());
    if (ended) return this.#ended(ended);
    if (this.#transfer) this.#takeEnd('transfer-ringback', this.#transfer.atMs);
    return this.#isSure(heard) ? this.#conclude(heard) : undefined;
  }

  /** Expects the currently known prompts. Changes only between two sounds, so that no onset is missed. */
  #expect(): void {
    this.#expectedAtMs = this.#log.nowMs;
    const known = this.#options.known();
    if (known.length === this.#expected) return;
    this.#expected = known.length;
    this.#call.expect(known);
  }

  #readOn(): void {
    if (this.#log.unknownAtMs > this.#expectedAtMs) this.#expect();
    if (!this.#said.update(this.#log.utterancesSince(this.fromMs), this.#log.partialSince(this.fromMs))) return;
    const { reading, text } = this.#said;
    this.#wholeMs = this.#said.offers ? this.#options.wholeMs?.(text, reading) : undefined;
    if (this.#isQueue && this.#said.offers) this.#end = undefined;
    // The beep was part of a menu.
    if (this.#end === 'voicemail' && reading.options.length > 0 && !announcesRecording(text, true))
      this.#end = undefined;
    if (!this.#match && (reading.input === null || isSideOffer(text)))
      this.#options.onReading?.(reading, this.#said.words);
  }

  get #match(): MatchedPrompt | undefined {
    return this.#end === undefined ? this.#log.matchedSince(this.fromMs) : undefined;
  }
  get #firstSpeechMs(): number | undefined {
    const startMs = this.#said.utterances[0]?.startMs ?? Infinity;
    const firstMs = Math.min(this.#log.onsetAfter(this.fromMs - onsetSlackMs) ?? Infinity, startMs);
    return firstMs === Infinity ? undefined : Math.max(this.fromMs, firstMs);
  }
  get #lastSpeechMs(): number {
    const { speech } = this.#log;
    return Math.max(this.fromMs, speech.at(-1)?.endMs ?? 0, this.#said.utterances.at(-1)?.endMs ?? 0);
  }
  /** A person who asks for a number hears it, so no entry is due. */
  get #asksForInput(): boolean {
    const { reading, text } = this.#said;
    return reading.input !== null && !isSideOffer(text) && !introducesPerson(text);
  }
  get #spoke(): boolean {
    return this.#firstSpeechMs !== undefined;
  }

  #isSure(heard: HeardSince): boolean {
    if (heard.isHeardUntil(this.fromMs + patience.longestPrompt)) return true;
    // One label of the menu that follows can be misheard.
    if (this.#said.overrun && (this.#said.nextMenu?.options.length ?? 2) < 2)
      return heard.isQuiet(patience.prompt.menu);
    if (this.#said.overrun) return true;
    if (!this.#said.offers && (this.#repetition()?.count ?? 0) >= mostRepetitions) return true;
    if (this.#end === 'hold-music' && !this.#isQueueHeard(heard)) return false;
    if (this.#end !== undefined) return heard.isText(this.#lastSpeechMs);
    const match = this.#match;
    return match ? this.#isSureOf(match, heard) : heard.isQuiet(this.#silenceMs());
  }

  /** The first announcement of a queue can offer to call back. */
  #isQueueHeard(heard: HeardSince): boolean {
    if (this.#queueMs === undefined) return true;
    return heard.isHeardUntil(this.#queueMs + patience.queue) && heard.isQuiet(patience.prompt.menu);
  }

  #isSureOf(match: MatchedPrompt, heard: HeardSince): boolean {
    return (
      match.hasEnded ||
      (heard.isHeardUntil(match.startMs + this.#sureMs(match)) &&
        (this.#options.knownOnly === true || heard.isText(match.startMs)))
    );
  }

  /** Words of another prompt before it, or a lost key, make a short match less certain. */
  #sureMs({ id, startMs }: MatchedPrompt): number {
    const usual = this.#options.knownSureMs ?? knownSureMs;
    const isDoubtful = id === this.#options.doubtedId || (this.#firstSpeechMs ?? startMs) < startMs - 1000;
    return isDoubtful && this.#options.knownOnly !== true ? usual * 2 : usual;
  }

  #silenceMs(): number {
    const { patienceMs } = this.#options;
    if (!this.#spoke) return patienceMs ?? patience.deadAir.crawl;
    const { reading, text, offers } = this.#said;
    if (offers) return this.#wholeMs ?? this.#menuSilenceMs(reading);
    if (this.#asksForInput) return Math.max(patience.prompt.input, this.#usualPauseMs);
    if (introducesPerson(text)) return patience.prompt.greeting;
    if (patienceMs !== undefined) return patienceMs;
    // Music can fade in.
    if (endsInHold(text)) return patience.queue;
    return classifyAnnouncement(text) === 'goodbye' ? patience.prompt.announcement : this.#timeoutMs();
  }

  /** Words that offer nothing may be a request that wasn't understood. Its time-out leads on. */
  #timeoutMs(): number {
    const { longest, slack } = patience.timeout;
    const { timeoutMs } = this.#repetition() ?? {};
    return timeoutMs === undefined
      ? longest
      : Math.max(patience.prompt.announcement, timeoutMs * patience.pause.growth + slack);
  }

  /** Music followed words that ask the caller to hold. What it interrupts needs no key. */
  get #isQueue(): boolean {
    return this.#queueMs !== undefined;
  }

  #menuSilenceMs({ options, speech, repeatKey, stayOnLine }: MenuReading): number {
    const { prompt, pause } = patience;
    const usual = repeatKey !== null || stayOnLine || this.#isQueue ? prompt.closedMenu : prompt.menu;
    const later = Math.max(usual, this.#usualPauseMs);
    if (stayOnLine || this.#isQueue) return later;
    // One option can have a key and a phrase.
    if (Math.max(options.length, speech.length) > 1) {
      const isPauseKnown = this.#options.pauseMs?.() !== undefined || this.#said.pauseMs > 0;
      return isPauseKnown || repeatKey !== null ? later : Math.max(later, pause.unknown);
    }
    return Math.max(options[0]?.key === '1' ? pause.afterFirstOption : pause.unknown, later);
  }

  /** Pauses between later sentences of a prompt are about as long as between the first ones. */
  get #usualPauseMs(): number {
    return Math.max(this.#said.pauseMs, this.#options.pauseMs?.() ?? 0) * patience.pause.growth + 200;
  }

  #takeSound({ sound, sinceMs, atMs }: HeardSound): void {
    if (sinceMs < this.fromMs - soundSlackMs && atMs < this.fromMs + soundSlackMs) return;
    // The calling tone of a fax is also a usual beep.
    if (sound === 'beep' || sound === 'shortBeep' || sound === 'fax') this.#tones.push({ sound, sinceMs, atMs });
    else if (endOfSound[sound]) this.#takeEnd(endOfSound[sound], sinceMs);
  }

  /** A tone starts a recording if the words before it say so. */
  #takeTone(tone: HeardSound | undefined): void {
    if (!tone) return;
    const { reading, text } = this.#said;
    if (announcesRecording(text, reading.options.length > 0)) this.#end ??= 'voicemail';
    else if (tone.sound === 'fax') this.#takeEnd('fax', tone.sinceMs);
  }

  /** No key led to what ends a menu, so it follows the menu's time-out. */
  #takeEnd(end: EndKind, atMs: number): void {
    const { reading, text } = this.#said;
    if (reading.options.length === 0) {
      if (end === 'hold-music' && (reading.stayOnLine || endsInHold(text))) this.#queueMs ??= atMs;
      this.#end ??= end;
    }
    // Music continues after the offer of a queue.
    else if (end !== 'hold-music' || !this.#isQueue) this.#said.endBySound(atMs);
  }

  get #transfer(): CallLog['transfer'] {
    const { transfer } = this.#log;
    return transfer && transfer.atMs >= this.fromMs ? transfer : undefined;
  }

  #ended({ atMs, end }: { readonly atMs: number; readonly end: CallEnd }): HeardPrompt {
    if (this.#end !== undefined) return this.#endOf(this.#end);
    if (this.#said.nextMenu) return this.#result('menu');
    if (this.#asksForInput && onlyEntry(this.#said.reading)) {
      const quietMs = atMs - this.#lastSpeechMs;
      if (this.#said.overrun || quietMs >= patience.prompt.input) return this.#result('input', { end: 'input' });
    }
    if (this.#said.offers) {
      this.#said.endBeforeLastPart();
      const quietMs = atMs - (this.#said.endMs ?? atMs);
      return this.#result(this.#said.overrun || quietMs >= patience.timeout.shortest ? 'menu' : 'cut');
    }
    if (this.#transfer) return this.#endOf('transfer-ringback');
    if (this.#spoke && endsInBeep(this.#log, this.fromMs)) return this.#endOf('voicemail');
    const isBrokenOff = this.#said.text === '' && this.#lastSpeechMs > atMs - shortestPauseMs;
    return !this.#spoke || isBrokenOff ? this.#result('cut') : this.#endOf(endOfCall(end));
  }

  /** What repeats itself after silences waits for an answer, although its words weren't understood as a request. */
  #endOf(end: EndKind): HeardPrompt {
    const isSilence = end === 'hangup' || end === 'dead-air';
    const isDefault = isSilence || end === 'hold-music' || end === 'transfer-ringback';
    const firstRound = this.#repetition()?.firstRound ?? (isSilence ? this.#timedOut() : undefined);
    return (isDefault ? this.#asked(firstRound) : undefined) ?? this.#result('end', { end });
  }

  /** A prompt without offers that repeats itself or times out, as it was said the first time. */
  #asked(firstRound: readonly Utterance[] = []): HeardPrompt | undefined {
    const text = firstRound.map((utterance) => utterance.text).join(' ');
    // A queue and a farewell repeat themselves too.
    if (firstRound.length === 0 || endsInHold(text) || classifyAnnouncement(text) === 'goodbye') return undefined;
    return {
      ...this.#result('input', { end: 'input' }),
      text,
      words: firstRound.flatMap(({ words }) => words),
      reading: readMenu(text),
      endMs: firstRound.at(-1)?.endMs ?? this.#log.nowMs,
    };
  }

  /** Returns the words before the system says that it got no answer, or that may ask for an entry and wait for it. */
  #timedOut(): readonly Utterance[] {
    const { utterances } = this.#said;
    const textOf = (spoken: readonly Utterance[]): string => spoken.map(({ text }) => text).join(' ');
    const endMs = this.#log.ended?.atMs ?? this.#log.nowMs;
    for (const [index, { endMs: fromMs }] of utterances.entries()) {
      const silenceMs = (utterances[index + 1]?.startMs ?? endMs) - fromMs;
      const [before, after] = [utterances.slice(0, index + 1), textOf(utterances.slice(index + 1))];
      if (
        silenceMs >= patience.timeout.shortest &&
        saysNoAnswer(after) &&
        classifyAnnouncement(textOf(before)) !== 'invalid'
      )
        return before;
      const isOver = after === '' || classifyAnnouncement(after) === 'goodbye';
      if (silenceMs >= patience.ofSystems && isOver && mayAskForEntry(textOf(before))) return before;
    }
    return [];
  }

  /** Returns how the words repeat themselves by their sound, each time after a silence that can be a time-out. */
  #repetition(): Repetition | undefined {
    const { utterances } = this.#said;
    if (this.#repeated.length === utterances.length) return this.#repeated.found;
    let found: Repetition | undefined;
    const known = [];
    for (const [index, { startMs, endMs }] of utterances.entries()) {
      const silenceMs = startMs - (utterances[index - 1]?.endMs ?? startMs);
      const span = [startMs - spanSlackMs, endMs + spanSlackMs] as const;
      const isRepeated =
        silenceMs >= patience.timeout.shortest && known.length > 0 && this.#call.promptIn(...span, known) !== undefined;
      if (isRepeated)
        found = {
          count: (found?.count ?? 0) + 1,
          timeoutMs: Math.max(found?.timeoutMs ?? 0, silenceMs),
          firstRound: found?.firstRound ?? utterances.slice(0, index),
        };
      else if (endMs - startMs >= shortestRequestMs)
        known.push({ id: String(index), fingerprint: this.#call.fingerprint(...span) });
    }
    this.#repeated = { length: utterances.length, found };
    return found;
  }

  #conclude(heard: HeardSince): HeardPrompt {
    if (this.#end !== undefined) return this.#endOf(this.#end);
    const match = this.#match;
    if (match && this.#isSureOf(match, heard))
      return this.#askedBefore(match.startMs) ?? this.#menuBefore(match) ?? this.#known(match);
    const { reading, offers, text } = this.#said;
    const asks = this.#asksForInput;
    if (asks && onlyEntry(reading)) return this.#result('input', { end: 'input' });
    if (offers || this.#said.nextMenu) {
      const asked = this.#askedBefore(Infinity);
      return { ...this.#result('menu'), ...(asked && { asked }) };
    }
    if (asks) return this.#result('input', { end: 'input' });
    if (heard.isHeardUntil(this.fromMs + patience.longestPrompt) && !heard.isQuiet(patience.prompt.announcement))
      return this.#result('endless');
    if (this.#spoke && endsInBeep(this.#log, this.fromMs)) return this.#endOf('voicemail');
    return this.#endOf(this.#spoke ? endByWords(text) : 'dead-air');
  }

  /** A request without offers that repeated itself until its last time-out led to a menu, which began at this time. */
  #askedBefore(menuMs: number): HeardPrompt | undefined {
    const asked = this.#asked(this.#repetition()?.firstRound);
    return asked && asked.endMs < menuMs && !offersAny(asked.reading) ? asked : undefined;
  }

  /** A menu that timed out into the known one: its options were said before a silence as long as a time-out. */
  #menuBefore(match: MatchedPrompt): HeardPrompt | undefined {
    this.#said.endBefore(match.startMs);
    const { endMs, offers } = this.#said;
    if (!offers || endMs === undefined || match.startMs - endMs < patience.timeout.shortest) return undefined;
    return { ...this.#result('menu'), ...placeOf(match), overrun: 'other', endMs };
  }

  #known(match: MatchedPrompt): HeardPrompt {
    const before = this.#said.utterances
      .map((utterance) => wordsUntil(utterance, match.startMs + pauseLagMs))
      .filter(({ text }) => text !== '');
    return {
      ...this.#result('known'),
      ...placeOf(match),
      text: before.map((utterance) => utterance.text).join(' '),
      words: before.flatMap((utterance) => utterance.words),
      startMs: before[0]?.startMs ?? match.startMs,
      endMs: this.#log.nowMs,
    };
  }

  #result(kind: HeardPrompt['kind'], extra: { end?: EndKind } = {}): HeardPrompt {
    const startMs = this.#firstSpeechMs ?? this.fromMs;
    const { text, clauses, words, reading, overrun, nextMs, nextMenu, pauseMs } = this.#said;
    const endMs = overrun && this.#said.endMs !== undefined ? this.#said.endMs : this.#lastSpeechMs;
    return {
      kind,
      text,
      clauses,
      words,
      reading: this.#isQueue ? { ...reading, stayOnLine: true } : reading,
      startMs,
      endMs: Math.max(startMs, this.#spoke ? endMs : this.#log.nowMs),
      pauseMs,
      overrun,
      nextMs,
      nextMenu,
      end: extra.end,
      ...(extra.end === 'transfer-ringback' && this.#transfer && { transferTo: this.#transfer.target }),
    };
  }
}

const placeOf = ({ id: knownId, startMs: knownStartMs, offsetMs: knownOffsetMs }: MatchedPrompt) => ({
  knownId,
  knownStartMs,
  knownOffsetMs,
});

/** Returns what was said of an utterance before this time. Systems can speak on in the known prompt without a pause. */
function wordsUntil(
  { text, words, startMs, endMs }: Utterance,
  untilMs: number,
): Pick<Utterance, 'text' | 'words' | 'startMs'> {
  if (endMs <= untilMs) return { text, words, startMs };
  const said = words.filter((word) => word.endMs <= untilMs);
  return { text: said.map((word) => word.text).join(' '), words: said, startMs };
}

/** Most systems give up after three tries. A prompt that repeats more often asks for something in any case. */
const mostRepetitions = 3;
const spanSlackMs = 50;
const shortestRequestMs = 1000;
const pauseLagMs = 300;
const soundSlackMs = 300;
const onsetSlackMs = 200;
/** Speech that ends less than this before the call does was broken off. */
const shortestPauseMs = 300;
