import { groupBy } from '../../../base/groupBy.ts';
import { pattern } from '../../../base/rows.ts';
import { readClaim } from '../evidence/claimed.ts';
import { noticeNamed } from '../evidence/notices.ts';
import { meaningsOf } from '../synonyms.ts';
import { contentWords } from '../words.ts';
import { single, type Event, type ReadContext, type ReadEvents, type Topic, type WantedFigure } from './events.ts';
import { readPredicate, type Predicate } from './predicate.ts';
import { readTopic, readWantedFigure } from './topics.ts';

export const article = /^(?:(?:the|an?|our|my|your|their|its|his|her|any|some|caller['’]s|for|about)\s+)+/;
/** Messages outside the call. */
const elsewhere = /^(?:an? |the )?(?:confirmation )?(?:text(?: message)?|sms|e-?mail|letter|link)\b/;
export const vague = pattern`
  \b(?:
    anything|something|everything|nothing|personal|private|sensitive|relevant|appropriate|helpful
    |polite(?:ly)?|friendly|warm|clear(?:ly)?|correct(?:ly)?|quick(?:ly)?|natural|exact|precise
    |professional|satisf\w+|understand\w*|twice|like
  )\b
`;

/** "The amount told is $48.50", "the assistant is automated", "the clinic is open on Saturdays". */
export function readState({ subject, rest, caller, able }: Predicate, context: ReadContext): ReadEvents | undefined {
  if (caller || able || vague.test(rest) || `${subject}${rest}`.includes('⟦')) return undefined;
  if (isSpeaker.test(subject)) {
    const self = readSelf(`it is ${rest}`, context);
    if (self) return single(self);
  }
  const topic = readTopic(subject),
    wanted = readWantedFigure(rest);
  if (topic && wanted && isOnlyCompared(rest, wanted)) return tellsEach(topic, wanted, rest);
  if (wanted && !predicateNegates(rest))
    return readFigures(`${subject} ${rest}`, {
      ...wanted,
      quantities: wanted.quantities.map((one) => ({
        ...one,
        from: one.from + subject.length + 1,
        to: one.to + subject.length + 1,
      })),
    });
  return rest === '' || contentWords(`${subject} ${rest}`).length < 2 || wanted
    ? undefined
    : single({ kind: 'claims', claim: `${subject} is ${rest}`, whether: false });
}

const isSpeaker = /^(?:the |it$)(?:assistant|bot|voice(?:bot)?|agent|line|system|ivr|machine)?$/;

/** Reads everything that can follow "is told": quotes, a clause, a question word, things with figures. */
export function readObject(text: string, predicate: Predicate, context: ReadContext): ReadEvents | undefined {
  const object = text.replace(/^(?:of|about|with|as)\s+/, '').trim();
  const list = readQuotes(object, context, predicate.verb);
  if (list) return list;
  const word = /^(?:neither )?the words? [‘'"]?([\p{L} ]{2,40}?)[’'"]?$/u.exec(object)?.[1];
  if (word !== undefined)
    return single({ kind: 'says', phrases: [word], mode: 'all', literal: true, where: context.where });
  if (object === '' || object.includes('⟦') || vague.test(object) || elsewhere.test(object)) return undefined;
  const clause = /^(?:that|this:|whether(?: or not)?|if)\s+(.+)$/.exec(object);
  if (clause) return readProposition(clause[1] ?? '', /^(?:whether|if)/.test(object), context);
  const notice = noticeNamed(object, ['recording', 'emergency']);
  if (notice) return single({ kind: 'notice', notice });
  if (/^(?:an? )?apology\b/.test(object)) return single({ kind: 'apology' });
  const parts = object
    .replace(/^(?:both|either|neither)\s+/, '')
    .split(/\s*,\s*(?:and |or |nor )?|\s+(?:and|or|nor|as well as)\s+/)
    .filter((part) => part !== '');
  if (parts.length !== 1) return readThings(object, parts, predicate);
  return (
    single(readThing(object)) ??
    (isClause(object) ? readProposition(object, false, context) : mentioned(object, predicate))
  );
}

/** "The date and the price", or one thing whose figure contains such a word. */
function readThings(object: string, parts: readonly string[], predicate: Predicate): ReadEvents | undefined {
  const one = readThing(object);
  const whole = one?.kind === 'tells' ? one : undefined;
  if (whole?.wanted && /,? which (?:is|must|should|has|shall)\b/.test(object)) return single(whole);
  const joined = /\band\b/.test(object);
  const mode = /\b(?:or|nor)\b/.test(object) && !/\bboth\b/.test(object) ? 'any' : 'all';
  if (mode === 'any' && joined) return undefined;
  // Alternatives of one figure: "23 kilograms or 50 pounds".
  if (whole?.wanted && parts.slice(1).every((part) => readTopic(part) === undefined)) return single(whole);
  const things = parts.map((part) => readThing(part));
  if (things.every((thing) => thing !== undefined)) return { events: things, mode };
  return whole && joined && things[0] === undefined ? undefined : mentioned(object, predicate);
}

/** Contains its own verb: "the office is closed". */
const isClause = (object: string): boolean =>
  /\b(?:is|are|was|were|has|have|will|cannot|can|does)\b/.test(object) &&
  !/^(?:why|who|where|how|what|which)\b/.test(object);

const mentioned = (object: string, { act, verb }: Predicate): ReadEvents | undefined =>
  act === 'mention' || (/^names?/.test(verb) && !/\b(?:name|number)\b/.test(object))
    ? single({ kind: 'mentions', topic: object.replace(article, '') })
    : undefined;

/** Reads a thing, with its figure if one is given: "a fee of $45", "the balance, which is two hundred dollars". */
export function readThing(phrase: string): Event | undefined {
  const existence = /^(?:the )?(?:existence|presence|fact) of (?:(?:an?|the|any) )?([a-z][a-z ]+)$/.exec(phrase)?.[1];
  if (existence !== undefined) return { kind: 'mentions', topic: existence };
  const text = phrase.replace(/,? which (?:is|must be|should be|has to be|shall be) /, ' ');
  const wanted = readWantedFigure(text);
  const noun =
    wanted && wanted.quantities[0]
      ? text.slice(0, wanted.quantities[0].from).replace(
          pattern`
            [\s,:$€£]*(?:
              (?:
                of|is|:|at most|at least|no more than|not more than|less than|more than|under|over|up to|by|before
                |after|exactly|that|ends?|until
              )\s*
            )*[\s$€£]*$
          `,
          '',
        )
      : text;
  const topic = readTopic(noun) ?? readTopic(text);
  if (!topic || (wanted && !/\bor\b/.test(text) && new Set(wanted.quantities.map(({ from }) => from)).size > 1))
    return undefined;
  // "The opening hours on Sunday": the restriction isn't checked.
  if (wanted && !wanted.quantities.some(({ kind }) => topic.kinds.includes(kind))) return undefined;
  return wanted ? { kind: 'tells', topic, wanted } : { kind: 'tells', topic };
}

function readProposition(text: string, whether: boolean, context: ReadContext): ReadEvents | undefined {
  if (text.includes('⟦') || /\b(?:or|unless|either)\b/.test(text)) return undefined;
  const self = readSelf(text, context);
  if (self) return single(self);
  const notice = noticeNamed(text, ['recording', 'emergency']);
  if (notice && !/\b(?:not|never|no)\b/.test(text)) return single({ kind: 'notice', notice });
  const wanted = whether ? undefined : readWantedFigure(text);
  if (!wanted) return single({ kind: 'claims', claim: text, whether });
  const topic = figuredTopic(text);
  if (topic) return tellsEach(topic, wanted, text) ?? readFigures(text, wanted);
  return predicateNegates(text) ? single({ kind: 'claims', claim: text, whether }) : readFigures(text, wanted);
}

/** "The fee is $45": returns the topic of a clause that states only its figures. */
function figuredTopic(text: string): Topic | undefined {
  const state = readPredicate(text);
  if (state?.act !== 'be' || state.negated) return undefined;
  const wanted = readWantedFigure(state.rest);
  return wanted && isOnlyCompared(state.rest, wanted) ? readTopic(state.subject) : undefined;
}

const isOnlyCompared = (text: string, wanted: WantedFigure): boolean =>
  readClaim(withoutFigures(text, wanted)).words.every((word) => comparing.has(word));

const timely = new Set(['day', 'clock']);
const withoutFigures = (text: string, { quantities }: WantedFigure): string =>
  quantities.reduce((left, { from, to }) => left.slice(0, from) + ' '.repeat(to - from) + left.slice(to), text);
const predicateNegates = (text: string): boolean => /\b(?:not|never|no|cannot)\b|n't\b/.test(text);

/** Requires any of a topic's figures if they are alternatives or readings of one, otherwise each. */
function tellsEach(topic: Topic, { relation, quantities }: WantedFigure, text: string): ReadEvents | undefined {
  const fitting = quantities.filter(({ kind }) => topic.kinds.includes(kind));
  const own =
    fitting.length > 0 &&
    new Set(quantities.map(({ from }) => from)).size === new Set(fitting.map(({ from }) => from)).size
      ? fitting
      : quantities;
  const groups = /\bor\b/.test(text)
    ? [own]
    : [...groupBy(own, ({ kind, unit }) => (kind === 'day' ? `${kind} ${unit}` : kind)).values()];
  if (
    (groups.length > 1 && relation !== 'is') ||
    !own.every(
      ({ kind }) => topic.kinds.includes(kind) || (timely.has(kind) && topic.kinds.every((one) => timely.has(one))),
    )
  )
    return undefined;
  return {
    events: groups.map((group): Event => ({
      kind: 'tells',
      topic: group.some(({ kind }) => topic.kinds.includes(kind))
        ? topic
        : { ...topic, kinds: group.slice(0, 1).map(({ kind }) => kind) },
      wanted: { relation, quantities: group },
    })),
    mode: 'all',
  };
}

/**
 * A clause with figures: "that the taxi will arrive in at most ten minutes". Each kind of figure must be stated, with
 * the clause's other words.
 */
function readFigures(text: string, { relation, quantities }: WantedFigure): ReadEvents | undefined {
  const kinds = [...new Set(quantities.map(({ kind, unit }) => (kind === 'day' ? `${kind} ${unit}` : kind)))];
  const others = readClaim(withoutFigures(text, { relation, quantities })).words.filter(
    (word) => !/^\d+$/.test(word) && !comparing.has(word),
  );
  if (others.length === 0 || (relation !== 'is' && kinds.length > 1)) return undefined;
  const events = kinds.map((kind): Event => {
    const own = quantities.filter(
      (one) => kind.startsWith(one.kind) && (one.kind !== 'day' || kind.endsWith(one.unit)),
    );
    return {
      kind: 'tells',
      topic: {
        text,
        kinds: own.slice(0, 1).map((one) => one.kind),
        about: /(?!)/,
        generic: true,
        strict: true,
        others,
      },
      wanted: { relation, quantities: own },
    };
  });
  return { events, mode: 'all' };
}

const comparing = new Set(
  meaningsOf(
    'at most least more less than fewer under over below above before after within later earlier exactly about around up only maximum minimum lower higher shorter longer greater',
  ),
);

const speaker = pattern`
  ^(?:
    (?:that )?(?:
      it|he|she|they|this|you|i|the (?:assistant|bot|voice|voicebot|agent|line|system|ivr|caller|machine)
    )\b
    |to be\b|being\b|as\b
    |(?:an? )?(?:human|person|machine|robot|automated|real)
  )
`;

export function readSelf(text: string, { always }: ReadContext): Event | undefined {
  if (!speaker.test(text) || text.split(' ').length > 14) return undefined;
  const human = /\b(?:human(?: being)?|(?:real |live )?person)\b/.test(text),
    machine =
      /\b(?:automated|machine|robot|bot|virtual|computer|ai|artificial|digital)\b(?! system (?:has|will|did))/.test(
        text,
      );
  if (human === machine || !/\b(?:is|be|am|are|being|talking|speaking|as)\b|^(?:an?|human)/.test(text))
    return undefined;
  return { kind: 'self', as: human === /\b(?:not|no)\b/.test(text) ? 'machine' : 'human', always };
}

export function readQuotes(text: string, { phrases, where }: ReadContext, verb = ''): ReadEvents | undefined {
  const object = text
    .replace(/^(?:exactly|literally|verbatim|word for word)\s+/, '')
    .replace(/^(?:that|the (?:exact )?(?:words?|phrases?|message|sentence|text)|both|⟦\d+⟧:)\s+/, '')
    .replace(/^(?:the (?:words?|phrases?|message|sentence)|with|both)\s+/, '')
    .replace(/^[:,]\s*/, '');
  if (!/^⟦\d+⟧(?:(?:\s*,\s*(?:and |or |then )?|\s+(?:and|or|then|and then|before|followed by)\s+)⟦\d+⟧)*$/.test(object))
    return undefined;
  const joiners = new Set(
    object
      .split(/⟦\d+⟧/)
      .slice(1, -1)
      .map((one) => one.replace(/[\s,]+/g, ' ').trim())
      .filter((one) => one !== ''),
  );
  // "A, B or C" is any of them; "A and B or C" is ambiguous.
  if (joiners.size > 1) return undefined;
  const mode = joiners.has('or')
    ? 'any'
    : ['then', 'and then', 'before', 'followed by'].some((one) => joiners.has(one))
      ? 'inOrder'
      : 'all';
  const at = /^(?:begins?|starts?|opens?|greets?|greeted)\b/.test(verb)
    ? 'first'
    : /^ends?\b/.test(verb)
      ? 'last'
      : where;
  return single({
    kind: 'says',
    phrases: [...object.matchAll(/⟦(\d+)⟧/g)].map(([, index]) => phrases[Number(index)] ?? ''),
    mode,
    literal: true,
    where: at,
  });
}
