import { pattern } from '../../../base/rows.ts';
import { noticeNamed } from '../evidence/notices.ts';
import { isStaff, meaningsOf } from '../synonyms.ts';
import { spokenWords } from '../../../model/heard/heardWords.ts';
import { numberNames } from '../../../model/numbers/numberWords.ts';
import { contentWords } from '../words.ts';
import { single, type Event, type ReadContext, type ReadEvents } from './events.ts';
import { article, readObject, readQuotes, readSelf, readState, readThing, vague } from './objects.ts';
import type { Act, Predicate } from './predicate.ts';
import { readRelation, readTopic } from './topics.ts';

const recipient = pattern`
  ^(?:
    (?:to |with |from )?(?:the |an? |every |each |any )?(?:
      caller|callers|customer|customers|patient|guest|user|client|member|passenger|him|her|them|us|me
    )\b(?!['’]s)[\s,]*
  )
`;
const again = /^(?:(?:an?|the) )?(?:second|another|new|further|one more) (?:chance|try|attempt|go)\b/;

interface Clause extends Predicate {
  /** The rest, without the addressee and the speaker. */
  readonly object: string;
  /** The thing that the act affects: the object, or the subject of a passive clause unless that is the caller. */
  readonly thing: string;
  readonly byCaller: boolean;
}

function clauseOf(predicate: Predicate): Clause {
  const { caller, passive, subject, rest } = predicate;
  const object = rest
    .replace(/^[:,]\s*/, '')
    .replace(recipient, '')
    .replace(/\s+(?:to|for) the (?:caller|customer|patient|guest|user)s?$/, '')
    .replace(/\s+by (?:the|an?) (?:line|ivr|system|bot|agent|assistant|clinic|bank|company)$/, '')
    .trim();
  return { ...predicate, object, thing: passive && !caller ? subject : object, byCaller: caller && !passive };
}

/** How to read each act. Undefined if the clause doesn't mean it. */
const readers: Readonly<Record<Act, (clause: Clause, context: ReadContext) => ReadEvents | undefined>> = {
  tell: (clause, context) => (clause.byCaller ? readDuty(clause.object, clause, context) : readSaid(clause, context)),
  hear: (clause, context) => (clause.caller || clause.passive ? readSaid(clause, context) : undefined),
  play: (clause, context) => (clause.caller && !again.test(clause.object) ? undefined : readSaid(clause, context)),
  mention: readSaid,
  ask: (clause, context) => readAsk(clause.thing, clause, context),
  offer: ({ byCaller, thing, subject }, context) => (byCaller ? undefined : readOffer(thing, context, subject)),
  readBack: (clause, context) =>
    clause.byCaller && clause.obliged
      ? readDuty(clause.object, clause, context)
      : readBack(clause.passive ? clause.subject : clause.object, clause.byCaller),
  transfer: (clause) => (isConnected(clause) ? readConnection(clause.object) : readTransfer(clause.object)),
  reach: ({ caller, passive, object }) => (caller || passive ? readPerson(object) : undefined),
  answer: ({ subject, object }) =>
    meaningsOf(subject).some(isStaff) && /^(?:the call)?$/.test(object) ? readPerson(subject) : undefined,
  end: ({ verb, object }) =>
    /bye|farewell|leave/.test(verb) && object === '' ? single({ kind: 'goodbye' }) : undefined,
  apologise: () => single({ kind: 'apology' }),
  succeed: ({ caller, subject }) =>
    caller || subject === '' ? undefined : single({ kind: 'succeeds', what: subject.replace(article, '') }),
  claim: ({ object }, context) => single(readSelf(object, context)),
  be: readState,
  other: readOther,
};

/** Acts that needn't happen if the caller merely can do them. */
const possible: ReadonlySet<Act> = new Set(['reach', 'transfer', 'hear']);

/** Returns the events of a predicate, or undefined if it isn't understood. */
export function readEvents(predicate: Predicate, context: ReadContext): ReadEvents | undefined {
  if (predicate.able && !predicate.negated && possible.has(predicate.act)) return undefined;
  return readers[predicate.act](clauseOf(predicate), context);
}

/** Reads what is said, heard, played or mentioned: the object, or the subject of "is told" and "is played". */
function readSaid(clause: Clause, context: ReadContext): ReadEvents | undefined {
  const { act, caller, passive, subject, object } = clause;
  if (again.test(object)) return single({ kind: 'retry' });
  const isSubject = passive ? !caller : act === 'play' && object === '';
  if (!isSubject || /^(?:it|this)$/.test(subject)) return readObject(object, clause, context);
  return readObject(object === '' ? subject : `${subject} ${object}`, clause, context) ?? readConfirmed(clause);
}

/** "The appointment is confirmed." */
const readConfirmed = ({ verb, object, subject }: Clause): ReadEvents | undefined =>
  verb === 'confirmed' && object === '' && contentWords(subject).length > 0 && !/⟦|\b(?:and|or)\b/.test(subject)
    ? single({ kind: 'claims', claim: `${subject} is confirmed`, whether: false })
    : undefined;

/** A caller who must give something is asked for it. */
const readDuty = (text: string, clause: Clause, context: ReadContext): ReadEvents | undefined =>
  clause.obliged ? readAsk(text, { ...clause, passive: true }, context) : undefined;

const isConnected = ({ verb, passive, caller, subject }: Clause): boolean =>
  /^(?:connected|put through|connects?|puts?)/.test(verb) && (!passive || caller || /^(?:the )?call$/.test(subject));

/** Reads what a caller can or must do with an unknown verb. */
function readOther(clause: Clause, context: ReadContext): ReadEvents | undefined {
  const { caller, able, obliged, object, rest } = clause;
  if (!caller) return undefined;
  if (able && /^(?:try|enter \w+(?: \w+)?|retry)(?: again)?$/.test(object) && /again|retry/.test(object))
    return single({ kind: 'retry' });
  if (obliged && /^(?:enter|key|provide|type|spell|input|supply)\b/.test(object))
    return readDuty(object.replace(/^\w+(?: in)?\s+/, ''), clause, context);
  return able ? single({ kind: 'offers', label: rest, literal: false }) : undefined;
}

const entering =
  /^to (?:enter|say|give|key in|provide|type(?: in)?|state|spell|input|tell|name)(?: (?:in|the line|us))? (.+)$/;

function readAsk(text: string, { passive, caller, subject }: Predicate, context: ReadContext): ReadEvents | undefined {
  const object = text
    .replace(/^(?:for|about)\s+/, '')
    .replace(/\s+for$/, '')
    .trim();
  if (!passive && caller && subject !== '') return undefined;
  if (object === '' || object.includes('⟦') || vague.test(object)) return readQuotes(text, context);
  if (/^to (?:\w+ )?(?:confirm|agree|accept)\b|^for (?:\w+ )?confirmation\b|^(?:\w+ )?confirmation$/.test(object))
    return single({ kind: 'asksToConfirm' });
  const entry = entering.exec(object)?.[1];
  if (entry === undefined && object.startsWith('to ')) return single({ kind: 'invites', to: object.slice(3) });
  if (/^(?:whether|if|how|why|what|who|when)\b/.test(object)) return undefined;
  return readAskedFor((entry ?? object).replace(/\s+(?:again|that|which|by phone|verbally)\b.*$/, ''));
}

/** Reads requested things, each a plain noun: "the PIN and the date of birth". */
function readAskedFor(text: string): ReadEvents | undefined {
  const things = text
    .split(/\s*,\s*(?:and |or |nor )?|\s+(?:and|or|nor)\s+/)
    .map((part) => part.replace(article, '').trim())
    .filter((part) => part !== '');
  const mode = /\b(?:or|nor)\b/.test(text) ? 'any' : 'all';
  const isNoun = (part: string): boolean =>
    /^[a-z][a-z '’-]{1,60}$/.test(part) &&
    !/\b(?:if|when|unless|is|are|not|then)\b|^\w+s (?:to|the|that|how)\b/.test(part);
  if (things.length === 0 || !things.every(isNoun) || (mode === 'any' && /\band\b/.test(text))) return undefined;
  return { events: things.map((topic): Event => ({ kind: 'asks', topic })), mode };
}

function readOffer(text: string, { phrases }: ReadContext, subject: string): ReadEvents | undefined {
  const notice = noticeNamed(text, ['recording', 'emergency']);
  if (notice) return single({ kind: 'notice', notice });
  if (again.test(text)) return single({ kind: 'retry' });
  const size = /\bmenus?$/.test(subject) ? readMenuSize(text, subject) : undefined;
  if (size) return single(size);
  if (
    /\b(?:at most|at least|more than|less than|only|exactly|\d+|options|choices)\b/.test(text) &&
    !/\bslots?\b/.test(text) &&
    !/⟦|\bkey\b|\b(?:on|as|under|with) \w|\boption \d|\bfor\b/.test(text)
  )
    return undefined;
  if (/^to \w/.test(text)) return single({ kind: 'invites', to: text.slice(3) });
  const slot = readThing(text);
  if (slot?.kind === 'tells' && (slot.wanted || /\bslots?\b|\bwindow\b|\bappointment\b/.test(text)))
    return single(slot);
  return single(readOption(text, phrases));
}

const bound = 'at most|no more than|up to|at least|no less than|more than|less than|fewer than|exactly|only';
const smallNumber = [...numberNames(1, 10), String.raw`\d{1,2}`].join('|');
const menuSize = new RegExp(`^(?:(${bound}) )?(${smallNumber}) (?:menu )?(?:options|choices|items|entries)$`);

/** "The main menu has at most five options." */
function readMenuSize(text: string, menu: string): Event | undefined {
  const [, relation = '', count] = menuSize.exec(text) ?? [];
  return count === undefined
    ? undefined
    : {
        kind: 'menuSize',
        relation: readRelation(relation),
        count: Number(spokenWords(count)[0]?.text),
        first: /\b(?:main|first)\b/.test(menu),
      };
}

const optionNoun = '(?:menu )?(?:option|choice|key|possibility|chance)s?';
const option = new RegExp(
  [
    `^(?:(?:the|an?|any)\\s+)*(?:${optionNoun} (?:(?<before>[0-9*#]) )?(?:for|to reach|to|of|called|named|is) )?`,
    '(?:(?:the|an?|our|any|some)\\s+)*(?:⟦(?<quoted>\\d+)⟧|(?<label>[a-z][a-z -]{1,60}?))',
    '(?: (?:on|as|under|with) (?:(?:option|key|number) )?(?<after>[0-9*#]))?',
    '(?: (?:as )?(?:an? )?(?:menu )?(?:option|choice))?$',
  ].join(''),
);

function readOption(text: string, phrases: ReadContext['phrases']): Event | undefined {
  const named = option.exec(text)?.groups;
  if (!named) return undefined;
  const { before, after, quoted, label = '' } = named;
  const unclear = vague.test(label) || /\b(?:if|when|is|are|not|way|every|each|and|or)\b/.test(label);
  if (quoted === undefined && unclear) return undefined;
  const key = before ?? after;
  return {
    kind: 'offers',
    label: quoted === undefined ? label.trim() : (phrases[Number(quoted)] ?? ''),
    literal: quoted !== undefined,
    key,
  };
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
  return single({ kind: 'readsBack', topic: text, digits });
}

function readTransfer(rest: string): ReadEvents | undefined {
  const to = pattern`
    ^(?:
      (?:the call|the caller|callers|it|him|her|them|us|me|directly|straight|immediately)\s+
    )*(?:through )?(?:to|with) (?:(?:the|an?|our|any|some)\s+)*([a-z][a-z -]{1,60})$
  `.exec(rest)?.[1];
  if (to === undefined)
    return /^(?:the call|the caller)?$/.test(rest) ? single({ kind: 'transfer', to: '' }) : undefined;
  return /\b(?:and|or)\b/.test(to) || vague.test(to) ? undefined : single({ kind: 'transfer', to });
}

/** A caller who is connected to someone reaches them. If it is a place, only its announcement is heard. */
function readConnection(rest: string): ReadEvents | undefined {
  const to = pattern`
    ^(?:
      the (?:call|caller) |him |her |them |us |me[ ]
    )?(?:directly |straight |immediately )?(?:through )?(?:to|with) (.+)$
  `.exec(rest)?.[1];
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
    pattern`
      \b(?:
        human|person|dealer|doctor|nurse|driver|manager|teller|engineer|technician|supervisor|attendant|broker
        |lawyer|teacher|officer|member of staff|team|desk|department|office|counter
      )\b
    `.test(who)
    ? single({ kind: 'person', of: who })
    : undefined;
}
