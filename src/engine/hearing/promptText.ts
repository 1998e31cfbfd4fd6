import { distance } from 'fastest-levenshtein';
import type { MenuReading } from '../../contract/menu.ts';
import { englishLexicon } from '../../language/menu/english.ts';
import { endsInHold } from '../../language/holdWords.ts';
import { classifyAnnouncement } from '../../language/menu/announcement.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { withoutRestart } from '../../language/menu/restart.ts';
import type { Utterance } from '../../speech/ear.ts';
import type { HeardPartial } from './callLog.ts';
import { patience } from './patience.ts';

/**
 * Why later words aren't part of the prompt:
 * - `repeats`: the prompt begins again, so its state listens
 * - `rejects`: the system says that it got no answer, or a wrong one, so the state listens
 * - `other`: keys are offered for something else, so another state speaks
 */
export type Overrun = 'repeats' | 'rejects' | 'other';

/** A menu that followed a time-out of a prompt that wasn't fully understood. */
export interface NextMenu {
  /** The silence before it, in milliseconds. */
  readonly timeoutMs: number;
  /** What it offers, as far as it was heard. */
  readonly options: MenuReading['options'];
}

interface PromptTextOptions {
  /** A menu after a long silence counts as another state's, although these words offer nothing. */
  readonly mayTimeOut?: boolean | undefined;
  /** Returns the longest silence between two options of this number so far, in milliseconds. */
  readonly pauseMs?: (() => number | undefined) | undefined;
}

/** What was said between two silences of at least `patience.pause.boundary`. */
interface Part {
  text: string;
  /** Like `text`, with a comma between utterances, because a pause separates clauses. */
  clauses: string;
  readonly startMs: number;
  endMs: number;
}

/** The words of one prompt as they become text, and where the prompt ends if another follows it. */
export class PromptText {
  readonly #fromMs: number;
  readonly #options: PromptTextOptions;
  #utterances: readonly Utterance[] = [];
  #partial: HeardPartial | undefined;
  #own: readonly Part[] = [];
  #reading: MenuReading = readMenu('');
  #overrun: Overrun | undefined;
  #nextMenu: NextMenu | undefined;
  #nextMs: number | undefined;
  #pauseMs = 0;

  constructor(fromMs: number, options: PromptTextOptions = {}) {
    this.#fromMs = fromMs;
    this.#options = options;
  }

  /** All utterances, including those after the prompt. */
  get utterances(): readonly Utterance[] {
    return this.#utterances;
  }
  get text(): string {
    return joined(this.#own.map(({ text }) => text));
  }
  /** Like `text`, with a comma between utterances. */
  get clauses(): string {
    return clausesOf(this.#own);
  }
  get reading(): MenuReading {
    return this.#reading;
  }
  get offers(): boolean {
    return this.#reading.options.length + this.#reading.speech.length > 0;
  }
  /** Set once something was said that isn't part of the prompt. */
  get overrun(): Overrun | undefined {
    return this.#overrun;
  }
  /** Set if the prompt timed out into this menu, although it didn't offer the same keys. */
  get nextMenu(): NextMenu | undefined {
    return this.#nextMenu;
  }
  /** Where the words of another state begin that followed without a key. */
  get nextMs(): number | undefined {
    return this.#overrun === 'other' ? this.#nextMs : undefined;
  }
  /** Where the prompt's last words end; undefined before any. */
  get endMs(): number | undefined {
    return this.#own.at(-1)?.endMs;
  }
  /** The longest silence between two of its options, in milliseconds. */
  get pauseMs(): number {
    return this.#pauseMs;
  }
  get words(): Utterance['words'] {
    const { endMs = Infinity } = this;
    return this.#utterances.filter((utterance) => utterance.startMs < endMs).flatMap(({ words }) => words);
  }

  /** Updates the text. Returns whether the prompt's own text changed. */
  update(utterances: readonly Utterance[], partial: HeardPartial | undefined): boolean {
    if (utterances.length === this.#utterances.length && partial === this.#partial) return false;
    this.#utterances = utterances;
    this.#partial = partial;
    return this.#read();
  }

  /** Removes the last part, which turned out to belong to what came next, unless it offers something. */
  endBeforeLastPart(): void {
    const parts = this.#own.slice(0, -1);
    const last = this.#own.at(-1);
    if (!last || parts.length === 0 || offersAny(readMenu(last.clauses))) return;
    this.#own = parts;
    this.#reading = readMenu(clausesOf(parts));
    this.#overrun = 'other';
  }

  /** A known prompt began at this time, so what was said since then isn't part of this one. */
  endBefore(atMs: number): void {
    const own = this.#own.filter((part) => part.startMs < atMs && part.endMs <= atMs + patience.pause.boundary);
    if (own.length === this.#own.length) return;
    this.#own = own;
    this.#reading = readMenu(clausesOf(own));
  }

  /** A tone or music began at this time. After a silence, the menu's time-out led to it. */
  endBySound(sinceMs: number): void {
    this.endBeforeLastPart();
    if (sinceMs >= (this.endMs ?? sinceMs) + patience.pause.boundary) this.#overrun ??= 'other';
  }

  #read(): boolean {
    const before = this.text;
    const [first, ...later] = this.#parts();
    if (!first || (this.#overrun === 'other' && !this.#nextMenu)) return false;
    const own = [first];
    let reading = readMenu(withoutRestart(first.clauses));
    let pauseMs = first.pauseMs;
    this.#overrun = undefined;
    this.#nextMenu = undefined;
    let longestMs = 0;
    for (const [index, part] of later.entries()) {
      const silenceMs = part.startMs - (own.at(-1)?.endMs ?? part.startMs);
      this.#overrun = overrunOf(reading, part, silenceMs);
      const mayBeTimeout =
        silenceMs >= patience.timeout.shortest && silenceMs > Math.max(longestMs * timeoutFactor, this.#usualMs);
      if (!this.#overrun && mayBeTimeout && leavesList(reading, part)) this.#overrun = 'other';
      if (!this.#overrun && mayBeTimeout && this.#options.mayTimeOut) {
        this.#nextMenu = nextMenuAfter(own, reading, later.slice(index));
        if (this.#nextMenu) this.#overrun = 'other';
      }
      longestMs = Math.max(longestMs, silenceMs);
      this.#nextMs = part.startMs;
      if (this.#overrun) break;
      if (offersAny(reading)) pauseMs = Math.max(pauseMs, silenceMs);
      pauseMs = Math.max(pauseMs, part.pauseMs);
      own.push(part);
      const whole = readMenu(withoutRestart(clausesOf(own)));
      // A retry in the same words can be understood better than the first try.
      reading = [whole, readMenu(part.clauses), reading].find((one) => offersAny(one) || one.input) ?? whole;
    }
    this.#own = own.length === 1 ? [{ ...first, text: withoutRestart(first.text) }] : own;
    this.#reading = reading;
    this.#pauseMs = pauseMs;
    return this.text !== before;
  }

  /** Later pauses of this number are about this long. */
  get #usualMs(): number {
    return (this.#options.pauseMs?.() ?? 0) * patience.pause.growth;
  }

  #parts(): (Part & { pauseMs: number })[] {
    const parts: (Part & { pauseMs: number })[] = [];
    const pieces = [...this.#utterances, ...(this.#partial ? [this.#partial] : [])];
    for (const { text, startMs, endMs } of pieces) {
      if (text === '') continue;
      const last = parts.at(-1);
      if (!last || startMs - last.endMs >= patience.pause.boundary) {
        parts.push({ text, clauses: text, startMs: Math.max(startMs, this.#fromMs), endMs, pauseMs: 0 });
        continue;
      }
      if (offersAny(readMenu(last.clauses))) last.pauseMs = Math.max(last.pauseMs, startMs - last.endMs);
      last.text = `${last.text} ${text}`;
      last.clauses = `${last.clauses}, ${text}`;
      last.endMs = endMs;
    }
    return parts;
  }
}

/** Two recognitions of the same words can differ by this share. */
export const maxLetterErrorShare = 0.3;

/** Returns true if two labels are the same, as heard twice. */
export const isSameLabel = (one: string, other: string): boolean =>
  distance(one, other) <= Math.max(one.length, other.length) * maxLetterErrorShare;

/** Returns true if there is anything to press or say. */
export const offersAny = ({ options, speech }: MenuReading): boolean => options.length + speech.length > 0;
const joined = (texts: readonly string[], separator = ' '): string =>
  texts.filter((text) => text !== '').join(separator);
const clausesOf = (parts: readonly Part[]): string =>
  joined(
    parts.map(({ clauses }) => clauses),
    ', ',
  );

/** Returns why `part`, which follows a silence, doesn't continue a prompt with this reading, or undefined if it can. */
function overrunOf(reading: MenuReading, part: Part, silenceMs: number): Overrun | undefined {
  if (!offersAny(reading) && !reading.input) return undefined;
  const isTimeout = silenceMs >= patience.timeout.shortest && !offersAny(readMenu(part.clauses));
  // The system gives up on its caller.
  if (isTimeout && classifyAnnouncement(part.text) === 'goodbye') return 'other';
  if (!offersAny(reading)) return undefined;
  if (classifyAnnouncement(part.text) === 'invalid') return 'rejects';
  const next = readMenu(part.clauses);
  const offered = new Map(reading.options.map(({ key, label }) => [key, label]));
  const again = next.options.filter(({ key }) => offered.has(key));
  if (again.some(({ key, label }) => isSameLabel(offered.get(key) ?? '', label))) return 'repeats';
  // A menu that continues begins with a new key. One of its later keys may have been misread.
  if (again.length > 0 && again[0] === next.options[0]) return 'other';
  return next.speech.some((phrase) => reading.speech.includes(phrase)) ? 'repeats' : undefined;
}

/** A time-out is longer than a pause by at least this factor. */
const timeoutFactor = 2;

/** An announcement that follows a menu's time-out begins with this many words without an offer. */
const announcementWords = 6;

/**
 * Returns true if these words, after a silence that can be a time-out, don't continue the list of keys before it: they
 * announce something first, or their first key doesn't follow the last one.
 */
function leavesList({ options }: MenuReading, part: Part): boolean {
  if (options.length === 0 || classifyAnnouncement(part.text) === 'invalid') return false;
  const words = part.text.toLowerCase().match(/[\p{L}\p{N}'*#]+/gu) ?? [];
  const begins = readMenu(words.slice(0, announcementWords).join(' '));
  const mayOffer = offersAny(begins) || begins.input !== null || englishLexicon.cues.has(words[0] ?? '');
  if (words.length >= announcementWords && !mayOffer) return true;
  const first = readMenu(part.clauses).options[0]?.key ?? '';
  return /^[1-9]$/.test(first) && options.some(({ key }) => /^[1-9]$/.test(key) && key >= first);
}

/**
 * Returns what the words after a silence offer if they are a menu, and the silence is so long that the words before it
 * may be a prompt that timed out. Its keys were said in another language, or weren't understood.
 */
function nextMenuAfter(own: readonly Part[], reading: MenuReading, rest: readonly Part[]): NextMenu | undefined {
  const [part] = rest;
  const last = own.at(-1);
  if (!part || !last || reading.input || classifyAnnouncement(part.text) === 'invalid') return undefined;
  if (endsInHold(last.text) || englishLexicon.sideOffer.test(last.text)) return undefined;
  const { options } = readMenu(clausesOf(rest));
  const keys = options.map(({ key }) => key);
  if (!keys.includes('1')) return undefined;
  const offered = new Set(reading.options.map(({ key }) => key));
  // A menu that continues offers only new keys.
  const isOther = offersAny(reading) ? !offered.has('1') && keys.some((key) => offered.has(key)) : true;
  return isOther ? { timeoutMs: part.startMs - last.endMs, options } : undefined;
}
