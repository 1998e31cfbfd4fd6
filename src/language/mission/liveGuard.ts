import type { MenuReading } from '../../contract/menu.ts';
import type { Act } from '../labels/actTable.ts';
import { readMenu } from '../menu/readMenu.ts';
import {
  actsAnnounced,
  findActs,
  actsOfKey,
  actsOfPhrase,
  isNotice,
  keysByAnnouncedName,
  withoutOffers,
} from '../labels/announced.ts';
import {
  agreedTo,
  agrees,
  asksOpenly,
  asksToConfirm,
  asksToKeep,
  besidesAgreement,
  declines,
  greets,
  hasContent,
  proposesToHear,
  withoutReadBack,
} from '../labels/answers.ts';
import { classifyLabel } from '../labels/classifyLabel.ts';
import { digitsGiven, isEntry } from './entries.ts';
import { spelled, whyRefused, type OptionRefusal } from '../labels/liveChoice.ts';
import { isAllowedByName, type PressRules } from '../labels/pressRules.ts';
import { Wishes } from '../labels/purpose.ts';
import { foldLabel, labelSentencesOf } from '../labels/wordForms.ts';

const unknown: OptionRefusal = { because: 'unsure' };

/**
 * Decides what a caller may press or say on a live number: an option that is known to be harmless or that the mission
 * or mapping names, a requested number that the mission gives, or words that agree to nothing irreversible. Nothing else
 * is sent, whatever chose it.
 */
export class LiveGuard {
  readonly #rules: PressRules;
  #wishes = new Wishes();
  #gives = digitsGiven('');
  /** Refused labels in one spelling. They stay refused under any key or phrase. */
  readonly #refused = new Map<string, OptionRefusal>();
  /** What the called side said before the caller's last action, and since then, by turns. */
  readonly #before: string[] = [];
  #since: string[] = [];

  constructor(purpose: string, rules: PressRules = {}) {
    this.#rules = rules;
    this.wants(purpose);
  }

  /** @param purpose The goal from here on, in the user's words. */
  wants(purpose: string): void {
    this.#wishes = new Wishes(purpose);
    this.#gives = digitsGiven(purpose);
    this.#refused.clear();
  }

  /** The called side said something. */
  hear(text: string): void {
    if (text !== '') this.#since.push(text);
  }

  /** The caller pressed or said something. */
  acted(): void {
    this.#before.push(...this.#since);
    this.#since = [];
  }

  /** Returns why these keys aren't pressed, or undefined if they may be. */
  whyNotPress(keys: string): OptionRefusal | undefined {
    const { inputs } = this.#offered();
    if (inputs.some((input) => isEntry(keys, input)) && !(keys.length === 1 && this.#labelsOf(keys).length > 0))
      return this.#whyNotEnter(keys.replaceAll(/\D/g, ''));
    return keys.length === 1 || this.#labelsOf(keys).length > 0 ? this.whyNotKey(keys) : unknown;
  }

  /** Returns why this isn't said, or undefined if it may be. */
  whyNotSay(text: string): OptionRefusal | undefined {
    const said = spelled(text);
    const heard = this.#since.join(' ');
    const keys = keysSaid(said);
    if (keys !== undefined) return this.#whyNotSayKeys(keys);
    for (const [label, refusal] of this.#refused) if (holds(said, label)) return refusal;
    const phrases = this.#offered().phrases.filter((phrase) => holds(said, spelled(phrase)));
    const refusal = phrases.map((phrase) => this.#whyNotLabel(phrase)).find((one) => one !== undefined);
    if (refusal) return refusal;
    const told = phrases.map((phrase) => this.#whyTold(phrase)).find((one) => one !== undefined);
    if (told) return told;
    if (declines(text)) return this.#whyNotLabel(text);
    const beyond = this.#whyBeyond(findActs(text), text);
    if (beyond) return this.#refuse(text, beyond);
    if (phrases.length > 0 && !agrees(text)) return undefined;
    const answers = agrees(text) || asksToConfirm(heard) || this.#isPending(heard);
    const pending = answers ? this.#whyNotAgree(text) : undefined;
    if (pending) return pending;
    const { reading } = this.#offered();
    const isMenu = reading.options.length + reading.speech.length > 0;
    return isMenu && !answers && !asksOpenly(heard) ? unknown : this.#whyNotOwnWords(text);
  }

  /** Returns why a phrase isn't said because of what another sentence says that it does. */
  #whyTold(phrase: string): OptionRefusal | undefined {
    if (isAllowedByName(phrase, this.#rules)) return undefined;
    const acts = actsOfPhrase(this.#everything.join('. '), phrase);
    return this.#whyBeyond(acts, statementsIn(this.#everything).join(' '));
  }

  /** Allows only words of the mission, plainly harmless words, and courtesies. */
  #whyNotOwnWords(text: string): OptionRefusal | undefined {
    const own = spelled(besidesAgreement(text).replaceAll(courtesies, ' '))
      .split(' ')
      .filter((word) => word !== '' && !this.#wishes.names(word));
    return own.length === 0 || addsNothing(own.join(' ')) ? undefined : unknown;
  }

  #whyNotLabel(label: string): OptionRefusal | undefined {
    if (isAllowedByName(label, this.#rules)) return undefined;
    const refusal = this.#refused.get(spelled(label)) ?? this.#judge(label);
    if (refusal && this.#rules.pressUnsure && refusal.because !== 'acts') return undefined;
    return refusal && this.#refuse(label, refusal);
  }

  #whyNotSayKeys(keys: string): OptionRefusal | undefined {
    if (keys.length === 1) return this.whyNotKey(keys);
    const isAsked =
      this.#offered().inputs.length > 0 || /\b(?:number|code|pin|date|digits|amount)\b/i.test(this.#since.join(' '));
    return isAsked ? this.#whyNotEnter(keys) : unknown;
  }

  #refuse(label: string, refusal: OptionRefusal): OptionRefusal {
    const words = spelled(label);
    if (words !== '') this.#refused.set(words, refusal);
    return refusal;
  }

  #judge(label: string): OptionRefusal | undefined {
    const beyond = this.#whyBeyond(findActs(label), label);
    if (beyond) return beyond;
    if (declines(label))
      return asksToKeep(this.#since.join(' ')) && !this.#wishes.acts.has('cancels') ? unknown : undefined;
    if (!agrees(label) || classifyLabel(label).class === 'harmless') return this.#whyUnknown(label);
    const rest = besidesAgreement(label);
    return this.#whyNotAgree(label) ?? (addsNothing(rest) || this.#names(rest) ? undefined : unknown);
  }

  /** An agreement does what was announced in this call, and what the question says. */
  #whyNotAgree(words: string): OptionRefusal | undefined {
    const announced = this.#whyAnnounced(this.#everything);
    if (announced) return announced;
    const { proposals, statements } = agreedTo(statementsIn(this.#since));
    const isWanted = (words: string): boolean => this.#whyUnknown(words) === undefined;
    if (!proposals.every((proposal) => this.#names(proposal) || (proposesToHear(proposal) && isWanted(proposal))))
      return unknown;
    if (statements === undefined) return undefined;
    const heard = this.#since.join('. ');
    const isBare = agrees(words) && !hasContent(foldLabel(words));
    if (asksOpenly(heard) && !asksToConfirm(heard) && !isBare) return undefined;
    const earlier = statements.length > 0 ? undefined : agreedTo(statementsIn(this.#before));
    return [...statements, ...(earlier?.statements ?? [])].every((statement) => this.#isPlain(statement))
      ? undefined
      : unknown;
  }

  /** Returns true if agreeing to this does nothing that the mission doesn't ask for. */
  #isPlain(statement: string): boolean {
    const ownWords = withoutReadBack(statement);
    const acts = findActs(statement);
    return (
      (greets(statement) && foldLabel(this.#everything[0] ?? '').includes(statement)) ||
      isNotice(statement) ||
      this.#names(besidesAgreement(ownWords ?? statement)) ||
      (acts.length > 0 && this.#whyBeyond(acts, statement) === undefined) ||
      (ownWords !== undefined && !hasContent(ownWords))
    );
  }

  /** Returns true if any words may count as an agreement. An offer of help announces nothing. */
  #isPending(heard: string): boolean {
    const relevantSentences = asksOpenly(heard)
      ? labelSentencesOf(heard).filter((one) => !/\b(?:help|you can)\b/i.test(one))
      : [heard];
    return this.#whyAnnounced(relevantSentences) !== undefined;
  }

  /** @param words These, or earlier words, name the object of the acts. */
  #whyBeyond(acts: Iterable<Act>, words: string): OptionRefusal | undefined {
    const beyond = this.#wishes.beyond(acts, words, statementsIn(this.#everything).join(' '));
    return beyond.size > 0 ? { because: 'acts', acts: beyond } : undefined;
  }

  #whyAnnounced(heard: readonly string[]): OptionRefusal | undefined {
    return this.#whyBeyond(actsAnnounced(heard.join('. ')), statementsIn(heard).join(' '));
  }

  get #everything(): readonly string[] {
    return [...this.#before, ...this.#since];
  }

  whyNotKey(key: string): OptionRefusal | undefined {
    // A system can take the first of several keys for an option.
    const first = key.slice(0, -1);
    const whyFirst = first !== '' && this.#whyNotFirst(first);
    if (whyFirst) return whyFirst;
    const labels = this.#labelsOf(key);
    if (labels.length === 0) return { because: 'unread' };
    if (labels.every((label) => isAllowedByName(label, this.#rules))) return undefined;
    const refusal =
      labels.map((label) => this.#whyNotLabel(label)).find((one) => one !== undefined) ??
      (this.#isDoubted(key) && !this.#rules.pressUnsure ? unknown : undefined);
    return (
      refusal ?? this.#whyBeyond(actsOfKey(this.#everything.join('. '), key), statementsIn(this.#everything).join(' '))
    );
  }

  /** Returns why keys aren't pressed before others, if they or the first of them are options. */
  #whyNotFirst(keys: string): OptionRefusal | undefined {
    if (this.#labelsOf(keys).length > 0) return this.whyNotKey(keys);
    return keys.length > 1 ? this.#whyNotFirst(keys.slice(0, -1)) : undefined;
  }

  /** A requested number. Entering it while something is announced agrees to that. */
  #whyNotEnter(digits: string): OptionRefusal | undefined {
    if (!this.#gives(digits, this.#since.join(' '))) return unknown;
    const announced = this.#whyAnnounced(this.#everything);
    if (announced) return announced;
    // A system can treat its first digit as an option.
    const first = digits.charAt(0);
    return this.#labelsOf(first).length > 0 ? this.whyNotKey(first) : undefined;
  }

  /** Returns true if a turn doesn't make clear which of its labels belongs to this key. */
  #isDoubted(key: string): boolean {
    return this.#since
      .map((text) => readMenu(text))
      .some(({ options, unsure = [] }) => unsure.includes('labels') && options.some((option) => option.key === key));
  }

  /** Returns everything a key was said to do since the caller's last action, because menus change. */
  #labelsOf(key: string): string[] {
    const { readings } = this.#offered();
    const labels = readings.flatMap(({ options, unsure = [] }) => {
      const own = options.filter((option) => option.key === key);
      // Each label may belong to the neighbouring key.
      return own.length > 0 && unsure.includes('labels') ? options : own;
    });
    const read = [...new Set(labels.map(({ label }) => label))];
    return read.length > 1 ? read.filter((label) => label !== '') : read;
  }

  #offered(): {
    readonly reading: MenuReading;
    readonly readings: readonly MenuReading[];
    readonly phrases: readonly string[];
    readonly inputs: readonly NonNullable<MenuReading['input']>[];
  } {
    const reading = readMenu(this.#since.join(' '));
    const readings = this.#since.length > 1 ? [...this.#since.map((text) => readMenu(text)), reading] : [reading];
    return {
      reading,
      readings,
      phrases: [...new Set(readings.flatMap(({ speech }) => speech))],
      inputs: readings.flatMap(({ input }) => input ?? []),
    };
  }

  #whyUnknown(label: string): OptionRefusal | undefined {
    return whyRefused(label, { acts: this.#wishes.acts, unsure: (words) => this.#names(words) });
  }

  /** Returns true if the parts of a label that aren't plainly harmless are in the mission's own words. */
  #names(label: string): boolean {
    const words = spelled(label).split(' ');
    const rest = words.filter((word) => !this.#wishes.names(word));
    return rest.length < words.length && addsNothing(rest.join(' '));
  }
}

const courtesies =
  /\b(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|thanks?(?: you)?|thank you|please|sorry|excuse me|pardon|goodbye|bye|my name is|this is|speaking|i have a question|could you repeat that)\b/gi;
/** Returns true if these words are plainly harmless together with others that are. */
const addsNothing = (words: string): boolean => classifyLabel(`hear ${words}`).class === 'harmless';
const statementsIn = (heard: readonly string[]): string[] =>
  heard.flatMap(labelSentencesOf).map((one) => withoutOffers(one));
const holds = (said: string, phrase: string): boolean => phrase !== '' && ` ${said} `.includes(` ${phrase} `);

/** Returns the keys of "option two", or of "one two three", or undefined if there are other words. */
function keysSaid(said: string): string | undefined {
  const words = said.replaceAll(/\b(?:option|number|key|press|dial|please|choose|select|its|the|and|i)\b/g, ' ').trim();
  if (words === '') return undefined;
  const keys = words.split(/ +/).map((word) => (/^\d+$/.test(word) ? word : keyNames.get(word)));
  return keys.includes(undefined) ? undefined : keys.join('');
}

const keyNames: ReadonlyMap<string, string> = new Map([...keysByAnnouncedName, ['oh', '0']]);
