import { pattern, source } from '../../base/rows.ts';
import type { Check } from '../../contract/checks.ts';
import { englishLexicon } from '../menu/english.ts';

/** A criterion in free words, as far as checks can say it with certainty. */
interface ReadAcceptance {
  readonly checks: readonly Check[];
  /** The parts that only a language model can judge. */
  readonly unread: readonly string[];
}

const quotes = /[“"«„]([^“”"«»„\n]{1,400})[”"»“]|(?<![\p{L}\p{N}])[‘']([^'‘’\n]{2,400})[’'](?![\p{L}\p{N}])/gu;
const boundary = /\n+|[.;!]+(?=\s|$)|(?<=⟧)[.]/;
const subject = source`
  (?:(?:the |this )?(?:
    line|system|ivr|phone system|called side|service|bot|assistant|menu|prompt|voice|announcement|recording|it|they
  ) )
`;
const must = '(?:(?:must|should|shall|has to|will) )?';
const never = "(?<not>(?:does not|doesn't|do not|don't|must not|may not|never|not) (?:ever )?)?";
const says = '(?:says?|plays?|announces?|mentions?|states?|contains?)';
/** The bank, the pharmacy, or another name. Not the caller, and nothing that says when, how often or with whom. */
const callee = source`
  (?:(?:
    (?!(?:
      \w*callers?|calling|customers?|users?|testers?|tests?|dialtree|we|i|you|he|she|person|people|somebody|someone|whoever
      |everybody|everyone|anybody|anyone|nobody|no|none|not|only|neither|either|and|or|nor|but|with|without|if|when|whenever
      |while|until|unless|once|twice|again|then|first|second|third|last|next|finally|before|after|during|at|in|on|for|may
      |can|might|could|would|\w+ly|almost|often|ever|never|seldom|sometimes|always|fails?|pass(?:es)?|\w+n't|does|do|must|should
    )[ ])
    [a-z']+[ ]
  ){1,4})?
`;
const which = '(?:the (?:words|phrase|text) |exactly |that )?';
const phrases = source`⟦\d+⟧(?:(?:,| and| or|, and|, or) ⟦\d+⟧){0,9}`;
const person = '(?:an? |the )?(?:live |real |human )*(?:person|human(?: being)?|agent|operator|representative)';
const aCaller = '(?:the |a )?(?:caller|customer|user)';

/** Whole statements, each with the check that it is. `not` reverses it. */
const forms: readonly { readonly form: RegExp; readonly check: (text: string) => Check | undefined }[] = [
  { form: pattern`^${callee}${must}${never}${must}${says} ${which}(?<what>${phrases})$`, check: quoted },
  { form: pattern`^${aCaller} ${must}${never}hears? ${which}(?<what>${phrases})$`, check: quoted },
  {
    form: pattern`^(?<what>${phrases}) (?:is|are|was|must|should|may(?= not)) ${never}(?:be )?(?:said|heard|played|announced|mentioned)$`,
    check: quoted,
  },
  { form: pattern`^(?<what>${phrases})$`, check: quoted },
  {
    form: pattern`
      ^(?:${aCaller} ${must}(?:reaches?|is connected (?:to|with)|be connected (?:to|with)|speaks? (?:to|with)|gets? through to) ${person}
      |${person} ${must}(?:answers?|takes the call|picks up))$
    `,
    check: () => ({ kind: 'reaches', what: 'person' }),
  },
  {
    form: pattern`^${aCaller} (?:is|must be|should be) (?:transferred|put through)$`,
    check: () => ({ kind: 'reaches', what: 'transfer' }),
  },
  {
    form: pattern`
      ^(?:${subject}${must}${never}(?:says?|announces?|discloses?|states?) that (?:the |this )?(?:calls?|lines?|conversations?) (?:is|are|may be|will be) (?:being )?recorded
      |(?:a|the) recording (?:notice|announcement|disclosure) (?:is|must be) ${'(?<no>not )?'}(?:played|given|heard))$
    `,
    check: () => ({ kind: 'discloses', notice: 'recording' }),
  },
  {
    form: pattern`^${subject}${must}${never}(?:says?|discloses?|states?|announces?) that it is (?:an? )?(?:automated(?: system)?|machine|robot|virtual assistant|ai)$`,
    check: () => ({ kind: 'discloses', notice: 'automated' }),
  },
  {
    form: pattern`^${subject}${must}${never}(?:claims? to be|says? that it is) (?:an? )?(?:human|person|real person|human being)$`,
    check: () => ({ kind: 'discloses', notice: 'human' }),
  },
  {
    form: pattern`^${subject}${must}${never}asks? ${'(?:' + aCaller + ' )?'}for (?:the |a |an |your |their |his |her |${aCaller}'s )?(?<what>[a-z -]{2,40})$`,
    check: asked,
  },
];

/** Reads a criterion sentence by sentence. A sentence that isn't wholly one of the forms is left unread. Never throws. */
export function readAcceptance(acceptance: string): ReadAcceptance {
  const texts: string[] = [];
  const marked = acceptance
    .replaceAll(/[⟦⟧]/g, ' ')
    .replace(
      quotes,
      (_, double: string | undefined, single: string | undefined) =>
        `⟦${texts.push((double ?? single ?? '').trim()) - 1}⟧`,
    );
  const statements = marked
    .split(boundary)
    .map((part) =>
      part
        .replace(/^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => /[\p{L}⟦]/u.test(part));
  const checks: Check[] = [];
  const unread: string[] = [];
  for (const statement of statements) {
    const check = statement.length > 600 ? undefined : readStatement(statement, texts);
    const written = statement.replaceAll(/⟦(\d+)⟧/g, (_, index) => `“${texts[Number(index)] ?? ''}”`);
    if (check) checks.push({ ...check, name: written.slice(0, 300) });
    else unread.push(written);
  }
  const isEmpty = acceptance.trim() === '';
  return { checks, unread: checks.length + unread.length === 0 && !isEmpty ? [acceptance] : unread };
}

function readStatement(statement: string, texts: readonly string[]): Check | undefined {
  const lower = statement.toLowerCase().replace(/[’]/g, "'");
  for (const { form, check } of forms) {
    const found = form.exec(lower);
    if (!found) continue;
    const { groups = {} } = found;
    const read = check(
      (groups['what'] ?? '').replaceAll(/⟦(\d+)⟧/g, (mark, index: string) =>
        texts[Number(index)] === undefined ? mark : `⟦${texts[Number(index)] ?? ''}⟧`,
      ),
    );
    // "Must not say A and B" may forbid either, or only both.
    if (read?.kind === 'all' && groups['not'] !== undefined) return undefined;
    return read && (groups['not'] ?? groups['no']) !== undefined ? reversed(read) : read;
  }
  return undefined;
}

const reversed = (check: Check): Check =>
  check.kind === 'says' ? { kind: 'neverSays', text: check.text } : { kind: 'not', check };

/** All texts, or with "or", any of them. */
function quoted(what: string): Check | undefined {
  const texts = [...what.matchAll(/⟦([^⟧]*)⟧/g)].map(([, text = '']) => text);
  if (texts.some((text) => !/[\p{L}\p{N}]/u.test(text))) return undefined;
  const [first = '', ...others] = texts;
  if (others.length === 0) return { kind: 'says', text: first };
  if (/⟧,? or ⟦/.test(what)) return /⟧,? and ⟦/.test(what) ? undefined : { kind: 'says', text: texts };
  return { kind: 'all', checks: texts.map((text): Check => ({ kind: 'says', text })) };
}

const otherWords =
  /\b(?:and|or|no|not|another|any|other|old|wrong|once|twice|again|first|last|only|before|after|later)\b/;
/** A request counts only if menus have a kind of entry for it: other words may ask for anything else. */
function asked(what: string): Check | undefined {
  const input = englishLexicon.inputTypes.find(([, words]) => words.test(what))?.[0];
  return input && /^(?:[a-z]+[ -]){0,2}[a-z]+$/.test(what) && !otherWords.test(what)
    ? { kind: 'asksFor', input, about: what }
    : undefined;
}
