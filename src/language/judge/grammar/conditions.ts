import { pattern } from '../../../base/rows.ts';
import { numbersByName } from '../../../model/numbers/numberWords.ts';
import { wordTable } from '../../../base/wordTable.ts';
import { noticeNamed } from '../evidence/notices.ts';
import type { Event, ReadContext } from './events.ts';
import { isCaller, readPredicate } from './predicate.ts';
import { readEvents } from './readEvents.ts';

/** The circumstance in which a demand holds. If it isn't read, it may or may not have occurred. */
export interface Condition {
  readonly text: string;
  readonly event?: Event;
  readonly least: number;
}

export const counts = wordTable<number>({
  ...numbersByName(1, 10),
  once: 1,
  a: 1,
  an: 1,
  twice: 2,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  sixty: 60,
  ninety: 90,
});
export const readCount = (text: string): number =>
  counts[text.replace(/ times?$/, '')] ?? (Number.parseInt(text, 10) || 1);

/** "to a caller who has not …", "to anybody but Jordan Doe". */
export function recipientCondition(text: string, context: ReadContext): Condition {
  const who = /^who (.+)$/.exec(text)?.[1];
  if (who === undefined || /^is not [a-z]+(?: [a-z]+)?$/.test(who))
    return {
      text: text === '' ? 'somebody else is on the line' : text,
      event: { kind: 'identity', confirmed: false },
      least: 1,
    };
  return readCondition(who, context);
}

/** "callers who decline …", "whoever is not …": the condition in a subject. */
export function subjectCondition(subject: string, context: ReadContext): Condition | undefined {
  const who = pattern`
    ^(?:(?:an?|the|any|all|every) )?(?:
      callers?|customers?|patients?|users?|guests?|clients?|persons?|someone|anyone|anybody|whoever
    )(?: who)? ((?:is|are|has|have|does|do|did|was|were) .+|(?<=who ).+)$
  `.exec(subject)?.[1];
  return who === undefined ? undefined : recipientCondition(`who ${who}`, context);
}

/** Returns what an order refers to: an event, or a thing by its name. */
export function readReference(text: string, context: ReadContext): Event | undefined {
  const bare = text.replace(/^(?:the |a |an |any |first )+/, '').trim();
  if (/^(?:(?:menu )?options?|menus?|(?:main )?menu|choices?|(?:menu )?prompts?)\b(?: (?:is|are) .*)?$/.test(bare))
    return { kind: 'menu' };
  if (
    pattern`
      ^(?:
        transfer|being (?:transferred|connected)|connection|forwarding
      )(?: (?:to|with) (?:the |an? )?([a-z ]+))?$
    `.test(bare)
  )
    return { kind: 'transfer', to: '' };
  const notice = noticeNamed(bare, ['recording', 'emergency']);
  if (notice) return { kind: 'notice', notice };
  const predicate = readPredicate(
    text.replace(/^(being|giving|asking|telling|naming|transferring|connecting)\b/, 'is $1'),
  );
  const read = predicate && !predicate.negated ? readEvents(predicate, context) : undefined;
  return read?.events.length === 1 ? read.events[0] : undefined;
}

const verified = /\b(?:identity|identified|verified|verification|authenticated|authentication|right party)\b/;

export function readCondition(text: string, context: ReadContext): Condition {
  if (verified.test(text))
    return {
      text,
      event: { kind: 'identity', confirmed: !/\b(?:not|no|un\w+|without|fail\w*)\b/.test(text) },
      least: 1,
    };
  const withheld = pattern`
    ^(?:
      (?:the |an? )?(?:caller|customer|patient|client|user)s? (?:who )?
    )?(?:has|have|does|did|do) not (?:
      given?|provided?|entered|enter|told|tell|know|said|say
    ) (?:(?:the|an?|his|her|their|any) )*(.+?)(?: (?:that|which) .*)?$
  `.exec(text)?.[1];
  if (withheld !== undefined) return { text, event: { kind: 'withheld', topic: withheld }, least: 1 };
  if (
    pattern`
      ^(?:(?:it|the \w+) is |being )?asked(?: directly)?(?: (?:if|whether|about)\b.*)?$
      |\basks? (?:if|whether) (?:it|they|he|she)\b.*\b(?:
        human|person|bot|robot|machine|ai|automated|computer
      )\b
    `.test(text)
  )
    return { text, event: { kind: 'asksWho' }, least: 1 };
  const number = /^(?:the )?(two|three|four|five|\d)\b/.exec(text)?.[1];
  const least = number === undefined ? (/\b(?:twice)\b/.test(text) ? 2 : 1) : readCount(number);
  const notice = noticeNamed(text, ['busy', 'closed', 'wrongNumber', 'wrongEntry']);
  if (notice) return { text, event: { kind: 'notice', notice }, least };
  const predicate = readPredicate(text);
  if (/^(?:the |a )?transfer$/.test(text)) return { text, event: { kind: 'transfer', to: '' }, least };
  if (predicate?.caller && !predicate.passive)
    return {
      text,
      ...(predicate.negated || predicate.rest === '' ? {} : { event: { kind: 'caller', does: predicate.rest } }),
      least,
    };
  const own = callerClause(text);
  if (own !== undefined) return { text, event: { kind: 'caller', does: own }, least };
  const read: readonly Event[] | undefined =
    predicate && !predicate.negated && predicate.act !== 'be' ? readEvents(predicate, context)?.events : undefined;
  const [event] = read?.length === 1 ? read : [];
  return {
    text,
    event: event ?? { kind: 'claims', claim: text.replace(/^(?:an?|the)\s+/, ''), whether: false },
    least,
  };
}

/** "a caller mentions …" with an unknown verb: what the caller does. */
function callerClause(text: string): string | undefined {
  const match = pattern`
    ^((?:the |an? )?[a-z]+(?: who)?) (?:has |have )?(?:just )?(?:
      says?|mentions?|chooses?|chosen|picks?|press(?:es|ed)?|wants?|needs?|selects?|selected
      |calls? (?:about|for)|asks? (?:for|about)|said|mentioned|asked (?:for|about)
    ) (?:that )?(.+)$
  `.exec(text);
  return match && isCaller(match[1] ?? '') ? match[2] : undefined;
}

export const conditionOf = (text: string, context: ReadContext): Condition =>
  readCondition(text.toLowerCase(), context);
