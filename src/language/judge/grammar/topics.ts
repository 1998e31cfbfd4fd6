import { pattern } from '../../../base/rows.ts';
import { quantitiesIn } from '../evidence/quantities.ts';
import { meaningsOf } from '../synonyms.ts';
import type { Relation, Topic, WantedFigure } from './events.ts';

interface Concept {
  /** The noun by which a criterion names it. */
  readonly noun: RegExp;
  readonly kinds: Topic['kinds'];
  readonly about: RegExp;
  readonly generic?: true;
}

/** Facts that callers are given, the most specific first. */
const concepts: readonly Concept[] = [
  {
    noun: /\bwait(?:ing)?(?: time| period)?s?$|\bqueue(?:ing)? time$|\b(?:delay|hold time)$/,
    kinds: ['duration'],
    about: /\b(?:wait(?:ing|s)?|hold(?:ing)?|queue|delays?|minutes (?:until|before))\b/,
  },
  {
    noun: /\b(?:place|position|number|spot) in (?:the )?(?:queue|line)$|\bqueue position$/,
    kinds: ['number'],
    about: /\b(?:position|queue|in line|ahead of you|caller number)\b/,
  },
  {
    noun: pattern`
      \b(?:opening|business|office|working|store|shop|visiting|service) ?(?:hours|times)$|^hours$
      |\bhours of (?:operation|business|opening)$
    `,
    kinds: ['clock'],
    about: /\b(?:open(?:s|ing)?|hours?|close[sd]?|available|reach us)\b/,
  },
  {
    noun: /\bbalance$|\bcredit left$|\bfunds$/,
    kinds: ['money'],
    about: /\b(?:balance|available (?:funds|credit)|in your account|account (?:holds|has|contains|stands))\b/,
  },
  {
    noun: /\b(?:weight(?: limit| allowance)?|baggage allowance|luggage allowance)$/,
    kinds: ['weight'],
    about: /\b(?:weigh[ts]?|weight|up to|bags?|baggage|luggage|kilos?|allowance|limit|heav(?:y|ier))\b/,
  },
  { noun: /\b(?:interest(?: rate)?|percentage)$/, kinds: ['percent'], about: /\b(?:interest|rate|percent)\b/ },
  {
    noun: pattern`
      \b(?:
        fee|price|cost|fare|charge|surcharge|deposit|toll|rate|fine|penalty|excess|deductible|premium|rent
        |refund|discount|credit
      )s?$
    `,
    kinds: ['money', 'percent'],
    about: pattern`
      \b(?:
        fees?|price|cost(?:s|ing)?|fare|charge[sd]?|surcharge|deposit|toll|rate|fine|penalty|excess|deductible
        |premium|rent|refund|discount|credit|pay(?:able)?|for only
      )\b
    `,
  },
  {
    noun: /\b(?:total|amount|sum|bill|invoice|payment|arrears|debt)s?(?: due| owed| payable| outstanding)?$/,
    kinds: ['money'],
    about: /\b(?:total|amount|sum|bill|invoice|payment|due|owe[sd]?|owing|outstanding|overdue|debt|pay)\b/,
  },
  {
    noun: pattern`
      \b(?:
        reference|confirmation|case|claim|ticket|booking|order|tracking|job|report|incident|complaint|policy
        |membership|reservation|transaction|authori[sz]ation|invoice|return|repair|request|file|application
      )(?: (?:number|code|id|no))$
      |\b(?:reference|tracking id|pnr|confirmation code)$
    `,
    kinds: ['code'],
    about: pattern`
      \b(?:
        reference|pnr
        |(?:
          confirmation|case|claim|ticket|booking|order|tracking|job|report|incident|complaint|policy
          |membership|reservation|transaction|authori[sz]ation|invoice|return|repair|request|file|application
        ) (?:number|code|id|no|reference)
        |(?:number|code|id) is
      )\b
    `,
  },
  {
    noun: pattern`
      \b(?:
        (?:tele)?phone number|number to (?:call|dial|ring)|hotline|mobile number|fax number
        |direct (?:line|number)
      )$
    `,
    kinds: ['code'],
    about: /\b(?:call|dial|ring|phone|telephone|hotline|number|reach)\b/,
  },
  {
    noun: pattern`
      \b(?:
        gate|platform|terminal|room|seat|track|bay|counter|carousel|floor|table|lane|stand|aisle|stop
      )(?: number)?$
    `,
    kinds: ['label'],
    about: pattern`
      \b(?:
        gate|platform|terminal|room|seat|track|bay|counter|carousel|floor|table|lane|stand|aisle|stop
      )(?: number)?\b
    `,
  },
  {
    noun: /\b(?:time[- ]?slot|slot|window|time frame)s?$/,
    kinds: ['clock'],
    about:
      /\b(?:come|deliver(?:y|ed|s)?|slot|window|between|available|arrive|visit|collect|appointment|pick(?:ed)? up)\b/,
  },
  {
    noun: /\b(?:time|clock time)(?: of (?:arrival|departure|delivery|pick-?up|collection))?$/,
    kinds: ['clock'],
    about: /\b(?:time|leaves?|departs?|arrives?|starts?|begins?|lands?|ready|scheduled|booked|appointment|come)\b/,
    generic: true,
  },
  {
    noun: /^moment$/,
    kinds: ['clock', 'day'],
    about: /\b(?:leaves?|departs?|arrives?|starts?|begins?|comes?|opens?)\b/,
    generic: true,
  },
  {
    noun: pattern`
      \b(?:date|day|deadline|appointment)s?(?:
        [ ]of (?:arrival|departure|delivery|pick-?up|collection|birth|expiry|visit)
      )?$
    `,
    kinds: ['day'],
    about: /\b(?:date|day|due|arrives?|come|expires?|scheduled|booked|appointment|delivered|visit|ends?)\b/,
    generic: true,
  },
  {
    noun: /\b(?:duration|length|period|(?:processing|response|travel|journey|preparation|delivery) time)$/,
    kinds: ['duration'],
    about: /\b(?:takes?|lasts?|long|within|in|duration|ready)\b/,
    generic: true,
  },
];

const determiners = pattern`
  ^(?:
    (?:
      both|either|the|an?|any|our|your|my|their|his|her|its|this|that|some|caller['’]?s?'?|customer['’]s
      |at least (?:one|an?)|one|exact|precise|current|correct|right|actual|announced|expected|estimated
      |approximate|full|specific|concrete|clear|possible|total number of
    )\s+
  )+
`;
/** What follows the noun: of what, for whom, on which. */
const complement = pattern`
  \s+(?:
    of|for|per|each|to|from|in|on|at|by|with|which|that|when|where|until|he|she|they|owed by|told|named
    |given|announced
  )\b.*$
`;

const whWords: readonly (readonly [RegExp, string])[] = [
  [
    pattern`
      ^how long (?:the |his |her |their )?(?:
        wait|queue|hold|it takes? (?:until|before|to reach)
        |(?:he|she|they|the caller) (?:has|have|will have|must) to wait
      )
    `,
    'wait',
  ],
  [/^how long\b/, 'duration'],
  [/^when\b(?! (?:the )?(?:\w+ ){1,3}(?:is|are) (?:open|staffed))/, 'moment'],
  [/^how much money .* account\b/, 'balance'],
  [/^how much\b/, 'amount'],
  [/^(?:at )?what time\b/, 'time'],
  [/^(?:on )?(?:what|which) (?:day|date)\b/, 'day'],
  [/^when (?:the )?(?:\w+ ){1,3}(?:is|are) (?:open|staffed|answered)\b/, 'hours'],
];

/**
 * Reads the fact that a criterion wants: "the balance of the account", "how long the wait will be". Returns undefined
 * if no figure states it.
 */
export function readTopic(phrase: string): Topic | undefined {
  const text = phrase
    .trim()
    .replace(/[.,:]+$/, '')
    .replace(/\s+/g, ' ');
  const asked = whWords.find(([pattern]) => pattern.test(text))?.[1];
  const bare = text.replace(determiners, '');
  const named = [bare.replace(complement, ''), bare].map((noun) => noun.replace(/⟦.*/, '').trim());
  for (const noun of asked === undefined ? named : [asked]) {
    const concept = concepts.find((one) => one.noun.test(noun));
    if (!concept) continue;
    const own = new Set(asked === undefined ? meaningsOf(noun.split(' ').slice(-1).join(' ')) : []);
    const others = meaningsOf(
      text.replace(asked === undefined ? '' : /^(?:how|what|when|on|at|which)(?: \w+)?/, ''),
    ).filter((word) => !own.has(word) && !/^\d+$/.test(word) && !noise.has(word));
    return {
      text,
      kinds: concept.kinds,
      about: concept.about,
      generic: concept.generic === true || (others.length > 0 && /\b(?:amount|sum|total)\b/.test(noun)),
      others,
    };
  }
  return asked === undefined ? wordedTopic(text, bare) : undefined;
}

/**
 * A fact that words state, by its noun: "test results", "the status of the order". Only unmistakable ones: two words,
 * or one that can only be said.
 */
function wordedTopic(text: string, bare: string): Topic | undefined {
  const noun = bare.replace(complement, '');
  const last = noun.split(' ').at(-1) ?? '';
  if (
    !/^[a-z][a-z -]*$/.test(noun) ||
    noun.split(' ').length > 4 ||
    !pattern`
      ^(?:
        results?|status|diagnosis|outcome|score|grade|findings?|reason|cause|decision|answer|location
        |whereabouts|password|limit|name
      )$
    `.test(last)
  )
    return undefined;
  const all = meaningsOf(noun);
  return { text, kinds: [], about: new RegExp(`\\b${last.replace(/s$/, '')}s?\\b`), generic: false, others: all };
}

const noise = new Set(
  meaningsOf(
    'caller customer exact precise new current correct figure value day date time told given named next wait both least',
  ),
);

/** Words directly before a figure. */
const relations: readonly (readonly [Relation, RegExp])[] = [
  ['atMost', /\b(?:at most|(?:no|not) (?:more|longer|later) than|up to|maximum(?: of)?|by)\s*[$€£]?$/],
  ['atLeast', /\b(?:at least|(?:no|not) (?:less|fewer|shorter|earlier) than|minimum(?: of)?)\s*[$€£]?$/],
  ['less', /\b(?:less than|fewer than|under|below|shorter than|lower than|before|earlier than)\s*[$€£]?$/],
  ['more', /\b(?:more than|over|above|longer than|higher than|after|later than|exceeds?)\s*[$€£]?$/],
];

export const readRelation = (before: string): Relation =>
  relations.find(([, pattern]) => pattern.test(before.trimEnd()))?.[0] ?? 'is';

/** Reads "at most 5 minutes", "$48.50", "23 kilograms or 50 pounds". Undefined without a figure and its unit. */
export function readWantedFigure(text: string): WantedFigure | undefined {
  const quantities = quantitiesIn(text).filter(({ kind }) => kind !== 'number');
  if (quantities.length === 0) return undefined;
  return { relation: readRelation(text.slice(0, quantities[0]?.from)), quantities };
}
