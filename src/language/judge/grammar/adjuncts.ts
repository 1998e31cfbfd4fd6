import { pattern, patternWith } from '../../../base/rows.ts';
import { numberNames } from '../../../model/numbers/numberWords.ts';
import { noticeNamed } from '../evidence/notices.ts';
import type { Event, ReadContext } from './events.ts';
import { counts, readCount, readCondition, readReference, recipientCondition, type Condition } from './conditions.ts';
import { readPredicate } from './predicate.ts';

export interface Adjuncts {
  /** The clause without them. */
  readonly text: string;
  readonly conditions: readonly Condition[];
  /** It happens before the first of these, or before the previous demand. */
  readonly before?: Event | 'previous';
  readonly after?: Event | 'previous';
  /** How often it happens. */
  readonly least?: number;
  readonly most?: number;
  /** From the beginning of the call, or from `after`. */
  readonly within?: { readonly ms: number } | { readonly menus: number };
  readonly where?: 'first' | 'last';
  /** Each time that it is requested. */
  readonly always: boolean;
  /** What must not happen on the way. */
  readonly without?: string;
  /** Something unread makes the demand stricter. */
  readonly stricter?: string;
}

const countWord = String.raw`(?:once|twice|(?:${numberNames(1, 10).join('|')}|\d{1,2})(?: times?)?)`;

/** A negated comparison is the opposite one: a wait that must not exceed ten minutes is one of at most ten. */
const comparisons: readonly (readonly [RegExp, string])[] = [
  [/^there (?:(?:must|shall|should|has to|needs to|is to) be|is|are) (?!no\b|not\b)/g, 'the line provides '],
  [
    patternWith('g')`
      \b(?:must|shall|should|may|can|does|do|is|are|will)(?: not|n't) (?:be )?(?:
        exceed|(?:longer|more|greater|higher|later|larger) than|over|above
      )(?= )
    `,
    'is at most',
  ],
  [
    patternWith('g')`
      \b(?:must|shall|should|may|can|does|do|is|are|will)(?: not|n't) (?:be )?(?:
        (?:shorter|less|lower|earlier|smaller|fewer) than|under|below
      )(?= )
    `,
    'is at least',
  ],
  [/\b(?:must|shall|should|has to|needs to) (?:stay|remain|be kept|lie) (?:under|below)(?= )/g, 'is less than'],
];

const harmless = pattern`
  [\s,]+(?:
    during the (?:whole |entire )?call|in the (?:whole |entire )?call|in the same call
    |at any (?:time|point)(?: during the call)?|throughout the call
    |(?:also|even) (?:not )?(?:when|if|by|from|for)\b.*|including (?:by|from) .*|neither in full nor .*
    |(?:in|by) (?:full|words|figures)
    |by (?:the )?(?:line|ivr|system|assistant|agent|bot|machine|clinic|bank)|over the (?:phone|line)
    |on the (?:phone|line)|(?:at|in) (?:all|any case)|as well|too
    |(?:and )?not (?:in|to|by|with|just|only|merely) (?:an? |the )?(?:
      voice ?mail(?: box)?|answering machine|machine|bot|recording|automated (?:system|voice)
    )
    |instead of .*|rather than .*|directly|immediately|right away|after (?:the|a) (?:tone|beep|signal)
  )$
`;
const wherePlaces: readonly (readonly ['first' | 'last', RegExp])[] = [
  [
    'first',
    pattern`
      [\s,]+(?:
        in (?:its|the) (?:first|opening|welcome|initial) (?:prompt|greeting|message|announcement)
        |in the greeting|first
        |at the (?:very )?(?:beginning|start)(?: of the call)?
        |as (?:its|the) (?:first|opening) (?:words|prompt|greeting)|when (?:it|the call) is answered
      )$
    `,
  ],
  [
    'last',
    pattern`
      [\s,]+(?:
        at the (?:very )?end(?: of the call)?|before (?:it hangs|hanging) up
        |in (?:its|the) (?:last|final|closing) (?:prompt|message|announcement)|finally|before the call ends
        |last
      )$
    `,
  ],
];
const leads = pattern`
  ^(?:
    if|when|upon|whenever|once|after|before|right after|directly after|immediately after|as soon as
    |in case(?: of)?|given(?: that)?|out of|outside|should|every time|each time
    |for (?:callers|customers|patients)|on
  )\b
`;
/** A verb before "when" or "if" that makes it an indirect question. */
const asksBefore = pattern`
  \b(?:
    hears?|learns?|says?|told|tells?|inform(?:s|ed)?|knows?|states?|announce[sd]?|explains?|asks?|asked
    |finds? out|about|exactly
  )(?: (?:the |a )?(?:caller|customer|patient|guest|passenger|user|client|him|her|them|us)s?)?$
`;
/** In parentheses: an example, or another wording. */
const aside =
  /^(?:or\b|e\.?g|i\.?e|for example|such as|any\b|incl|in words|normal or|911|112|999|both|also|that is|optional)/;

const lead = pattern`
  ^(
    right after|directly after|immediately after|as soon as|prior to|in case(?: of)?|given(?: that)?
    |every time|each time|out of|[a-z]+
  )\s+(.*)$
`;
const trailing = pattern`
  (?<!\b(?:than|only|most|least|just|exactly))[\s,]+(
    before|prior to|after|right after|upon|once|if|when|unless|until|as soon as
  )\s+((?:(?!\b(?:before|after|once|if|when)\b)[^⟦⟧])+)$
`;
const recipient = pattern`
  \s+(?:to|by|from) ((?:an?|the|any|all) )?(?:
    callers?|customers?|persons?|people|someone|somebody|anyone|anybody|others?|whoever
    |third part(?:y|ies)
  )( who .+| but .+| other than .+| except .+)?$
`;
const span = pattern`
  (?:^|[\s,]+)(?:
    within (?:less than |under |at most |no more than |max(?:imum|\.)? )?
    |in (?:less than |under |at most |no more than )
  )(\w+)( and a half|-and-a-half)? (seconds?|minutes?|menus?|menu levels?|steps?)(?:
    [ ](?:of|from|after) (?:the )?(?:start|beginning)(?: of the call)?
    | of (?:calling|dialling|answering|the call)
  )?(?=$|[\s,])
`;
const times = pattern`
  (?:^|\s)(more than|at most|no more than|not more than|at least|exactly|only)? ?(${countWord})(?=$|[\s,])(?!
    [ ](?:
      of|answer|second|minute|person|date|digit|menu|hour|day|week|month|year|dollar|euro|pound|cent
      |kilo
    )
  )
`;
/** An adjunct inside reported speech belongs to that. */
const isInClause = (before: string): boolean => /\b(?:that|whether)\b/.test(before);
/** The maximum number of consecutive circumstances. */
const maxRounds = 6;

/** Removes the adjuncts of a clause, from the outside to the inside. The clause is in lower case. */
export const readAdjuncts = (clause: string, context: ReadContext): Adjuncts =>
  new AdjunctReader(clause, context).read();

type Writable<One> = { -readonly [Key in keyof One]: One[Key] };

class AdjunctReader {
  readonly #context: ReadContext;
  readonly #conditions: Condition[] = [];
  readonly #found: Writable<Omit<Adjuncts, 'text' | 'conditions' | 'always'>> = {};
  #text: string;
  #always = false;

  constructor(clause: string, context: ReadContext) {
    this.#text = comparisons.reduce((left, [pattern, plain]) => left.replace(pattern, plain), clause.trim());
    this.#context = context;
  }

  read(): Adjuncts {
    this.#takeAsides();
    const first = leads.test(this.#text) ? splitLead(this.#text) : undefined;
    if (first) {
      this.#text = first.rest;
      this.#take(first.first);
    }
    for (let round = 0; round < maxRounds; round += 1) {
      const { length } = this.#text;
      this.#text = this.#text
        .replace(harmless, '')
        .replace(/^(?:and |but |then |that |only then |finally |afterwards )+/, '')
        .replace(/[.,:]+$/, '')
        .trim();
      this.#takePlace();
      this.#takeTrailing();
      this.#takeRecipient();
      this.#takeWithout();
      this.#takeSpan();
      this.#takeTimes();
      if (this.#text.length === length) break;
    }
    return { text: this.#text.trim(), conditions: this.#conditions, always: this.#always, ...this.#found };
  }

  #takeAsides(): void {
    const whole = this.#text;
    this.#text = whole
      .replace(/\s*\(([^()]{1,120})\)/g, (_, inner: string) => {
        const notice = noticeNamed(inner);
        if (!aside.test(inner.trim()) && !notice) this.#found.stricter = inner;
        return notice && !noticeNamed(whole.replace(inner, '')) ? ` ${inner}` : '';
      })
      .replace(/[.,:]+$/, '')
      .trim();
  }

  #takePlace(): void {
    const place = wherePlaces.find(([, pattern]) => pattern.test(this.#text));
    if (!place || /\bbefore\b.*\bfirst$/.test(this.#text)) return;
    [this.#found.where] = place;
    this.#text = this.#text.replace(place[1], '');
  }

  #takeTrailing(): void {
    const match = trailing.exec(this.#text);
    if (!match) return;
    const before = this.#text.slice(0, match.index),
      [, word = '', rest = ''] = match;
    if (/\b(?:or|and)$/.test(before) || (/^(?:when|if)$/.test(word) && asksBefore.test(before))) return;
    this.#text = before;
    this.#take(`${word} ${rest}`);
  }

  #takeRecipient(): void {
    const match = recipient.exec(this.#text);
    if (!match || (match[2] === undefined && !/third|others?$|any/.test(match[0]))) return;
    this.#text = this.#text.slice(0, match.index);
    this.#conditions.push(recipientCondition(match[2]?.trim() ?? '', this.#context));
  }

  #takeWithout(): void {
    const match = /[\s,]+without (.+)$/.exec(this.#text);
    if (!match || this.#found.without !== undefined) return;
    this.#found.without = match[1] ?? '';
    this.#text = this.#text.slice(0, match.index);
  }

  #takeSpan(): void {
    const match = span.exec(this.#text);
    if (!match || isInClause(this.#text.slice(0, match.index))) return;
    const [, word = '', half, unit = ''] = match;
    const number = (counts[word] ?? Number.parseInt(word, 10)) + (half === undefined ? 0 : 0.5);
    if (!Number.isFinite(number)) return;
    this.#found.within = /^(?:menu|step)/.test(unit)
      ? { menus: number }
      : { ms: number * (unit.startsWith('m') ? 60_000 : 1000) };
    this.#cut(match);
  }

  #takeTimes(): void {
    const match = times.exec(this.#text);
    if (!match || isInClause(this.#text.slice(0, match.index))) return;
    const [, bound, word = ''] = match;
    const isTimes = /^(?:once|twice|.* times?)$/.test(word);
    if (!isTimes && (bound === undefined || match.index > 0)) return;
    const number = readCount(word);
    if (bound === 'more than') this.#found.least = number + 1;
    else if (bound === 'at least' || bound === undefined) this.#found.least = number;
    else {
      this.#found.most = number;
      if (bound === 'exactly') this.#found.least = number;
    }
    this.#cut(match);
  }

  #cut(match: RegExpExecArray): void {
    this.#text = `${this.#text.slice(0, match.index)} ${this.#text.slice(match.index + match[0].length)}`
      .replace(/\s+/g, ' ')
      .replace(/^[\s,]+/, '')
      .trim();
  }

  /** A circumstance, including the word before it. */
  #take(part: string): void {
    const [, word = '', rest = ''] = lead.exec(part) ?? [];
    const isAnaphor = /^(?:that|this|it)$/.test(rest);
    if (/^(?:every|each) time$/.test(word)) this.#always = true;
    else if (word === 'before' || word === 'prior to') {
      const before = isAnaphor ? 'previous' : readReference(rest, this.#context);
      if (before) this.#found.before = before;
      else this.#conditions.push({ text: part, least: 1 });
    } else if (/after$/.test(word) && isAnaphor) this.#found.after = 'previous';
    else {
      const condition = readCondition(/^(?:out of|outside|unless|until)$/.test(word) ? part : rest, this.#context);
      const { event } = condition;
      const wrong = event?.kind === 'notice' && event.notice.startsWith('wrong');
      if (event && condition.least === 1 && (wrong || /after$|^once$|^upon$|^as soon as$/.test(word)))
        this.#found.after = event;
      else this.#conditions.push(condition);
    }
  }
}

/** "If no agent is free, the line says …": the lead ends at its comma, or where a subject with a verb begins. */
function splitLead(text: string): { readonly first: string; readonly rest: string } | undefined {
  const cuts = [...text.matchAll(/,\s+(?:then )?|\s(?=(?:the|it|an?|he|she|they|no|callers?)\s)/g)].slice(0, 24);
  const ordered = [...cuts.filter(([cut]) => cut.startsWith(',')), ...cuts.filter(([cut]) => !cut.startsWith(','))];
  for (const cut of ordered) {
    const first = text.slice(0, cut.index),
      rest = text.slice(cut.index + cut[0].length);
    const comma = cut[0].startsWith(',');
    const main = readPredicate(rest);
    if (!main || main.subject.split(' ').length > 8 || (main.subject === '' && !comma)) continue;
    if (
      !comma &&
      (first.split(' ').length < 3 ||
        (!readPredicate(first.replace(leads, '').trim()) &&
          !/\b\w+(?:s|ed)\b/.test(first.slice(4)) &&
          !/^(?:after|upon|on|before) (?:an?|the|each|every|any) \w+/.test(first)))
    )
      continue;
    if (
      !comma &&
      pattern`
        \b(?:
          to|of|for|with|that|in|from|a|an|the|mentions|hears|asks|gives|enters|says|gets|wants|needs|makes
          |tells|chooses|presses|declines|refuses
        )$
      `.test(first)
    )
      continue;
    return { first, rest };
  }
  return undefined;
}
