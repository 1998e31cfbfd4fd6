import { noticeNamed } from '../evidence/notices.ts';
import type { Event } from './events.ts';
import { isCaller, readPredicate } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { readEvents } from './readEvents.ts';
import type { ReadContext } from './readEvents.ts';

/** A circumstance in which a demand holds. Not read: it may or may not have come about. */
export interface Condition { readonly text: string; readonly event?: Event; readonly least: number; readonly negated: boolean }

/** What stands around a clause. */
export interface Adjuncts {
  /** The clause without it. */
  readonly text: string;
  readonly conditions: readonly Condition[];
  /** It happens before the first of these, or before what the demand in front of it speaks of. */
  readonly before?: Event | 'previous';
  readonly after?: Event | 'previous';
  /** How often it happens. */
  readonly least?: number;
  readonly most?: number;
  /** From the beginning of the call, or from `after`. */
  readonly within?: { readonly ms: number } | { readonly menus: number };
  readonly where?: 'first' | 'last';
  /** At each time that it is asked for. */
  readonly always: boolean;
  /** What must not happen on the way. */
  readonly without?: string;
  /** Something was left unread that makes the demand stricter. */
  readonly stricter?: string;
}

const counts: Readonly<Record<string, number>> = { once: 1, one: 1, a: 1, an: 1, twice: 2, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, thirty: 30, twenty: 20, fifteen: 15, sixty: 60, ninety: 90, forty: 40 };
const countWord = '(?:once|twice|(?:one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2})(?: times?)?)';
const countOf = (text: string): number => counts[text.replace(/ times?$/, '')] ?? (Number.parseInt(text, 10) || 1);

/** A denied comparison is the other one: a wait that must not exceed ten minutes is one of at most ten. */
const comparisons: readonly (readonly [RegExp, string])[] = [
  [/\b(?:must|shall|should|may|can|does|do|is|are|will)(?: not|n't) (?:be )?(?:exceed|(?:longer|more|greater|higher|later|larger) than|over|above)(?= )/g, 'is at most'],
  [/\b(?:must|shall|should|may|can|does|do|is|are|will)(?: not|n't) (?:be )?(?:(?:shorter|less|lower|earlier|smaller|fewer) than|under|below)(?= )/g, 'is at least'],
  [/\b(?:must|shall|should|has to|needs to) (?:stay|remain|be kept|lie) (?:under|below)(?= )/g, 'is less than'],
];

const harmless = /[\s,]+(?:during the (?:whole |entire )?call|in the (?:whole |entire )?call|in the same call|at any (?:time|point)(?: during the call)?|throughout the call|(?:also|even) (?:not )?(?:when|if|by|from|for)\b.*|including (?:by|from) .*|neither in full nor .*|(?:in|by) (?:full|words|figures)|by (?:the )?(?:line|ivr|system|assistant|agent|bot|machine|clinic|bank)|over the (?:phone|line)|on the (?:phone|line)|(?:at|in) (?:all|any case)|as well|too|(?:and )?not (?:in|to|by|with|just|only|merely) (?:an? |the )?(?:voice ?mail(?: box)?|answering machine|machine|bot|recording|automated (?:system|voice))|instead of .*|rather than .*|directly|immediately|right away)$/;
const wherePlaces: readonly (readonly ['first' | 'last', RegExp])[] = [
  ['first', /[\s,]+(?:in (?:its|the) (?:first|opening|welcome|initial) (?:prompt|greeting|message|announcement)|in the greeting|first|at the (?:very )?(?:beginning|start)(?: of the call)?|as (?:its|the) (?:first|opening) (?:words|prompt|greeting)|when (?:it|the call) is answered)$/],
  ['last', /[\s,]+(?:at the (?:very )?end(?: of the call)?|before (?:it hangs|hanging) up|in (?:its|the) (?:last|final|closing) (?:prompt|message|announcement)|finally|before the call ends|last)$/],
];
const leads = /^(?:if|when|whenever|once|after|before|right after|directly after|immediately after|as soon as|in case(?: of)?|given(?: that)?|out of|outside|should|every time|each time|for (?:callers|customers|patients)|on)\b/;
/** What "when" and "if" behind it are told or asked. */
const asksBefore = /\b(?:hears?|learns?|says?|told|tells?|inform(?:s|ed)?|knows?|states?|announce[sd]?|explains?|asks?|asked|finds? out|about|exactly)(?: (?:the |a )?(?:caller|customer|patient|guest|passenger|user|client|him|her|them|us)s?)?$/;
/** In parentheses: an example, or another way to say it. */
const aside = /^(?:or\b|e\.?g|i\.?e|for example|such as|any\b|incl|in words|normal or|911|112|999|both|also|that is|optional)/;

/** Takes what stands around a clause off it, from the outside to the inside. The clause is in lower case. */
export function readAdjuncts(clause: string, context: ReadContext): Adjuncts {
  let text = comparisons.reduce((left, [pattern, plain]) => left.replace(pattern, plain), clause.trim());
  const conditions: Condition[] = [];
  let before: Event | 'previous' | undefined, after: Event | 'previous' | undefined, least: number | undefined, most: number | undefined, within: Adjuncts['within'], where: Adjuncts['where'], always = false, without: string | undefined, stricter: string | undefined;
  text = text.replace(/\s*\(([^()]{1,120})\)/g, (_, inner: string) => { if (!aside.test(inner.trim()) && !noticeNamed(inner)) stricter = inner; return noticeNamed(inner) && !noticeNamed(text.replace(inner, '')) ? ` ${inner}` : ''; }).replace(/[.,:]+$/, '').trim();
  const lead = leads.test(text) ? splitLead(text) : undefined;
  if (lead) {
    text = lead.rest;
    take(lead.first);
  }
  for (let round = 0; round < 6; round += 1) {
    const length = text.length;
    text = text.replace(harmless, '').replace(/^(?:and |but |then |that |only then |finally |afterwards )+/, '').replace(/[.,:]+$/, '').trim();
    const place = wherePlaces.find(([, pattern]) => pattern.test(text));
    if (place && !/\bbefore\b.*\bfirst$/.test(text)) { where = place[0]; text = text.replace(place[1], ''); }
    const trailing = /(?<!\b(?:than|only|most|least|just|exactly))[\s,]+(before|prior to|after|right after|once|if|when|unless|until|as soon as)\s+((?:(?!\b(?:before|after|once|if|when)\b)[^⟦⟧])+)$/.exec(text);
    if (trailing && !/\b(?:or|and)$/.test(text.slice(0, trailing.index)) && !(/^(?:when|if)$/.test(trailing[1] ?? '') && asksBefore.test(text.slice(0, trailing.index)))) { text = text.slice(0, trailing.index); take(`${trailing[1] ?? ''} ${trailing[2] ?? ''}`); }
    const recipient = /\s+(?:to|by|from) ((?:an?|the|any|all) )?(?:callers?|customers?|persons?|people|someone|somebody|anyone|anybody|others?|whoever|third part(?:y|ies))( who .+| but .+| other than .+| except .+)?$/.exec(text);
    if (recipient && (recipient[2] !== undefined || /third|others?$|any/.test(recipient[0]))) { text = text.slice(0, recipient.index); conditions.push(recipientCondition(recipient[2]?.trim() ?? '', context)); }
    const unless = /[\s,]+without (?:(?:first |ever )?being |having to )?(.+)$/.exec(text);
    if (unless && without === undefined) { without = unless[0].trim().replace(/^[\s,]*without\s+/, ''); text = text.slice(0, unless.index); }
    const time = /(?:^|[\s,]+)(?:with)?in (?:less than |under |at most |no more than |max(?:imum|\.)? )?(\w+)(?:[- ]and a half)? (seconds?|minutes?|menus?|menu levels?|steps?)(?: (?:of|from|after) (?:the )?(?:start|beginning)(?: of the call)?| of (?:calling|dialling|answering|the call))?(?=$|[\s,])/.exec(text);
    if (time) {
      const number = counts[time[1] ?? ''] ?? Number.parseInt(time[1] ?? '', 10), unit = time[2] ?? '';
      if (Number.isFinite(number)) { within = /^(?:menu|step)/.test(unit) ? { menus: number } : { ms: number * (unit.startsWith('m') ? 60_000 : 1000) }; text = `${text.slice(0, time.index)} ${text.slice(time.index + time[0].length)}`.replace(/\s+/g, ' ').replace(/^\s*,?\s*/, ''); }
    }
    const often = new RegExp(`(?:^|\\s)(more than|at most|no more than|not more than|at least|exactly|only)? ?(${countWord})(?=$|[\\s,])(?! (?:of|answer|second|minute|person|date|digit|menu|hour|day|week|month|year|dollar|euro|pound|cent|kilo))`).exec(text);
    if (often && (often[1] !== undefined || /^(?:once|twice|\w+ times)$/.test(often[2] ?? '')) && !/\d{3}/.test(often[2] ?? '')) {
      const number = countOf(often[2] ?? '');
      const isTimes = /once|twice|times?$/.test(often[2] ?? '');
      if (isTimes || (often[1] !== undefined && often.index === 0)) {
        if (often[1] === 'more than') least = number + 1;
        else if (often[1] === 'at least' || (often[1] === undefined)) least = number;
        else { most = number; if (often[1] === 'exactly' ) least = number; }
        text = `${text.slice(0, often.index)} ${text.slice(often.index + often[0].length)}`.replace(/\s+/g, ' ').trim();
      }
    }
    if (text.length === length) break;
  }
  return {
    text: text.trim(), conditions, always, ...(before && { before }), ...(after && { after }), ...(least !== undefined && { least }), ...(most !== undefined && { most }),
    ...(within && { within }), ...(where && { where }), ...(without !== undefined && { without }), ...(stricter !== undefined && { stricter }),
  };

  function take(part: string): void {
    const [, word = '', rest = ''] = /^(right after|directly after|immediately after|as soon as|prior to|in case(?: of)?|given(?: that)?|every time|each time|out of|[a-z]+)\s+(.*)$/.exec(part) ?? [];
    if (/^(?:every|each) time$/.test(word)) { always = true; return; }
    if (word === 'before' || word === 'prior to') { before = /^(?:that|this|it)$/.test(rest) ? 'previous' : readReference(rest, context); if (before === undefined) conditions.push({ text: part, least: 1, negated: false }); return; }
    if (/after$/.test(word) && /^(?:that|this|it)$/.test(rest)) { after = 'previous'; return; }
    const condition = readCondition(/^(?:out of|outside|unless|until)$/.test(word) ? part : rest, context);
    if (/after$|^once$|^as soon as$/.test(word) && condition.event && condition.least === 1 && !condition.negated) { after = condition.event; return; }
    conditions.push(condition);
  }
}

/** "If no agent is free, the line says …": the clause in front, by its comma or by where a subject with a verb begins. */
function splitLead(text: string): { readonly first: string; readonly rest: string } | undefined {
  const cuts = [...text.matchAll(/,\s+(?:then )?|\s(?=(?:the|it|an?|he|she|they|no|callers?)\s)/g)].slice(0, 24);
  const ordered = [...cuts.filter(([cut]) => cut.startsWith(',')), ...cuts.filter(([cut]) => !cut.startsWith(','))];
  for (const cut of ordered) {
    const first = text.slice(0, cut.index), rest = text.slice(cut.index + cut[0].length);
    const comma = cut[0].startsWith(',');
    const main = readPredicate(rest);
    if (!main || main.subject.split(' ').length > 8 || main.subject === '' && !comma) continue;
    if (!comma && (first.split(' ').length < 3 || !readPredicate(first.replace(leads, '').trim()) && !/\b\w+(?:s|ed)\b/.test(first.slice(4)))) continue;
    if (!comma && /\b(?:to|of|for|with|that|in|from|a|an|the|mentions|hears|asks|gives|enters|says|gets|wants|needs|makes|tells|chooses|presses|declines|refuses)$/.test(first)) continue;
    return { first, rest };
  }
  return undefined;
}

/** "to a caller who has not …", "to anybody but Jordan Doe". */
function recipientCondition(text: string, context: ReadContext): Condition {
  const who = /^who (.+)$/.exec(text)?.[1];
  if (who === undefined || /^is not [a-z]+(?: [a-z]+)?$/.test(who)) return { text: text === '' ? 'somebody else is on the line' : text, event: { kind: 'identity', confirmed: false }, least: 1, negated: false };
  return readCondition(who, context);
}

/** "callers who decline …", "whoever is not …": the condition in a subject. */
export function subjectCondition(subject: string, context: ReadContext): Condition | undefined {
  const who = /^(?:(?:an?|the|any|all|every) )?(?:callers?|customers?|patients?|users?|guests?|clients?|persons?|someone|anyone|anybody|whoever)(?: who)? ((?:is|are|has|have|does|do|did|was|were) .+|(?<=who ).+)$/.exec(subject)?.[1];
  return who === undefined ? undefined : recipientCondition(`who ${who}`, context);
}

/** What an order refers to: an event, or a thing by its name. */
export function readReference(text: string, context: ReadContext): Event | undefined {
  const bare = text.replace(/^(?:the |a |an |any |first )+/, '').trim();
  if (/^(?:(?:menu )?options?|menus?|(?:main )?menu|choices?|(?:menu )?prompts?)\b(?: (?:is|are) .*)?$/.test(bare)) return { kind: 'menu' };
  if (/^(?:transfer|being (?:transferred|connected)|connection|forwarding)(?: (?:to|with) (?:the |an? )?([a-z ]+))?$/.test(bare)) return { kind: 'transfer', to: '' };
  const notice = noticeNamed(bare, ['recording', 'emergency']);
  if (notice) return { kind: 'notice', notice };
  const predicate = readPredicate(text.replace(/^(being|giving|asking|telling|naming|transferring|connecting)\b/, 'is $1'));
  const read = predicate && !predicate.negated ? readEvents(predicate, context) : undefined;
  return read?.events.length === 1 ? read.events[0] : undefined;
}

const verified = /\b(?:identity|identified|verified|verification|authenticated|authentication|right party)\b/;

function readCondition(text: string, context: ReadContext): Condition {
  if (verified.test(text)) return { text, event: { kind: 'identity', confirmed: !/\b(?:not|no|un\w+|without|fail\w*)\b/.test(text) }, least: 1, negated: false };
  const withheld = /^(?:(?:the |an? )?(?:caller|customer|patient|client|user)s? (?:who )?)?(?:has|have|does|did|do) not (?:given?|provided?|entered|enter|told|tell|know|said|say) (?:(?:the|an?|his|her|their|any) )*(.+?)(?: (?:that|which) .*)?$/.exec(text)?.[1];
  if (withheld !== undefined) return { text, event: { kind: 'withheld', topic: withheld }, least: 1, negated: false };
  if (/^(?:(?:it|the \w+) is |being )?asked(?: directly)?(?: (?:if|whether|about)\b.*)?$|\basks? (?:if|whether) (?:it|they|he|she)\b.*\b(?:human|person|bot|robot|machine|ai|automated|computer)\b/.test(text)) return { text, event: { kind: 'asksWho' }, least: 1, negated: false };
  const number = /^(?:the )?(two|three|four|five|\d)\b/.exec(text)?.[1];
  const least = number === undefined ? /\b(?:twice)\b/.test(text) ? 2 : 1 : countOf(number);
  const notice = noticeNamed(text, ['busy', 'closed', 'wrongEntry']);
  if (notice) return { text, event: { kind: 'notice', notice }, least, negated: false };
  const predicate = readPredicate(text);
  if (/^(?:the |a )?transfer$/.test(text)) return { text, event: { kind: 'transfer', to: '' }, least, negated: false };
  if (predicate?.caller && !predicate.passive) return { text, ...(predicate.negated || predicate.rest === '' ? {} : { event: { kind: 'caller', does: predicate.rest } }), least, negated: false };
  const own = callerClause(text);
  if (own !== undefined) return { text, event: { kind: 'caller', does: own }, least, negated: false };
  const read: readonly Event[] | undefined = predicate && !predicate.negated && predicate.act !== 'be' ? readEvents(predicate as Predicate, context)?.events : undefined;
  const [event] = read?.length === 1 ? read : [];
  return { text, event: event ?? { kind: 'claims', claim: text.replace(/^(?:an?|the)\s+/, ''), whether: false }, least, negated: false };
}

/** "a caller mentions …" with a verb that no act knows: what the caller does. */
function callerClause(text: string): string | undefined {
  const match = /^((?:the |an? )?[a-z]+(?: who)?) (?:has |have )?(?:just )?(?:says?|mentions?|chooses?|chosen|picks?|press(?:es|ed)?|wants?|needs?|selects?|selected|calls? (?:about|for)|asks? (?:for|about)|said|mentioned|asked (?:for|about)) (?:that )?(.+)$/.exec(text);
  return match && isCaller(match[1] ?? '') ? match[2] : undefined;
}

export const conditionOf = (text: string, context: ReadContext): Condition => readCondition(text.toLowerCase(), context);
