import type { Event, Topic, Wanted } from '../grammar/events.ts';
import { isShut, saysGoodbye } from '../callEnds.ts';
import { classifyAnnouncement } from '../../menu/announcement.ts';
import { meaningsOf } from '../synonyms.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { isMishearing, isSame, quantitiesIn } from './quantities.ts';
import type { Quantity } from './quantities.ts';
import { seenAt } from './sightings.ts';
import type { Seen, Sightings } from './sightings.ts';

/** Words that say that a thing is not told, not yet, or another time. */
const refused = /\b(?:not|cannot|can't|couldn't|isn't|aren't|hasn't|haven't|don't|doesn't|didn't|unable|no|never|unavailable|unknown)\b/;
const postponed = /\b(?:will|'ll|going to) (?:get in touch|be in touch|contact|call|let you know|inform|write|send|email|text|notify|advise|be (?:told|informed|notified|contacted|sent|given)|get|receive)\b|\bby (?:e-?mail|post|letter|text|sms|mail)\b|\b(?:on|at|visit) our (?:website|web site|app)\b|\b(?:later|in due course|as soon as|will follow|to be (?:confirmed|announced|agreed))\b/;
const continued = /^\W*(?:(?:ok(?:ay)?|yes|sure|all right|well),? )?(?:it|that|this|they|he|she|there)(?:'s|'ll| is| are| was| will| comes| leaves)\b/;
/** A figure of a limit or of an example is not the caller's. */
const limiting = /\b(?:minimum|maximum|at least|at most|up to|more than|less than|below|above|under|over|for example)\b/;

/** A code, spelled or in digits: a reference, a number to call. */
const code = /(?:\b\p{L}?\d[\p{L}\d]*\b[\s,-]*){1,}/u;

/** Looks where a thing is told, by a sentence about it with a figure of its kind, and compares the figure. */
export function sightTold({ topic, wanted, back }: Extract<Event, { kind: 'tells' }>, call: HeardCall): Sightings {
  const sure: Seen[] = [], maybe: Seen[] = [], denied: Seen[] = [];
  let before: Sentence | undefined;
  for (const sentence of call.sentences) {
    const goesOn = before !== undefined && continued.test(sentence.stated) && isAbout(topic, before);
    before = sentence;
    const kind = back && repeats(topic, sentence, call) ? 'sure' : look(topic, wanted, sentence, goesOn);
    if (kind) ({ sure, maybe, denied })[kind].push(seenAt(sentence));
  }
  // A denial that is followed by the thing was only put off.
  return { sure, maybe, denied, complete: topic.kinds.length > 0 || call.sentences.every(isRoutine), told: wanted ? `It tells ${topic.text} as wanted` : `It tells ${topic.text}`, missing: `${topic.text} was not told` };
}

/** A figure that the caller gave, said again. */
const repeats = (topic: Topic, { index, quantities, question, stated }: Sentence, { turns }: HeardCall): boolean => {
  const given = turns.slice(0, index).filter(({ speaker }) => speaker === 'us').flatMap(({ text }) => quantitiesIn(text));
  return (!question || stated !== '') && quantities.some((heard) => topic.kinds.includes(heard.kind) && given.some((ours) => isSame(ours, heard)));
};

function look(topic: Topic, wanted: Wanted | undefined, sentence: Sentence, goesOn: boolean): 'sure' | 'maybe' | 'denied' | undefined {
  if (sentence.stated.trim() === '') return undefined;
  if (topic.kinds.length === 0) return lookForWords(topic, sentence);
  const about = goesOn || isAbout(topic, sentence);
  const figures = figuresOf(topic, sentence);
  if (figures.length > 0) {
    if (sentence.conditional || !about) return 'maybe';
    if (wanted) return compare(wanted, figures);
    return sentence.question && !/\b(?:your|is)\b/.test(sentence.stated) || (limiting.test(sentence.stated) && topic.kinds.includes('money')) ? 'maybe' : 'sure';
  }
  if (!about || sentence.question || sentence.conditional || isShut(sentence)) return undefined;
  if (sentence.masked) return 'maybe';
  if (refused.test(sentence.stated) || postponed.test(sentence.stated)) return 'denied';
  // "Your bill is paid" speaks of it without telling it; a figure may have been lost.
  return topic.generic ? undefined : 'maybe';
}

/** Says nothing of anybody's affairs: options, questions, greetings, what is wrong with an entry. */
const isRoutine = (sentence: Sentence): boolean => sentence.stated.trim() === '' || sentence.question || isShut(sentence) || saysGoodbye(sentence)
  || classifyAnnouncement(sentence.lower) === 'invalid' || /^\W*(?:welcome|thank you|thanks|please|hello|good (?:morning|afternoon|evening)|you have reached|ok(?:ay)?|all right|one moment)\b|\b(?:does not|doesn't|do not|don't|did not|didn't) match\b/.test(sentence.lower) || sentence.offers;

const worded = /^\W*(?:is|are|was|were|came back|shows?|showed) (?!not|never|being|ready|available|on|in|sent|handled|important|processed|confidential|protected|private|recorded|needed|required|expected|due|pending|still|kept|given|only|to)[a-z0-9]/;

/** "Your test results are normal": its words, and what it is. */
function lookForWords(topic: Topic, sentence: Sentence): 'sure' | 'maybe' | 'denied' | undefined {
  const heard = meaningsOf(sentence.stated);
  if (!topic.others.every((word) => heard.includes(word))) return undefined;
  if (sentence.question || sentence.conditional || sentence.masked) return 'maybe';
  const said = topic.about.exec(sentence.stated);
  if (refused.test(sentence.stated) || postponed.test(sentence.stated)) return 'denied';
  return said && worded.test(sentence.stated.slice(said.index + said[0].length)) ? 'sure' : 'maybe';
}

const isAbout = (topic: Topic, { stated }: Sentence): boolean => {
  const named = topic.about.test(stated);
  if (!topic.generic) return named;
  if (topic.others.length === 0) return named;
  const heard = new Set(meaningsOf(stated));
  return topic.others.some((word) => heard.has(word));
};

function figuresOf(topic: Topic, { quantities, stated }: Sentence): Quantity[] {
  const figures = quantities.filter(({ kind }) => topic.kinds.includes(kind));
  if (figures.length > 0) return figures;
  const said = topic.about.exec(stated);
  const rest = said ? stated.slice(said.index + said[0].length) : '';
  const none: Quantity = { kind: 'number', value: Number.NaN, unit: '', from: 0, to: 0 };
  if (topic.kinds.includes('code') && said && (quantities.some(({ kind, from, to, value }) => kind === 'number' && (to - from > 2 || value > 99)) || /(?:\b[a-z]\b[\s,-]*){3}/.test(rest) || (code.test(rest) && /[a-z]\d|\d[a-z]/.test(rest)))) return [none];
  if (topic.kinds.includes('label') && said && /^\W*(?:is |will be |number |now |has changed to )*(?:[a-z]? ?\d+ ?[a-z]?|\b[a-z]\b|(?:twenty|thirty|forty|fifty)?[- ]?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen))\b/.test(rest)) return [none];
  return [];
}

function compare({ relation, quantities }: Wanted, figures: readonly Quantity[]): 'sure' | 'maybe' | 'denied' {
  const fits = figures.map((figure) => quantities.some((wanted) => holds(relation, figure, wanted)));
  const same = figures.filter((figure) => quantities.some((wanted) => wanted.kind === figure.kind));
  if (relation === 'is' ? fits.some(Boolean) : fits.every(Boolean)) return 'sure';
  if (same.length === 0 || fits.some(Boolean)) return 'maybe';
  return same.some((figure) => quantities.some((wanted) => relation === 'is' && isMishearing(figure.value, wanted.value))) || same.some(({ half }) => half && relation !== 'is') ? 'maybe' : 'denied';
}

export function holds(relation: Wanted['relation'], heard: Quantity, wanted: Quantity): boolean {
  if (relation === 'is') return isSame(heard, wanted);
  if (heard.kind !== wanted.kind) return false;
  switch (relation) {
    case 'atMost': return heard.value <= wanted.value;
    case 'atLeast': return heard.value >= wanted.value;
    case 'less': return heard.value < wanted.value;
    case 'more': return heard.value > wanted.value;
  }
}
