import { patternWith, source } from '../../base/rows.ts';
import type { InputType, MenuInput } from '../../contract/menu.ts';
import { monthNames } from '../../model/numbers/calendarNames.ts';

/** What the mission's text lets the caller enter or say. Digits without spaces. */
export interface MissionFacts {
  /** In text order. */
  readonly entries: readonly MissionFact[];
  readonly name?: string | undefined;
}

export interface MissionFact {
  readonly type: InputType;
  /** The noun as written: "account number". */
  readonly noun: string;
  readonly digits: string;
  readonly date?: { readonly year: number; readonly month: number; readonly day: number };
  /** PINs and card numbers, which are masked. */
  readonly secret: boolean;
  /** The noun has only a common word: "your code", "the gate code". */
  readonly bare?: true;
  /** Only the last digits are given: "card ending 4242". */
  readonly ending?: true;
}

const nouns: readonly (readonly [InputType, string])[] = [
  ['pin', '(?:pin|passcode|access code|security code|pass ?word|cvv|cvc)(?: (?:number|code))?'],
  ['card_number', '(?:(?:credit|debit|payment|bank) )?card(?: number)?'],
  ['phone_number', '(?:(?:tele)?phone|mobile|cell|callback|contact)(?: phone)?(?: number)?'],
  ['zip', '(?:zip|postal|post)[- ]?code'],
  ['extension', 'extension(?: number)?'],
  ['amount', '(?:amount|sum|payment of|pay)'],
  [
    'account_number',
    '(?:account|customer|member(?:ship)?|loan|policy|client|patient|subscriber)(?: (?:number|id|no\\.?))?',
  ],
  [
    'other',
    source`
      (?:
        order|booking|reservation|reference|confirmation|ticket|case|claim|tracking|invoice|prescription
        |meter|flight|employee|store|case
      ) (?:number|id|no\.?|code|reference)
    `,
  ],
  ['other', '(?:hotel |hospital )?(?:room|mailbox|locker)(?: (?:number|no\\.?))?'],
];
/** Words before a common noun that don't say which one it is: "your four digit code". */
const plain =
  'your|my|the|an?|this|that|its|is|with|use|using|enter|type|key|dial|say|in|digit|figure|following|own|correct|valid|unique|personal|special|secret|and|or|of|for';
const common = `(?:(?!(?:${plain})\\b)[a-z]+[ -])?(?:code|number|id|reference)`;
/** Words for particular numbers. An unnamed number isn't entered for them. */
const particular = /^(?:area|country|zip|postal|post|sort|pin|phone|telephone|mobile|cell|card|callback)$/;
/** These numbers are entered only if the prompt names them. */
const namedOnly = /^(?:area|country|zip|postal|post|sort)$/;
/** After these words, a code isn't the number, ID or reference of the same name. */
const ambiguous = /^(?:security|access|personal|identification|verification)$/;
const joint =
  '(?:,?\\s+(?:which is|is|of|number|no\\.?|=|(?:(?:that|which) )?end(?:ing|s)(?: in| with)?))?\\s*[:=#]?\\s*';
const kinds: readonly (readonly [InputType, string])[] = [...nouns, ['other', common]];
const anyNoun = new RegExp(`\\b(?:${kinds.map(([, noun]) => `(${noun})`).join('|')})\\b`, 'gi');
/** Numbers that the caller is asked to give: "enter 12345678 when …", "… , type 1234", "99 is …". */
const given = patternWith('gi')`
  (?:\b(?:answer|answer with|dial|enter|give|input|key in|press|provide|reply with|say|type|type in|use)\s|\band\s|,\s|^|[.;\n]\s?)
  (?:the )?(\d[\d -]*\d)(?![\d/])
`;
/** What follows a number if it says what the number is. */
const saysWhich = /^,?\s(?:as|for|if|is|once|when|whenever)\b/;
const asked = /^.*\b(?:ask|prompt|want|need|request)(?:s|ed)?\b(?: \w+){0,2}? for\b/i;

export const monthName = (month: number): string => {
  const name = monthNames[month - 1] ?? '';
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** Reads numbers, dates and a name from a mission's text: "PIN 4321", "born 3 May 1980", "my name is Ann Lee". */
export function readFacts(text: string): MissionFacts {
  // Patterns with several optional spaces would try all ways to divide a run of them.
  const mission = text.replace(/\s{2,}/g, (run) => (run.includes('\n') ? '\n' : ' '));
  const found: (MissionFact & { readonly at: number })[] = [];
  const usedTokens = new Set<number>();
  for (const [type, noun] of [...nouns, ['other', common] as const]) {
    const bare = noun === common;
    const pattern = new RegExp(`\\b(${noun})${joint}[$£€]?(\\d(?:[\\d -]*\\d)${bare ? '' : '?'})(?![\\d/])`, 'gi');
    for (const match of mission.matchAll(pattern)) {
      const digits = (match[2] ?? '').replace(/\D/g, '');
      const numberAt = match.index + match[0].length;
      if (usedTokens.has(numberAt)) continue;
      usedTokens.add(numberAt);
      found.push({
        type,
        noun: (match[1] ?? '').toLowerCase(),
        digits,
        secret: type === 'pin' || type === 'card_number',
        ...(bare && { bare }),
        ...(/\bend(?:ing|s)\b/i.test(match[0]) && { ending: true as const }),
        at: numberAt,
      });
    }
  }
  for (const { 0: whole, 1: number = '', index } of mission.matchAll(given)) {
    const at = index + whole.length;
    const named = usedTokens.has(at) || readDate(number) ? undefined : nounBeside(mission, index, at);
    if (named) found.push({ ...named, digits: number.replace(/\D/g, ''), at });
  }
  for (const match of mission.matchAll(
    patternWith('gi')`
      \b(
        born(?: on)?|birth ?date|date of birth|birthday|dob|appointment date|date|on
      )\b[\s:]*(?:is |on |the )*(\S+(?:[ ,]+\S+){0,3})
    `,
  )) {
    const date = readDate(match[2] ?? '');
    if (date)
      found.push({
        type: 'date',
        noun: /born|birth|dob/i.test(match[1] ?? '') ? 'date of birth' : 'date',
        digits: '',
        date,
        secret: false,
        at: match.index,
      });
  }
  const name = patternWith('u')`
    \b(?:
      [Mm]y name is|[Yy]ou are|[Nn]amed|[Cc]alled|I am|I'm|[Nn]ame:
    )\s+(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’.-]+){1,2})
  `
    .exec(mission)?.[1]
    ?.replace(/\.$/, '');
  return {
    entries: found.sort((a, b) => a.at - b.at).map(({ at: _, ...fact }) => fact),
    name,
  };
}

/** Returns what a number between two positions is for: the nearest noun after "when asked for", or else before. */
function nounBeside(text: string, from: number, to: number): Omit<MissionFact, 'digits'> | undefined {
  const after = /^[^.;!?\d]{0,80}/.exec(text.slice(to, to + 80))?.[0] ?? '';
  const before = /[^.;!?\d]*$/.exec(text.slice(Math.max(0, from - 80), from))?.[0] ?? '';
  const follows = saysWhich.test(after);
  if (!follows && !/^(?:answer|dial|enter|give|input|key|press|provide|reply|say|type|use)/i.test(text.slice(from)))
    return undefined;
  const nouns = [...(follows ? after : before).replace(asked, '').matchAll(anyNoun)];
  const match = follows ? nouns[0] : nouns.at(-1);
  const kind = match?.slice(1).findIndex((noun) => noun !== undefined) ?? -1;
  const type = kinds[kind]?.[0];
  if (!match || !type) return undefined;
  return {
    type,
    noun: match[0].toLowerCase(),
    secret: type === 'pin' || type === 'card_number',
    ...(kind === kinds.length - 1 && { bare: true as const }),
  };
}

/** 3 May 1980, May 3rd, 1980, 1980-05-03; not 03/05/1980, which is ambiguous. */
function readDate(text: string): MissionFact['date'] | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})\b/.exec(text);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const words = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+)\.?,? (\d{4})\b/i.exec(text);
  const american = /^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/i.exec(text);
  const [day, named, year] = words
    ? [words[1], words[2], words[3]]
    : american
      ? [american[2], american[1], american[3]]
      : [];
  const month = monthNames.findIndex((one) => one.startsWith((named ?? '-').toLowerCase().slice(0, 3))) + 1;
  return month > 0 ? { year: Number(year), month, day: Number(day) } : undefined;
}

/** Returns the digits to enter for what a prompt asks, or undefined if the mission gives none that match. */
export function factFor(input: MenuInput, prompt: string, facts: MissionFacts): MissionFact | undefined {
  const lower = prompt.toLowerCase();
  const entries = facts.entries.filter(({ ending, digits }) => !ending || digits.length === input.digits);
  const named = entries.filter(({ bare }) => bare !== true);
  const typed = named.filter(({ type }) => type === input.type);
  const fact =
    typed.find(({ noun }) => lower.includes(noun)) ??
    typed.find(({ type, digits }) => type !== 'other' && digits.length === input.digits) ??
    commonFact(input, lower, entries) ??
    typed.find(({ type }) => type !== 'other') ??
    named.find(({ noun }) => lower.includes(noun));
  if (!fact) return undefined;
  const digits = fact.date
    ? dateDigits(fact.date, lower, input.digits)
    : input.digits !== null && /\blast\b/.test(lower)
      ? fact.digits.slice(-input.digits)
      : fact.digits;
  const secret = fact.secret || input.type === 'pin';
  return digits === '' ? undefined : { ...fact, digits, secret };
}

/** Returns the only fact that a prompt can mean by a common word, such as "your four digit code". */
function commonFact(input: MenuInput, prompt: string, entries: readonly MissionFact[]): MissionFact | undefined {
  if (!/^(?:other|pin|account_number)$/.test(input.type)) return undefined;
  const meant = entries.filter(
    (fact) => isMeant(fact, prompt) && (input.digits === null || fact.digits.length === input.digits),
  );
  return meant.every(({ digits }) => digits === meant[0]?.digits) ? meant[0] : undefined;
}

/** Returns true if a prompt asks for a fact by a common word that its noun has too, and names no other. */
export function isMeant({ noun, date, bare, secret }: MissionFact, prompt: string): boolean {
  const own = namings(noun).at(-1);
  if (own === undefined || date !== undefined) return false;
  // A "confirmation number" is a confirmation code too.
  const isSynonym = (which: string): boolean =>
    which !== '' && which === own.which && !secret && !particular.test(which) && !ambiguous.test(which);
  return namings(prompt.replaceAll(/\bpass ?code\b/g, 'code')).some(({ name, which }) =>
    name === own.name
      ? which === own.which ||
        (which === '' && !namedOnly.test(own.which)) ||
        (bare === true && own.which === '' && !particular.test(which))
      : isSynonym(which),
  );
}

/** Returns the common words of a text in lower case, each with the word that says which one it is. */
const namings = (text: string): { readonly name: string; readonly which: string }[] =>
  [...text.matchAll(new RegExp(`\\b${common}\\b`, 'g'))].flatMap(([words]) => {
    const [name = '', which = ''] = words.split(/[ -]/).reverse();
    // A "reference number" is a reference too.
    return [...(/^(?:code|id|reference)$/.test(which) ? [{ name: which, which: '' }] : []), { name, which }];
  });

/** Returns what a prompt asks for, in words: "a 4-digit code". */
export function askedInput({ type, digits }: MenuInput, prompt: string): string {
  const { name = 'number', which = '' } = namings(prompt).at(-1) ?? {};
  const words = type === 'other' || (type === 'pin' && !/\bpin\b/.test(prompt)) ? `${which} ${name}`.trim() : type;
  const noun = words
    .replace('_', ' ')
    .replace('zip', 'ZIP code')
    .replace(/\b(?:pin|id)\b/, (short) => short.toUpperCase());
  const whole = digits === null ? noun : `${String(digits)}-digit ${noun}`;
  return `${/^(?:[aeiou]|8-|11-|18-)/i.test(whole) ? 'an' : 'a'} ${whole}`;
}

/** Returns a date in the order and length that the prompt names; by default month, day, and year with four digits. */
function dateDigits(
  { year, month, day }: NonNullable<MissionFact['date']>,
  prompt: string,
  length: number | null,
): string {
  const two = (value: number): string => String(value).padStart(2, '0').slice(-2);
  const shortYear = length === 6 || /two[- ]digits? (?:for the )?year|last two digits of the year/.test(prompt);
  const parts = { day: two(day), month: two(month), year: shortYear ? two(year) : String(year) };
  const named = (['day', 'month', 'year'] as const)
    .map((part) => ({
      part,
      at: prompt.search(
        new RegExp(`\\b(?:${part}s?|${part === 'day' ? 'dd' : part === 'month' ? 'mm' : 'yy(?:yy)?'})\\b`),
      ),
    }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at);
  if (length === 4 && named.length === 0) return /\byear\b/.test(prompt) ? String(year) : parts.month + parts.day;
  const order =
    named.length >= 2 || (named.length === 1 && length !== null && length <= 4)
      ? named.map(({ part }) => part)
      : (['month', 'day', 'year'] as const);
  return order.map((part) => parts[part]).join('');
}
