import { distance } from 'fastest-levenshtein';
import type { MenuReading } from '../../contract/menu.ts';
import { english } from '../../language/menu/english.ts';
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

/** A whole menu that followed a time-out of a prompt that wasn't fully understood. */
export interface NextMenu {
  /** The silence before it, in milliseconds. */
  readonly timeoutMs: number;
  /** What it offers, as far as it was heard. */
  readonly options: MenuReading['options'];
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
  readonly #mayTimeOut: boolean;
  #utterances: readonly Utterance[] = [];
  #partial: HeardPartial | undefined;
  #own: readonly Part[] = [];
  #reading: MenuReading = readMenu('');
  #overrun: Overrun | undefined;
  #nextMenu: NextMenu | undefined;
  #pauseMs = 0;

  /** `mayTimeOut`: a menu after a long silence counts as another state's, although these words offer nothing. */
  constructor(fromMs: number, mayTimeOut = false) {
    this.#fromMs = fromMs;
    this.#mayTimeOut = mayTimeOut;
  }

  /** All utterances, including those after the prompt. */
  get utterances(): readonly Utterance[] {
    return this.#utterances;
  }
  get text(): string {
    return joined(this.#own.map(({ text }) => text));
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
    this.#reading = readMenu(
      joined(
        parts.map(({ clauses }) => clauses),
        ', ',
      ),
    );
    this.#overrun = 'other';
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
    for (const part of later) {
      const silenceMs = part.startMs - (own.at(-1)?.endMs ?? part.startMs);
      this.#overrun = overrunOf(reading, part, silenceMs);
      if (!this.#overrun && this.#mayTimeOut && silenceMs > longestMs * timeoutFactor) {
        this.#nextMenu = nextMenuAfter(own, reading, part);
        if (this.#nextMenu) this.#overrun = 'other';
      }
      longestMs = Math.max(longestMs, silenceMs);
      if (this.#overrun) break;
      if (offersAny(reading)) pauseMs = Math.max(pauseMs, silenceMs);
      pauseMs = Math.max(pauseMs, part.pauseMs);
      own.push(part);
      const whole = readMenu(
        withoutRestart(
          joined(
            own.map(({ clauses }) => clauses),
            ', ',
          ),
        ),
      );
      // A retry in the same words can be understood better than the first try.
      reading = [whole, readMenu(part.clauses), reading].find((one) => offersAny(one) || one.input) ?? whole;
    }
    this.#own = own.length === 1 ? [{ ...first, text: withoutRestart(first.text) }] : own;
    this.#reading = reading;
    this.#pauseMs = pauseMs;
    return this.text !== before;
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

/**
 * Returns what `part` offers if it is a whole menu, from its first key on, that follows so long a silence that the words
 * before it may be a prompt that timed out. Its keys were said in another language, or weren't understood.
 */
function nextMenuAfter(own: readonly Part[], reading: MenuReading, part: Part): NextMenu | undefined {
  const timeoutMs = part.startMs - (own.at(-1)?.endMs ?? part.startMs);
  if (timeoutMs < patience.timeout.shortest || reading.input || classifyAnnouncement(part.text) === 'invalid')
    return undefined;
  const before = own.at(-1)?.text ?? '';
  if (endsInHold(before) || english.sideOffer.test(before)) return undefined;
  const { options } = readMenu(part.clauses);
  if (options[0]?.key !== '1') return undefined;
  const offered = new Set(reading.options.map(({ key }) => key));
  // A menu that continues offers only new keys.
  const isOther = offersAny(reading) ? !offered.has('1') && options.some(({ key }) => offered.has(key)) : true;
  return isOther ? { timeoutMs, options } : undefined;
}
