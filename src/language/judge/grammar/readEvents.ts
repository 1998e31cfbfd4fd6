import { noticeNamed } from '../evidence/notices.ts';
import { isStaff, meaningsOf } from '../synonyms.ts';
import { spokenWords } from '../../../model/heardWords.ts';
import { contentWords } from '../words.ts';
import { readClaim } from '../evidence/claimed.ts';
import type { Event, Topic, Wanted } from './events.ts';
import { readPredicate } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { readRelation, readTopic, readWanted } from './topics.ts';

export interface ReadEvents {
  readonly events: readonly Event[];
  readonly mode: 'all' | 'any';
}
export interface ReadContext {
  readonly phrases: readonly string[];
  readonly where: 'anywhere' | 'first' | 'last';
  readonly always: boolean;
}

const single = (event: Event | undefined): ReadEvents | undefined => event && { events: [event], mode: 'all' };
const recipient =
  /^(?:(?:to |with |from )?(?:the |an? |every |each |any )?(?:caller|callers|customer|customers|patient|guest|user|client|member|passenger|him|her|them|us|me)\b(?!['’]s)[\s,]*)/;
const article = /^(?:(?:the|an?|our|my|your|their|its|his|her|any|some|caller['’]s|for|about)\s+)+/;
const again = /^(?:(?:an?|the) )?(?:second|another|new|further|one more) (?:chance|try|attempt|go)\b/;
/** What comes outside the call. */
const elsewhere = /^(?:an? |the )?(?:confirmation )?(?:text(?: message)?|sms|e-?mail|letter|link)\b/;
/** What no rule can tell from other things. */
const vague =
  /\b(?:anything|something|everything|nothing|personal|private|sensitive|relevant|appropriate|helpful|polite(?:ly)?|friendly|warm|clear(?:ly)?|correct(?:ly)?|quick(?:ly)?|natural|exact|precise|professional|satisf\w+|understand\w*|twice|like)\b/;

/** The events that a predicate speaks of; nothing where it is not understood. */
export function readEvents(predicate: Predicate, context: ReadContext): ReadEvents | undefined {
  const { act, caller, passive, subject } = predicate;
  // What a caller can do need not be done.
  if (predicate.able && !predicate.negated && (act === 'reach' || act === 'transfer' || act === 'hear'))
    return undefined;
  const rest = predicate.rest
    .replace(/^[:,]\s*/, '')
    .replace(recipient, '')
    .replace(/\s+(?:to|for) the (?:caller|customer|patient|guest|user)s?$/, '')
    .replace(/\s+by (?:the|an?) (?:line|ivr|system|bot|agent|assistant|clinic|bank|company)$/, '')
    .trim();
  switch (act) {
    case 'tell':
    case 'hear':
    case 'play':
    case 'mention': {
      // Who has to give something is asked for it.
      if (act === 'tell' && caller && !passive)
        return predicate.obliged ? readAsk(rest, { ...predicate, passive: true }, context) : undefined;
      if (act === 'hear' && !caller && !passive) return undefined;
      if (again.test(rest)) return single({ kind: 'retry' });
      if (act === 'play' && caller) return undefined;
      const aboutSubject = passive ? !caller : act === 'play' && rest === '';
      if (!aboutSubject) return readObject(rest, predicate, context);
      if (/^(?:it|this)$/.test(subject)) return readObject(rest, predicate, context);
      return (
        readObject(`${subject}${rest === '' ? '' : ` ${rest}`}`, predicate, context) ??
        (predicate.verb === 'confirmed' &&
        rest === '' &&
        contentWords(subject).length > 0 &&
        !/⟦|\b(?:and|or)\b/.test(subject)
          ? single({ kind: 'claims', claim: `${subject} is confirmed`, whether: false })
          : undefined)
      );
    }
    case 'ask':
      return readAsk(passive && !caller ? subject : rest, predicate, context);
    case 'offer':
      return caller && !passive ? undefined : readOffer(passive && !caller ? subject : rest, context, subject);
    case 'readBack':
      return caller && !passive && predicate.obliged
        ? readAsk(rest, { ...predicate, passive: true }, context)
        : readBack(passive ? subject : rest, caller && !passive);
    case 'transfer':
      return /^(?:connected|put through|connects?|puts?)/.test(predicate.verb) &&
        (passive ? caller || /^(?:the )?call$/.test(subject) : true)
        ? readConnection(rest)
        : readTransfer(rest);
    case 'reach':
      return caller || passive ? readPerson(rest) : undefined;
    case 'answer':
      return meaningsOf(subject).some(isStaff) && /^(?:the call)?$/.test(rest) ? readPerson(subject) : undefined;
    case 'end':
      return /bye|farewell|leave/.test(predicate.verb) && rest === '' ? single({ kind: 'goodbye' }) : undefined;
    case 'apologise':
      return single({ kind: 'apology' });
    case 'succeed':
      return caller || subject === '' ? undefined : single({ kind: 'succeeds', what: subject.replace(article, '') });
    case 'claim':
      return single(readSelf(rest, context));
    case 'be':
      return readState(predicate, context);
    case 'other':
      if (
        caller &&
        predicate.able &&
        /^(?:try|enter \w+(?: \w+)?|retry)(?: again)?$/.test(rest) &&
        /again|retry/.test(rest)
      )
        return single({ kind: 'retry' });
      if (caller && predicate.obliged && /^(?:enter|key|provide|type|spell|input|supply)\b/.test(rest))
        return readAsk(rest.replace(/^\w+(?: in)?\s+/, ''), { ...predicate, passive: true }, context);
      return predicate.able && caller ? single({ kind: 'offers', label: predicate.rest, literal: false }) : undefined;
  }
}

/** "The amount told is $48.50", "the assistant is automated", "the clinic is open on Saturdays". */
function readState({ subject, rest, caller, able }: Predicate, context: ReadContext): ReadEvents | undefined {
  if (caller || able || vague.test(rest) || `${subject}${rest}`.includes('⟦')) return undefined;
  if (isSpeaker.test(subject)) {
    const self = readSelf(`it is ${rest}`, context);
    if (self) return single(self);
  }
  const topic = readTopic(subject),
    wanted = readWanted(rest);
  if (topic && wanted && readClaim(withoutFigures(rest, wanted)).words.every((word) => comparing.has(word)))
    return tellsEach(topic, wanted, rest);
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

/** Everything that can stand behind "is told": quotes, a clause, a question word, things with figures. */
function readObject(text: string, predicate: Predicate, context: ReadContext): ReadEvents | undefined {
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
  const one = readThing(object);
  if (one?.kind === 'tells' && one.wanted && /,? which (?:is|must|should|has|shall)\b/.test(object)) return single(one);
  const parts = object
    .replace(/^(?:both|either|neither)\s+/, '')
    .split(/\s*,\s*(?:and |or |nor )?|\s+(?:and|or|nor|as well as)\s+/)
    .filter((part) => part !== '');
  if (parts.length === 1)
    return (
      single(one) ??
      (/\b(?:is|are|was|were|has|have|will|cannot|can|does)\b/.test(object) &&
      !/^(?:why|who|where|how|what|which)\b/.test(object)
        ? readProposition(object, false, context)
        : mentioned(object, predicate))
    );
  const mode = /\b(?:or|nor)\b/.test(object) && !/\bboth\b/.test(object) ? 'any' : 'all';
  if (mode === 'any' && /\band\b/.test(object)) return undefined;
  // Alternatives of one figure: "23 kilograms or 50 pounds".
  if (one?.kind === 'tells' && one.wanted && parts.slice(1).every((part) => readTopic(part) === undefined))
    return single(one);
  const things = parts.map((part) => readThing(part));
  return things.every((thing) => thing !== undefined)
    ? { events: things, mode }
    : one?.kind === 'tells' && /\band\b/.test(object) && things[0] === undefined
      ? undefined
      : mentioned(object, predicate);
}

const mentioned = (object: string, { act, verb }: Predicate): ReadEvents | undefined =>
  act === 'mention' || (/^names?/.test(verb) && !/\b(?:name|number)\b/.test(object))
    ? single({ kind: 'mentions', topic: object.replace(article, '') })
    : undefined;

/** A thing, with its figure where one is given: "a fee of $45", "the right balance, which is two hundred dollars". */
function readThing(phrase: string): Event | undefined {
  const existence = /^(?:the )?(?:existence|presence|fact) of (?:(?:an?|the|any) )?([a-z][a-z ]+)$/.exec(phrase)?.[1];
  if (existence !== undefined) return { kind: 'mentions', topic: existence };
  const text = phrase.replace(/,? which (?:is|must be|should be|has to be|shall be) /, ' ');
  const wanted = readWanted(text);
  const noun =
    wanted && wanted.quantities[0]
      ? text
          .slice(0, wanted.quantities[0].from)
          .replace(
            /[\s,:$€£]*(?:(?:of|is|:|at most|at least|no more than|not more than|less than|more than|under|over|up to|by|before|after|exactly|that|ends?|until)\s*)*[\s$€£]*$/,
            '',
          )
      : text;
  const topic = readTopic(noun) ?? readTopic(text);
  if (!topic || (wanted && !/\bor\b/.test(text) && new Set(wanted.quantities.map(({ from }) => from)).size > 1))
    return undefined;
  // "The opening hours on Sunday": what narrows it is not checked.
  if (wanted && !wanted.quantities.some(({ kind }) => topic.kinds.includes(kind))) return undefined;
  return wanted ? { kind: 'tells', topic, wanted } : { kind: 'tells', topic };
}

/** What somebody is told to be so. */
function readProposition(text: string, whether: boolean, context: ReadContext): ReadEvents | undefined {
  if (text.includes('⟦') || /\b(?:or|unless|either)\b/.test(text)) return undefined;
  const self = readSelf(text, context);
  if (self) return single(self);
  const notice = noticeNamed(text, ['recording', 'emergency']);
  if (notice && !/\b(?:not|never|no)\b/.test(text)) return single({ kind: 'notice', notice });
  const state = readPredicate(text);
  const topic = state?.act === 'be' && !state.negated ? readTopic(state.subject) : undefined;
  const wanted = whether ? undefined : readWanted(text);
  const inRest = state && readWanted(state.rest);
  if (
    topic &&
    wanted &&
    state &&
    inRest &&
    readClaim(withoutFigures(state.rest, inRest)).words.every((word) => comparing.has(word))
  )
    return tellsEach(topic, wanted, text) ?? readFigures(text, wanted);
  return wanted && !predicateNegates(text)
    ? readFigures(text, wanted)
    : single({ kind: 'claims', claim: text, whether });
}

/** A topic with its figures: any of them where they are alternatives or ways to read one, else each. */
const timely = new Set(['day', 'clock']);
const withoutFigures = (text: string, { quantities }: Wanted): string =>
  quantities.reduce((left, { from, to }) => left.slice(0, from) + ' '.repeat(to - from) + left.slice(to), text);
const predicateNegates = (text: string): boolean => /\b(?:not|never|no|cannot)\b|n't\b/.test(text);

function tellsEach(topic: Topic, { relation, quantities }: Wanted, text: string): ReadEvents | undefined {
  const fitting = quantities.filter(({ kind }) => topic.kinds.includes(kind));
  const own =
    fitting.length > 0 &&
    new Set(quantities.map(({ from }) => from)).size === new Set(fitting.map(({ from }) => from)).size
      ? fitting
      : quantities;
  const groups = /\bor\b/.test(text)
    ? [own]
    : [...Map.groupBy(own, ({ kind, unit }) => (kind === 'day' ? `${kind} ${unit}` : kind)).values()];
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

/** A clause with figures: "that the taxi will arrive in at most ten minutes". Each kind of figure must be told, with the clause's other words. */
function readFigures(text: string, { relation, quantities }: Wanted): ReadEvents | undefined {
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

const speaker =
  /^(?:(?:that )?(?:it|he|she|they|this|you|i|the (?:assistant|bot|voice|voicebot|agent|line|system|ivr|caller|machine))\b|to be\b|being\b|as\b|(?:an? )?(?:human|person|machine|robot|automated|real))/;

function readSelf(text: string, { always }: ReadContext): Event | undefined {
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

function readQuotes(text: string, { phrases, where }: ReadContext, verb = ''): ReadEvents | undefined {
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
  // "A, B or C" is any of them; "A and B or C" is not clear.
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

function readAsk(text: string, { passive, caller, subject }: Predicate, context: ReadContext): ReadEvents | undefined {
  const object = text
    .replace(/^(?:for|about)\s+/, '')
    .replace(/\s+for$/, '')
    .trim();
  if (!passive && caller && subject !== '') return undefined;
  if (object === '' || object.includes('⟦') || vague.test(object)) return readQuotes(text, context);
  if (/^to (?:\w+ )?(?:confirm|agree|accept)\b|^for (?:\w+ )?confirmation\b|^(?:\w+ )?confirmation$/.test(object))
    return single({ kind: 'asksToConfirm' });
  const entry =
    /^to (?:enter|say|give|key in|provide|type(?: in)?|state|spell|input|tell|name)(?: (?:in|the line|us))? (.+)$/.exec(
      object,
    )?.[1];
  if (entry === undefined && object.startsWith('to ')) return single({ kind: 'invites', to: object.slice(3) });
  if (/^(?:whether|if|how|why|what|who|when)\b/.test(object)) return undefined;
  const whole = (entry ?? object).replace(/\s+(?:again|that|which|by phone|verbally)\b.*$/, '');
  const parts = whole
    .split(/\s*,\s*(?:and |or |nor )?|\s+(?:and|or|nor)\s+/)
    .map((part) => part.replace(article, '').trim())
    .filter((part) => part !== '');
  const mode = /\b(?:or|nor)\b/.test(whole) ? 'any' : 'all';
  if (parts.some((part) => /\b(?:if|when|unless|is|are|not|then)\b|^\w+s (?:to|the|that|how)\b/.test(part)))
    return undefined;
  if (
    parts.length === 0 ||
    parts.some((part) => !/^[a-z][a-z '’-]{1,60}$/.test(part)) ||
    (mode === 'any' && /\band\b/.test(whole))
  )
    return undefined;
  return { events: parts.map((topic): Event => ({ kind: 'asks', topic })), mode };
}

const menuSize =
  /^(?:(?:(at most|no more than|up to|at least|no less than|more than|less than|fewer than|exactly|only) )?(one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})) (?:menu )?(?:options|choices|items|entries)$/;

function readOffer(text: string, { phrases }: ReadContext, subject = ''): ReadEvents | undefined {
  const notice = noticeNamed(text, ['recording', 'emergency']);
  if (notice) return single({ kind: 'notice', notice });
  if (again.test(text)) return single({ kind: 'retry' });
  const size = menuSize.exec(text);
  if (size && /\bmenus?$/.test(subject)) {
    const relation = readRelation(size[1] ?? '');
    return single({
      kind: 'menuSize',
      relation,
      count: Number(spokenWords(size[2] ?? '')[0]?.text),
      first: /\b(?:main|first)\b/.test(subject),
    });
  }
  if (
    /\b(?:at most|at least|more than|less than|only|exactly|\d+|options|choices)\b/.test(text) &&
    !/\bslots?\b/.test(text) &&
    !/⟦|\bkey\b|\b(?:on|as|under|with) \w|\boption \d|\bfor\b/.test(text)
  )
    return undefined;
  if (/^to \w/.test(text)) return single({ kind: 'invites', to: text.slice(3) });
  const slot = readThing(text);
  if (slot?.kind === 'tells' && (/\bslots?\b|\bwindow\b|\bappointment\b/.test(text) || slot.wanted))
    return single(slot);
  const match =
    /^(?:(?:the|an?|any)\s+)*(?:(?:menu )?(?:option|choice|key|possibility|chance)s? (?:(?<before>[0-9*#]) )?(?:for|to reach|to|of|called|named|is) )?(?:(?:the|an?|our|any|some)\s+)*(?:⟦(?<quoted>\d+)⟧|(?<label>[a-z][a-z -]{1,60}?))(?: (?:on|as|under|with) (?:(?:option|key|number) )?(?<after>[0-9*#]))?(?: (?:as )?(?:an? )?(?:menu )?(?:option|choice))?$/.exec(
      text,
    );
  if (!match?.groups) return undefined;
  const { before, after, quoted, label } = match.groups;
  if (
    quoted === undefined &&
    (/\b(?:if|when|is|are|not|way|every|each)\b/.test(label ?? '') ||
      vague.test(label ?? '') ||
      /\b(?:and|or)\b/.test(label ?? ''))
  )
    return undefined;
  const key = before ?? after;
  return single({
    kind: 'offers',
    label: quoted === undefined ? (label ?? '').trim() : (phrases[Number(quoted)] ?? ''),
    literal: quoted !== undefined,
    ...(key === undefined ? {} : { key }),
  });
}

function readBack(text: string, byCaller: boolean): ReadEvents | undefined {
  if (byCaller || text.includes('⟦') || text === '') return undefined;
  if (/^(?:the )?(?:main )?(?:menu|options|choices)(?: again)?$/.test(text)) return single({ kind: 'menu' });
  const digits = /\b(\d[\d -]{1,30}\d)\b/.exec(text)?.[1]?.replace(/\D/g, '');
  const topic = readTopic(text.replace(/\s+(?:that|which)\b.*$/, ''));
  if (topic && digits === undefined && !topic.kinds.includes('code') && !topic.kinds.includes('label'))
    return single({ kind: 'tells', topic, back: true });
  if (!/\b(?:number|code|digits|pin|id|reference|entry|it|input)\b|\d/.test(text) || /\b(?:and|or)\b/.test(text))
    return undefined;
  return single({ kind: 'readsBack', topic: text, ...(digits === undefined ? {} : { digits }) });
}

function readTransfer(rest: string): ReadEvents | undefined {
  const to =
    /^(?:(?:the call|the caller|callers|it|him|her|them|us|me|directly|straight|immediately)\s+)*(?:through )?(?:to|with) (?:(?:the|an?|our|any|some)\s+)*([a-z][a-z -]{1,60})$/.exec(
      rest,
    )?.[1];
  if (to === undefined)
    return /^(?:the call|the caller)?$/.test(rest) ? single({ kind: 'transfer', to: '' }) : undefined;
  return /\b(?:and|or)\b/.test(to) || vague.test(to) ? undefined : single({ kind: 'transfer', to });
}

/** Who is connected to somebody reaches them; to a place, the announcement is what is heard. */
function readConnection(rest: string): ReadEvents | undefined {
  const to =
    /^(?:the (?:call|caller) |him |her |them |us |me )?(?:directly |straight |immediately )?(?:through )?(?:to|with) (.+)$/.exec(
      rest,
    )?.[1];
  return to !== undefined && meaningsOf(to).some(isStaff) ? readPerson(to) : readTransfer(rest);
}

function readPerson(rest: string): ReadEvents | undefined {
  const who = rest.replace(/^(?:(?:the|an?|any|some|of|our|to|with)\s+)+/, '');
  if (
    who === '' ||
    /⟦|,|\b(?:and|or|not|voice ?mail|mailbox|machine|bot|virtual|automated|queue|waiting line)\b/.test(who) ||
    vague.test(who)
  )
    return undefined;
  return meaningsOf(who).some((word) => isStaff(word)) ||
    /\b(?:human|person|dealer|doctor|nurse|driver|manager|teller|engineer|technician|supervisor|attendant|broker|lawyer|teacher|officer|member of staff|team|desk|department|office|counter)\b/.test(
      who,
    )
    ? single({ kind: 'person', of: who })
    : undefined;
}
