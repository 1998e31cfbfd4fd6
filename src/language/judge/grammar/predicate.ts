import { pattern, source } from '../../../base/rows.ts';

export type Act =
  | 'tell'
  | 'hear'
  | 'ask'
  | 'offer'
  | 'readBack'
  | 'transfer'
  | 'reach'
  | 'answer'
  | 'end'
  | 'apologise'
  | 'succeed'
  | 'claim'
  | 'play'
  | 'mention'
  | 'be'
  | 'other';

/** A parsed clause: subject, negation, action, and the rest. */
export interface Predicate {
  readonly subject: string;
  /** The subject is the caller. */
  readonly caller: boolean;
  readonly negated: boolean;
  readonly passive: boolean;
  /** "can", "is able to", "may". */
  readonly able: boolean;
  /** "has to", "needs to", "is required to". */
  readonly obliged: boolean;
  readonly act: Act;
  readonly verb: string;
  readonly rest: string;
}

/** Finite forms and participles of the verbs of an act. The first act that matches counts. */
const verbs: readonly (readonly [Act, string, string])[] = [
  [
    'readBack',
    'reads? back|repeats?(?: back)?|echo(?:es)?|replays?',
    'read back|repeated(?: back)?|echoed|replayed|reading back|repeating',
  ],
  [
    'reach',
    source`
      reach(?:es)?|gets? through to|gets? to (?:speak|talk) (?:to|with)|gets? to|speaks? (?:to|with)
      |talks? (?:to|with)|ends? up with|arrives? at|gets? hold of
    `,
    'answered by|reached|speaking (?:to|with)|talking (?:to|with)',
  ],
  [
    'transfer',
    source`
      transfers?|connects?|puts? (?:\w+ ){0,2}through|forwards?|routes?|redirects?
      |hands? (?:\w+ ){0,2}over|pass(?:es)? (?:\w+ ){0,2}on|escalates?
    `,
    'transferred|connected|put through|forwarded|routed|redirected|handed over|passed on|escalated|sent through|sent',
  ],
  ['ask', 'asks?|prompts?|requests?|requires?|demands?|wants?', 'asked|prompted|requested|required|demanded|asking'],
  [
    'offer',
    source`
      offers?|invites?|presents?|lists?|has|provides?
      |gives?(?= (?:the caller |callers |us |me )?(?:an? |the )?(?:option|choice|possibility|chance))
    `,
    'offered|invited|presented|listed|given(?= (?:an? |the )?(?:option|choice|possibility|chance)s?\\b)',
  ],
  ['apologise', 'apologi[sz]es?|says? sorry', 'apologi[sz]ed'],
  [
    'end',
    source`
      hangs? up|ends? the call|disconnects?|drops? the call|says? (?:good ?bye|bye|farewell)
      |bids? (?:good ?bye|farewell)|takes? leave
    `,
    'disconnected|hung up on|cut off',
  ],
  ['answer', 'answers?|picks? up|takes? the call|comes? on the line|comes? to the phone', 'answering'],
  ['succeed', 'goes through|go through|succeeds?', 'successful|accepted|approved|processed'],
  [
    'claim',
    'claims?|pretends?|asserts?|(?:identif(?:y|ies)|introduces?|presents?) (?:itself|himself|herself|themselves)',
    'claiming|claimed',
  ],
  ['mention', 'mentions?|refers? to|talks? about|speaks? of', 'mentioned|referred to|spoken of'],
  ['hear', 'hears?|learns?|gets?|receives?|finds? out|listens? to', 'heard|received|learnt|learned'],
  [
    'tell',
    source`
      tells?|informs?|advises?|notif(?:y|ies)|states?|announces?|says?|names?|gives?|reads?(?: out)?
      |discloses?|reveals?|quotes?|reports?|communicates?|indicates?|specif(?:y|ies)|explains?|confirms?
      |warns?|reminds?|includes?|contains?|admits?|acknowledges?|uses?|utters?|greets?|responds?
      |repl(?:y|ies)|begins?|starts?|opens?
    `,
    source`
      told|informed|advised|notified|stated|announced|said|named|given|read(?: out)?|disclosed|revealed
      |quoted|used|reported|communicated|indicated|specified|explained|confirmed|warned|reminded|provided
      |shared|greeted|uttered|repeated
    `,
  ],
  ['play', 'plays?|comes?', 'played|spoken|made|heard'],
];

const modal = source`
  must|shall|should|will|would|has to|have to|had to|needs? to|ought to|is to|are to
  |(?:is|are) supposed to|does|do|did
`;
const able = 'can|could|may|might|(?:is|are|be) able to|(?:is|are|be) allowed to';
const be = 'is|are|was|were|be|been|being|gets?';
const have = 'has|have|had|having';
const denial = source`
  not|never|cannot
  |(?:must|shall|should|ca|could|does|do|did|is|are|was|were|has|have|wo|would|need)n['’]?t|no longer
  |at no (?:time|point)|under no circumstances|in no case
`;
const adverb = source`
  also|always|then|first|already|immediately|clearly|explicitly|ever|still|directly|automatically
  |eventually|finally|again|therefore|just|simply|actually|itself|both|either|at any (?:time|point)
  |in fact
`;
const chain = pattern`
  ^(?:(?<modal>${modal})|(?<able>${able})|(?<be>${be})|(?<have>${have})|(?<denial>${denial})|(?<adverb>${adverb}))(?=[\s]|$)\s*
`;
const finite = verbs.map(([act, form]) => [act, new RegExp(`^(?:${form})(?=\\W|$)`)] as const);
const participles = verbs.map(([act, , form]) => [act, new RegExp(`^(?:${form})(?=\\W|$)`)] as const);

const callers = pattern`
  \b(?:
    callers?|customers?|users?|patients?|clients?|guests?|passengers?|members?|tenants?|policyholders?
    |claimants?|subscribers?|visitors?|travell?ers?|drivers?|shoppers?|borrowers?|residents?|parents?
    |students?|people|person calling|whoever|whoever calls|anyone|anybody|nobody|no one|tester|testers|i
    |we|they|he|she|someone who (?:calls|rings)
  )\b
`;

/** Returns true if a subject is the caller: its noun, before its description. */
export const isCaller = (subject: string): boolean =>
  callers.test(
    subject
      .toLowerCase()
      .replace(/\b(?:who|that|which|of|for|with|in|at)\b.*$/, '')
      .replace(/['’]s\b.*/, ' '),
  ) || /^(?:whoever|anybody|anyone)\b/i.test(subject);

/** Parses the subject and predicate of a clause, in lower case. Returns undefined if it has no known verb. */
export function readPredicate(clause: string): Predicate | undefined {
  const starts = [0, ...[...clause.matchAll(/\s+(?=\S)/g)].map((match) => match.index + match[0].length)];
  for (const start of starts) {
    const subject = clause.slice(0, start).trim();
    const read = predicateAt(clause.slice(start), subject);
    if (!read) continue;
    // "Callers who decline the recording get …": the verb of the relative clause isn't the clause's own.
    const relative = /\b(?:who|whoever|that|which|whom)(?: \w+){0,2}$/.test(subject) && !/\b(?:it|this)$/.test(subject);
    if (!relative) return read;
  }
  return undefined;
}

type Verb = Pick<Predicate, 'act' | 'verb' | 'rest'>;
type Auxiliaries = Pick<Predicate, 'negated' | 'able' | 'obliged' | 'rest'> & {
  readonly toBe: boolean;
  /** There is one, apart from adverbs. */
  readonly helped: boolean;
};

function verbIn(forms: typeof finite, text: string): Verb | undefined {
  for (const [act, form] of forms) {
    const verb = form.exec(text)?.[0];
    if (verb !== undefined) return { act, verb, rest: text.slice(verb.length).trim() };
  }
  return undefined;
}

/** Removes what precedes the verb itself: "must not be", "has to", "can also". */
function auxiliariesOf(text: string): Auxiliaries {
  const found = { negated: false, able: false, obliged: false, toBe: false, helped: false, rest: text };
  for (let link = chain.exec(text); link?.groups; link = chain.exec(found.rest)) {
    const [word] = link;
    const { denial: denies, able: can, be: being, adverb: only, have: has } = link.groups;
    const rest = found.rest.slice(word.length);
    // "has" alone is a verb: "has an option".
    if (has !== undefined && !chain.test(rest) && !verbIn(participles, rest)) break;
    if (denies !== undefined || /n['’]?t$|^not$/.test(word.trim())) found.negated = !found.negated;
    found.able ||= can !== undefined;
    found.obliged ||= has === undefined && /^(?:has|have|had|needs?|must) ?(?:to)?\s*$/.test(word);
    found.toBe ||= being !== undefined || /\b(?:is|are|was|were)n/.test(word);
    found.helped ||= only === undefined;
    found.rest = rest;
  }
  return found;
}

function predicateAt(text: string, subject: string): Predicate | undefined {
  const { negated, able, obliged, toBe, helped, rest } = auxiliariesOf(text);
  const nobody = /^(?:no|neither|none|nobody|no one)\b/.test(subject);
  const base = { subject, caller: isCaller(subject), negated: negated !== nobody, able, obliged, passive: false };
  const participle = toBe || /^(?:has|have|had)\b/.test(text) ? verbIn(participles, rest) : undefined;
  if (toBe) {
    if (participle) return { ...base, ...participle, passive: true };
    const own = verbOfGetting(text, rest) ?? { act: 'be', verb: 'be', rest: rest.trim() };
    return { ...base, ...own };
  }
  const verb = verbIn(finite, rest) ?? participle;
  if (verb) return helped || (!isNoun(verb, subject) && agrees(verb, subject)) ? { ...base, ...verb } : undefined;
  return helped && rest !== ''
    ? { ...base, act: 'other', verb: rest.split(' ')[0] ?? '', rest: rest.trim() }
    : undefined;
}

/** "gets an answer" is a verb, but "gets connected" isn't. */
function verbOfGetting(text: string, rest: string): Verb | undefined {
  const gets = /(?:^|\s)gets?\s+$/.exec(text.slice(0, text.length - rest.length));
  return gets ? verbIn(finite, text.slice(gets.index).trim()) : undefined;
}

/** A noun that is spelled like a verb: "the offers are", "a report of". */
const isNoun = ({ rest }: Verb, subject: string): boolean =>
  chain.test(rest) ||
  /^of\b/.test(rest) ||
  /\b(?:the|an?|any|no|each|every|this|that|first|last|one|wait|retention|to)$/.test(subject);

/** Returns true if a verb's ending agrees with a subject: "the line says", "callers say". */
const agrees = ({ act, verb }: Verb, subject: string): boolean =>
  /^\S*s(?: |$)/.test(verb) ||
  subject === '' ||
  /(?:s|they|we|i|you|people|who|to)$|\bwho\b/.test(subject) ||
  act === 'reach';
