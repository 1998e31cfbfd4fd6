import { sentence } from '../../../base/sentences.ts';
import { pattern } from '../../../base/rows.ts';
import { clearMonthNames } from '../../../model/numbers/calendarNames.ts';
import { numberNames } from '../../../model/numbers/numberWords.ts';
import type { Event, Relation, Topic, WantedFigure } from '../grammar/events.ts';
import { isShut, saysGoodbye } from '../callEnds.ts';
import { readMenu } from '../../menu/readMenu.ts';
import { classifyAnnouncement } from '../../menu/announcement.ts';
import { readRelation } from '../grammar/topics.ts';
import { meaningOf, meaningsOf } from '../synonyms.ts';
import { contentWords } from '../words.ts';
import type { HeardCall, Sentence } from './heardCall.ts';
import { quantitiesIn, type Quantity } from './quantities.ts';
import { isComparable, isMishearing, isSame } from './sameQuantity.ts';
import { seenInSentence, type Seen, type MatchEvidence } from './evidence.ts';

/** Words that say a thing isn't given, isn't given yet, or comes another time. */
const refused = pattern`
  \b(?:
    not|cannot|can't|couldn't|isn't|aren't|hasn't|haven't|don't|doesn't|didn't|unable|unavailable|unknown
  )\b
  |\bno\b.*\b(?:yet|so far|available)\b
`;
const postponed = [
  /\b(?:will|'ll|going to) (?:get in touch|be in touch|contact|call|let you know|inform|write|send|email|text)\b/,
  /\b(?:will|'ll|going to) (?:notify|advise|get|receive|be (?:told|informed|notified|contacted|sent|given))\b/,
  /\bby (?:e-?mail|post|letter|text|sms|mail)\b|\b(?:on|at|visit) our (?:website|web site|app)\b/,
  /\b(?:later|in due course|as soon as|will follow|to be (?:confirmed|announced|agreed))\b/,
];
const isPostponed = (stated: string): boolean => postponed.some((pattern) => pattern.test(stated));
const continued = pattern`
  ^\W*(?:(?:ok(?:ay)?|yes|sure|all right|well),? )?(?:it|that|this|they|he|she|there)(?:
    's|'ll| is| are| was| will| comes| leaves
  )\b
`;
/** The figure of a limit or of an example isn't the caller's. */
const limiting =
  /\b(?:minimum|maximum|at least|at most|up to|more than|less than|below|above|under|over|for example)\b/;

/** Not stated as a fact. */
const suspended = /\b(?:if|may(?! \d| (?:the )?\w+(?:th|st|nd|rd)\b)|might|could|would|should|wish|want)\b/;
/** Days and times without a figure, and a month whose day recognition lost. */
const spans = pattern`
  \b(?:${clearMonthNames.join('|')}|of may)\b
  |\b(?:next|this|coming|end of the) (?:week|month|weekend|year)\b
  |\b(?:
    soon|shortly|daily|every day|all day|christmas|easter|weekdays|weekends?|morning|afternoon
    |evening
  )\b
`;
/** A number or a letter that names what was mentioned. */
const labelled = pattern`
  ^\W*(?:is |will be |number |now |has changed to )*(?:
    [a-z]? ?\d+ ?[a-z]?|\b[a-z]\b|(?:twenty|thirty|forty|fifty)?[- ]?(?:${numberNames(1, 12).join('|')}|\w+teen)
  )\b
`;
/** Directly before a figure: an earlier figure, a denied one, or the amount of a change. */
const was =
  /\b(?:was|were|had|yesterday|last (?:week|month|year|time|night))\b(?:(?!\b(?:is|are|has|have|will|to)\b)[^.?!])*$/;
const isNot =
  /\b(?:not|never|\w+n't)\b(?! (?:more|less|longer|exceed|only|including|later|fewer|over|above))[^,;]{0,20}$/;
const changes = pattern`
  \b(?:
    start(?:s|ing)? (?:at|from)|plus|rose|rises?|risen|fell|falls?|increase[sd]?|decrease[sd]?|reduc\w+
    |raised|lowered|went|save[sd]?|minus|extra|additional|in addition|excluding|before (?:tax|vat)|another
    |off
  )\b
`;

/** Words between a thing and its figure, apart from its name. Any other makes it the figure of something else. */
const joining = new Set(
  (
    'currently now right about approximately around exactly roughly just only at total amount amounts comes come stands stand equals equal due owed owing outstanding available current remaining estimated expected approximate ' +
    'waiting wait time long account today each person night month day year card number still less more than most least between payable usually there be within up longer minutes minute hours hour not exceed later quarter half'
  ).split(' '),
);
/** "The fee for a new card is …" */
const complement = /^ (?:for|of|per) (?:\w+ ){1,4}(?=(?:is|are|will be|comes to|amounts to)\b)/;
const after = /^\W*(?:\w+ )?(?:longer|more|less|higher|lower|shorter|cheaper|next|tomorrow|extra|earlier)\b/;

/** Not the current figure, or not its own. Times, days and codes are also stated in the past, and in many wordings. */
function isOther({ kinds, about, others }: Topic, stated: string, { from, to, value }: Quantity): boolean {
  const before = stated.slice(0, from);
  if (Number.isNaN(value)) return false;
  if (isNot.test(before) || /\b(?:every|each)\s*$/.test(before)) return true;
  if (kinds.some((one) => /^(?:day|clock|code|label|number)$/.test(one))) return false;
  if (was.test(before) || (kinds.includes('money') && changes.test(stated)) || after.test(stated.slice(to)))
    return true;
  const named = [...stated.matchAll(new RegExp(about.source, 'g'))].map((match) =>
    match.index < from ? stated.slice(match.index + match[0].length, from) : stated.slice(to, match.index),
  );
  const plain = (gap: string): boolean =>
    contentWords(gap.replace(complement, '')).every(
      (word) => joining.has(word) || /^\d+$/.test(word) || others.includes(meaningOf(word)) || about.test(word),
    );
  return named.length > 0 && !named.some(plain);
}

/** An amount of nothing. */
const nothing = /\b(?:no|nothing|free|zero|nil|empty|paid)\b/;
const unitKinds = new Set<string>(['money', 'clock', 'duration']);

/** A code, spelled or in digits: a reference, a number to call. */
const code = /(?:\b\p{L}?\d[\p{L}\d]*\b[\s,-]*){1,}/u;

/** Finds where a thing is stated, by a sentence about it with a figure of its kind, and compares the figure. */
export function matchTold({ topic, wanted, back }: Extract<Event, { kind: 'tells' }>, call: HeardCall): MatchEvidence {
  const seen: Record<Look, Seen[]> = { sure: [], maybe: [], other: [], denied: [], vague: [] };
  let before: Sentence | undefined;
  for (const sentence of call.sentences) {
    const goesOn = before !== undefined && continued.test(sentence.stated) && isAbout(topic, before);
    before = sentence;
    const kind = back && repeats(topic, sentence, call) ? 'sure' : look(topic, wanted, sentence, goesOn);
    if (kind) seen[kind].push(seenInSentence(sentence));
  }
  const { other, denied, vague } = seen;
  // Two figures, one of which differs from the wanted one: it isn't known which is right.
  const split = wanted !== undefined && wanted.relation !== 'is' && other.length > 0;
  const sure = split ? [] : seen.sure,
    maybe = split ? [...seen.sure, ...seen.maybe] : seen.maybe;
  return {
    // A different figure shows more than a sentence without one.
    sure,
    maybe: other.length > 0 ? maybe : [...maybe, ...vague],
    denied: [...denied, ...other],
    complete: topic.kinds.length > 0 || call.sentences.every(isRoutine),
    told: wanted ? sentence`It gives ${topic.text} as expected.` : sentence`It gives ${topic.text}.`,
    missing:
      other.length > 0
        ? sentence`It gives another value than expected for ${topic.text}.`
        : sentence`It doesn't give ${topic.text}.`,
  };
}

/** `other`: with a different figure than wanted; `vague`: mentioned without a figure. */
type Look = 'sure' | 'maybe' | 'other' | 'denied' | 'vague';

const repeats = (topic: Topic, { index, quantities, question, stated }: Sentence, { turns }: HeardCall): boolean => {
  const given = turns
    .slice(0, index)
    .filter(({ speaker }) => speaker === 'us')
    .flatMap(({ text }) => quantitiesIn(text));
  return (
    (!question || stated !== '') &&
    quantities.some((heard) => topic.kinds.includes(heard.kind) && given.some((ours) => isSame(ours, heard)))
  );
};

function look(topic: Topic, wanted: WantedFigure | undefined, sentence: Sentence, goesOn: boolean): Look | undefined {
  const { stated } = sentence;
  if (stated.trim() === '' || readMenu(stated).input !== null) return undefined;
  if (topic.kinds.length === 0) return lookForWords(topic, sentence);
  const about = goesOn || isAbout(topic, sentence);
  const figures = figuresOf(topic, sentence);
  if (figures.length === 0) return isShut(sentence) ? undefined : lookWithoutFigure(topic, sentence, about);
  const isOwn =
    about &&
    !sentence.conditional &&
    !figures.some((figure) => isOther(topic, stated, figure)) &&
    (goesOn || (!mayBeAnother(topic, stated) && !isOfAnother(topic, figures, stated)));
  return isOwn ? lookAtFigures(topic, wanted, sentence, figures) : 'maybe';
}

function lookAtFigures(
  { kinds, strict }: Topic,
  wanted: WantedFigure | undefined,
  { stated, question }: Sentence,
  figures: readonly Quantity[],
): Look {
  const isOpen = wanted
    ? question || (strict && (suspended.test(stated) || refused.test(stated)))
    : (question && !/\b(?:your|is)\b/.test(stated)) || (kinds.includes('money') && limiting.test(stated));
  if (isOpen) return 'maybe';
  return wanted ? compare(wanted, figures, stated) : 'sure';
}

/** Judges a sentence without such a figure: recognition may have lost its unit, or it may state a span. */
function lookWithoutFigure(topic: Topic, sentence: Sentence, about: boolean): Look | undefined {
  const { stated, question, conditional, masked } = sentence;
  if (!about) return mayBeAbout(topic, sentence) && !question ? 'maybe' : undefined;
  if (question || conditional) return undefined;
  if (masked || maySpan(topic, sentence) || (topic.kinds.includes('money') && nothing.test(stated))) return 'maybe';
  if (refused.test(stated) || isPostponed(stated)) return 'denied';
  // "Your bill is paid" mentions it without stating it; a figure may have been lost.
  return topic.generic ? undefined : 'vague';
}

const mayBeAbout = (topic: Topic, sentence: Sentence): boolean =>
  maySpan(topic, sentence) ||
  maySwallow(topic, sentence) ||
  (sentence.quantities.length > 0 && sharesWord(topic, sentence.stated));

/** A number without its unit that isn't an emergency number. */
const maySwallow = ({ kinds }: Topic, { quantities }: Sentence): boolean =>
  kinds.some((kind) => unitKinds.has(kind)) &&
  quantities.some(
    ({ kind, value }) => kind === 'number' && value >= 10 && value < 10_000 && ![911, 112, 999].includes(value),
  );

const maySpan = ({ kinds }: Topic, { quantities, stated }: Sentence): boolean =>
  kinds.some((kind) => kind === 'clock' || kind === 'day') &&
  (quantities.some(({ kind }) => kind === 'duration' || kind === 'day' || kind === 'clock') || spans.test(stated));

const sharesWord = ({ text }: Topic, stated: string): boolean => {
  const heard = new Set(meaningsOf(stated));
  return meaningsOf(text).some((word) => heard.has(word));
};

/**
 * If a sentence has several figures ("glass on Tuesdays, and paper on"), one belongs to the topic only if it is in the
 * same clause as all of the topic's words.
 */
function isOfAnother({ others }: Topic, figures: readonly Quantity[], stated: string): boolean {
  if (others.length === 0 || figures.length < 2) return false;
  const spoken = new Set(meaningsOf(stated));
  const named = others.filter((word) => spoken.has(word));
  let from = 0;
  return !stated.split(/,| and (?!\d)|;/).some((clause) => {
    const at = stated.indexOf(clause, from);
    from = at + clause.length;
    const heard = new Set(meaningsOf(clause));
    return (
      named.length > 0 &&
      named.every((word) => heard.has(word)) &&
      figures.some((figure) => figure.from >= at && figure.to <= from)
    );
  });
}

/** The price of something else: "a single room costs …" when the topic is a double room. */
function mayBeAnother({ kinds, generic, others, about }: Topic, stated: string): boolean {
  if (!kinds.includes('money') || generic || others.length === 0) return false;
  const heard = new Set(meaningsOf(stated));
  const shared = others.filter((word) => heard.has(word)).length;
  if (shared === others.length) return false;
  const named = about.exec(stated);
  return (
    shared > 0 ||
    named === null ||
    !/\b(?:your|the|its?|that|this|total|current|available)(?:'s)? (?:\w+ )?$/.test(stated.slice(0, named.index)) ||
    /^ (?:for|of) /.test(stated.slice(named.index + named[0].length))
  );
}

/** Sentences without any facts for the caller: options, questions, greetings, problems with an entry. */
const isRoutine = (sentence: Sentence): boolean =>
  sentence.stated.trim() === '' ||
  sentence.question ||
  isShut(sentence) ||
  saysGoodbye(sentence) ||
  classifyAnnouncement(sentence.lower) === 'invalid' ||
  pattern`
    ^\W*(?:
      welcome|thank you|thanks|please|hello|good (?:morning|afternoon|evening)|you have reached|ok(?:ay)?
      |all right|one moment
    )\b
    |\b(?:does not|doesn't|do not|don't|did not|didn't) match\b
  `.test(sentence.lower) ||
  sentence.offers;

const worded = pattern`
  ^\W*(?:is|are|was|were|came back|shows?|showed) (?!
    not|never|being|ready|available|on|in|sent|handled|important|processed|confidential|protected|private
    |recorded|needed|required|expected|due|pending|still|kept|given|only|to
  )[a-z0-9]
`;

/** "Your test results are normal": the topic's words, with a value. */
function lookForWords(topic: Topic, sentence: Sentence): Look | undefined {
  const heard = meaningsOf(sentence.stated);
  if (!topic.others.every((word) => heard.includes(word))) return undefined;
  if (sentence.question || sentence.conditional || sentence.masked) return 'maybe';
  const said = topic.about.exec(sentence.stated);
  if (refused.test(sentence.stated) || isPostponed(sentence.stated)) return 'denied';
  return said && worded.test(sentence.stated.slice(said.index + said[0].length)) ? 'sure' : 'maybe';
}

const isAbout = (topic: Topic, { stated }: Sentence): boolean => {
  const named = topic.about.test(stated);
  if (!topic.generic) return named;
  if (topic.others.length === 0) return named;
  const heard = new Set(meaningsOf(stated));
  return topic.strict ? topic.others.every((word) => heard.has(word)) : topic.others.some((word) => heard.has(word));
};

function figuresOf(topic: Topic, { quantities, stated }: Sentence): Quantity[] {
  const figures = quantities.filter(({ kind }) => topic.kinds.includes(kind));
  if (figures.length > 0) return figures;
  const said = topic.about.exec(stated);
  const rest = said ? stated.slice(said.index + said[0].length) : '';
  const none: Quantity = { kind: 'number', value: Number.NaN, unit: '', from: 0, to: 0 };
  if (
    topic.kinds.includes('code') &&
    said &&
    (quantities.some(({ kind, value }) => kind === 'number' && value > 99) ||
      /(?:\b[a-z0-9]\b[\s,-]*){3}/.test(rest) ||
      (code.test(rest) && /[a-z]\d|\d[a-z]/.test(rest)))
  )
    return [none];
  if (topic.kinds.includes('label') && said && labelled.test(rest)) return [none];
  return [];
}

function compare({ relation, quantities }: WantedFigure, figures: readonly Quantity[], stated: string): Look {
  const same = figures.filter((figure) => quantities.some((wanted) => isComparable(wanted, figure)));
  const fits = same.map((figure) => {
    const each = quantities.map((wanted) => fitsWhatIsSaid(relation, figure, wanted, stated));
    return each.find((one) => one) ?? (each.includes(undefined) ? undefined : false);
  });
  if (relation === 'is' ? fits.includes(true) : fits.length > 0 && fits.every((one) => one)) return 'sure';
  if (same.length === 0 || fits.includes(true) || fits.some((one) => one === undefined)) return 'maybe';
  return same.some((figure) =>
    relation === 'is' ? quantities.some((wanted) => isMishearing(figure.value, wanted.value)) : figure.half,
  )
    ? 'maybe'
    : 'other';
}

/** A figure that is itself a limit ("more than ten minutes") only states what lies on its side. */
function fitsWhatIsSaid(relation: Relation, heard: Quantity, wanted: Quantity, stated: string): boolean | undefined {
  const bound = relation === 'is' ? 'is' : readRelation(stated.slice(0, heard.from));
  if (bound === 'is') return holds(relation, heard, wanted);
  const low = relation === 'atMost' || relation === 'less',
    below = bound === 'atMost' || bound === 'less';
  if (low === below)
    return heard.value === wanted.value || (low ? heard.value < wanted.value : heard.value > wanted.value)
      ? true
      : undefined;
  return (low ? heard.value >= wanted.value : heard.value <= wanted.value) ? false : undefined;
}

function holds(relation: Relation, heard: Quantity, wanted: Quantity): boolean {
  if (relation === 'is') return isSame(heard, wanted);
  if (!isComparable(heard, wanted)) return false;
  switch (relation) {
    case 'atMost':
      return heard.value <= wanted.value;
    case 'atLeast':
      return heard.value >= wanted.value;
    case 'less':
      return heard.value < wanted.value;
    case 'more':
      return heard.value > wanted.value;
  }
}
