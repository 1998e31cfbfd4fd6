import type { Turn } from '../../contract/testRuns.ts';
import { english } from '../menu/english.ts';
import { readMenu } from '../menu/readMenu.ts';
import { announcesTransfer, personHeard, saidBy, saysGoodbye } from './callEnds.ts';
import type { Said } from './callEnds.ts';
import { checkReadBack, checkStates } from './checkValues.ts';
import type { Criterion } from './criteria.ts';
import { matchPhrase, wordsOfTurns } from './phraseMatch.ts';
import type { PhraseMatch } from './phraseMatch.ts';
import { evidenceAt } from './quotes.ts';
import type { Evidence } from './quotes.ts';
import { contentWords, stem } from './words.ts';

/** Whether what a criterion speaks of happened; its negation is not looked at here. */
export interface Check {
  readonly happened: boolean | 'unknown';
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

export interface CheckedCall {
  /** Words to a judge blanked. */
  readonly turns: readonly Turn[];
  /** As it was. */
  readonly all: readonly Turn[];
}

export const heardAt = ({ turn, text, from }: Said): Evidence => evidenceAt(turn, from, from + text.length);
export const quoted = (text: string): string => `“${text}”`;
const known = (happened: boolean, reason: string, ...evidence: Evidence[]): Check => ({ happened, reason, evidence });
const unknown = (reason: string, ...evidence: readonly Evidence[]): Check => ({ happened: 'unknown', reason, evidence });

/** Looks whether a criterion's event happened, in words that can be checked; `unknown` wherever another reading is possible. */
export function check(criterion: Criterion, { turns, all }: CheckedCall): Check {
  // What may not be said counts wherever it is said, also in words to a judge.
  const call = criterion.negated ? all : turns;
  switch (criterion.kind) {
    case 'says': return checkSays(criterion, call);
    case 'mentions': return checkMentions(criterion.topic, call);
    case 'asks': return checkAsks(criterion.topic, call);
    case 'offers': return checkOffers(criterion, call);
    case 'person': return checkPerson(call);
    case 'transfer': return checkTransfer(criterion.to, call);
    case 'readsBack': return checkReadBack(criterion.digits, call);
    case 'states': return checkStates(criterion.topic, criterion.value, call);
    case 'goodbye': return checkGoodbye(call);
  }
}

function checkSays({ phrases, mode, literal, where }: Extract<Criterion, { kind: 'says' }>, call: readonly Turn[]): Check {
  const firstOfUs = call.findIndex(({ speaker }) => speaker === 'us'), lastOfUs = call.findLastIndex(({ speaker }) => speaker === 'us');
  const place = where === 'first' && firstOfUs !== -1 ? call.slice(0, firstOfUs) : where === 'last' ? call.slice(lastOfUs + 1) : call;
  const words = wordsOfTurns(place);
  let from = 0;
  const found: { phrase: string; match: PhraseMatch }[] = [];
  for (const phrase of phrases) {
    const match = matchPhrase(phrase, words, from);
    if (mode === 'inOrder' && match.kind === 'said') from = match.end;
    found.push({ phrase, match });
  }
  const told = found.map(({ phrase, match }) => `${quoted(phrase)} ${describe(match)}`).join('; ');
  const evidence = found.flatMap(({ match }) => match.evidence);
  const all = mode === 'any' ? found.some(({ match }) => match.kind === 'said') : found.every(({ match }) => match.kind === 'said');
  if (all) return { happened: true, reason: `${told}.`, evidence: found.filter(({ match }) => match.kind === 'said').flatMap(({ match }) => match.evidence) };
  // Other words may say the same, unless the criterion quotes.
  if (!literal) return unknown(`${told}; other words may say the same.`, ...evidence);
  const none = mode === 'any' ? found.every(({ match }) => match.kind === 'absent') : found.some(({ match }) => match.kind === 'absent');
  return none ? { happened: false, reason: `${told}.`, evidence } : unknown(`${told}; that may be a mishearing.`, ...evidence);
}

function describe({ kind, evidence }: PhraseMatch): string {
  const words = evidence.map(({ quote }) => quote).join(' … ');
  if (kind === 'said') return 'was heard';
  if (kind === 'absent') return words === '' ? 'was not heard' : `was not heard, but ${quoted(words)}`;
  return kind === 'near' ? `was not heard; the nearest words were ${quoted(words)}` : `was heard, but what stands before it may turn it round (${quoted(words)})`;
}

/** All content words of a topic in one sentence, compared by their stems. */
export function sentenceAbout(topic: string, said: readonly Said[]): Said | undefined {
  const wanted = contentWords(topic).map(stem);
  return wanted.length === 0 ? undefined : said.find(({ text }) => { const heard = new Set(contentWords(text).map(stem)); return wanted.every((word) => heard.has(word)); });
}

/** None of the topic's content words occurs anywhere. */
export function isForeign(topic: string, said: readonly Said[]): boolean {
  const heard = new Set(said.flatMap(({ text }) => contentWords(text).map(stem)));
  return !contentWords(topic).some((word) => heard.has(stem(word)));
}

function checkMentions(topic: string, call: readonly Turn[]): Check {
  const sentence = sentenceAbout(topic, saidBy(call));
  return sentence ? known(true, `${quoted(topic)} is mentioned.`, heardAt(sentence)) : unknown(`No sentence holds all words of ${quoted(topic)}; other words may mention it.`);
}

function checkAsks(topic: string, call: readonly Turn[]): Check {
  const type = english.inputTypes.find(([, pattern]) => pattern.test(topic.toLowerCase()))?.[0];
  const said = saidBy(call);
  const asking = said.filter(({ text }) => /\?|\b(?:enter|say|tell (?:me|us)|provide|give (?:me|us)|key in|type|spell|what(?:'s| is)|speak|may i have|can i have|could i have|need your)\b/i.test(text) && !/\bpress \S+ (?:to|for|if)\b|\b(?:to|for)\b[^.]*,? press\b/i.test(text));
  const asked = type === undefined || type === 'other' ? undefined : asking.find(({ text }) => readMenu(text).input?.type === type);
  const sentence = asked ?? sentenceAbout(topic, asking);
  if (sentence) return known(true, `It asks for ${topic}.`, heardAt(sentence));
  // Each thing that was asked for is known to be another.
  const others = asking.length === 0 || (type !== undefined && type !== 'other' && asking.every(({ text }) => { const input = readMenu(text).input; return input !== null && input.type !== 'other' && input.type !== type; }));
  if (isForeign(topic, said) && others) return known(false, `${asking.length === 0 ? 'Nothing' : 'Only something else'} was asked for, and no word of ${quoted(topic)} was heard.`);
  return unknown(`No sentence was found that clearly asks for ${quoted(topic)}.`);
}

function checkOffers({ label, literal, key }: Extract<Criterion, { kind: 'offers' }>, call: readonly Turn[]): Check {
  const said = call.filter(({ speaker }) => speaker === 'them');
  const menus = said.map((turn) => ({ turn, reading: readMenu(turn.text) }));
  const options = menus.flatMap(({ turn, reading }) => reading.options.map((option) => ({ turn, ...option })));
  const wanted = contentWords(label).map(stem);
  const fits = options.filter((option) => { const words = new Set(contentWords(option.label).map(stem)); return wanted.length > 0 && wanted.every((word) => words.has(word)); });
  const fit = fits.find((option) => key === undefined || option.key === key);
  const evidence = (turn: Turn): Evidence => evidenceAt(turn, 0, turn.text.length);
  if (fit) return known(true, `Key ${fit.key} is offered for ${quoted(fit.label)}.`, evidence(fit.turn));
  const [other] = fits;
  if (other) return fits.length === 1 ? known(false, `${quoted(other.label)} is offered on key ${other.key}, not on ${key ?? ''}.`, evidence(other.turn)) : unknown(`Several options fit ${quoted(label)}, on other keys.`);
  const spoken = menus.find(({ reading }) => reading.speech.some((phrase) => { const words = new Set(contentWords(phrase).map(stem)); return wanted.length > 0 && wanted.every((word) => words.has(word)); }));
  if (spoken && key === undefined) return known(true, `${quoted(label)} may be said.`, evidence(spoken.turn));
  if (literal && options.length > 0 && isForeign(label, saidBy(call))) return known(false, `Of the ${options.length} options heard none is ${quoted(label)}.`);
  return unknown(options.length === 0 ? 'No menu was heard.' : `None of the ${options.length} options heard has the words ${quoted(label)}; another may mean the same.`);
}

function checkPerson(call: readonly Turn[]): Check {
  const heard = personHeard(call);
  if (heard.kind === 'person') return known(true, 'A person answered.', heardAt(heard.said));
  if (heard.kind === 'none') return known(false, 'The call ended without a person.', heardAt(heard.said));
  return unknown(heard.said ? 'Somebody greeted, and a recording may greet so too.' : 'The words do not show whether a person answered.', ...(heard.said ? [heardAt(heard.said)] : []));
}

const somebody = /^(?:(?:live|real|human) )*(?:agent|person|representative|operator|advis[eo]r|human|someone|somebody|specialist|colleague)$/;

function checkTransfer(to: string, call: readonly Turn[]): Check {
  const said = saidBy(call);
  const transfers = said.filter(announcesTransfer);
  const words = contentWords(to).filter((word) => !/^(?:department|team|desk|line|queue|service)$/.test(word)).map(stem);
  const right = transfers.find(({ text }) => { const heard = new Set(contentWords(text).map(stem)); return somebody.test(to) ? /\b(?:agent|person|representative|operator|advis[eo]r|human|someone|specialist|colleague|team member)s?\b/i.test(text) : words.length > 0 && words.every((word) => heard.has(word)); });
  const last = said.at(-1);
  const person = personHeard(call);
  if (right && (person.kind === 'person' || person.kind === 'maybe' || (last && !saysGoodbye(last)))) return known(true, `The transfer to ${quoted(to)} is announced.`, heardAt(right));
  if (right) return unknown('A transfer is announced, and the call ends without it.', heardAt(right));
  if (transfers.length === 0 && person.kind === 'none') return known(false, 'No transfer is announced, and nobody answers.', heardAt(person.said));
  return unknown(transfers.length > 0 ? `A transfer is announced, not clearly to ${quoted(to)}.` : 'No transfer is announced; it may have come about without words.', ...transfers.map(heardAt));
}

function checkGoodbye(call: readonly Turn[]): Check {
  const said = saidBy(call);
  const bye = said.findLast(({ lower }) => /\bbye\b|\bgoodbye\b|\bfarewell\b/.test(lower));
  if (bye && said.length - said.indexOf(bye) <= 3) return known(true, 'It says goodbye.', heardAt(bye));
  if (bye) return unknown('It says goodbye, but not at the end.', heardAt(bye));
  const [parting] = said.filter(saysGoodbye).slice(-1);
  return parting ? unknown('It takes leave in other words.', heardAt(parting)) : known(false, 'No goodbye was heard.');
}
