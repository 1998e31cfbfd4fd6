import { patternWith } from '../../../base/rows.ts';

/** The role of a part of an acceptance criterion. */
type Role =
  /** Must hold. */
  | 'demand'
  /** Must not happen. */
  | 'fails'
  /** The circumstances in which the demands hold. */
  | 'given'
  /** Revokes a demand in some case: "It is fine if …". */
  | 'allows'
  /** Repeats what the demands say, or what always applies: "One wrong answer is a fail." */
  | 'restates';

interface Statement {
  readonly text: string;
  readonly role: Role;
}

interface Statements {
  readonly statements: readonly Statement[];
  readonly phrases: readonly string[];
  /** The demands hold one after the other. */
  readonly ordered: boolean;
}

const quotes = /[“"«„]([^“”"«»„\n]{1,400})[”"»“]|(?<![\p{L}\p{N}])[‘']([^'‘’\n]{2,400})[’'](?![\p{L}\p{N}])/gu;
/** "REQ-7:", "GDPR Art. 22(3):", "Expected:"; not clauses. */
const label = /^(?!(?:pass|fail|given|when|then|if)\b)[\p{L}\d][\p{L}\d .()\/§_-]{0,48}:\s+(?=\S)/iu;
const verbal =
  /\b(?:is|are|must|shall|should|may|can|says?|hears?|asks?|tells?|has|gets?|not|never|if|when|after|before)\b/i;
const boundary = /\n+|[.;]+(?=\s|$)|(?<=⟧)\.|\s(?=-\s)|(?<=[,:.]\s|^)\(?\d{1,2}\)\s+/;

/**
 * Splits an acceptance criterion into its parts: sentences, list items, steps of Given/When/Then. Quoted phrases become
 * ⟦n⟧. Linear in the text's length.
 */
export function readStatements(acceptance: string): Statements {
  const phrases: string[] = [];
  const marked = acceptance.replace(
    quotes,
    (_, double: string | undefined, single: string | undefined) =>
      `⟦${phrases.push((double ?? single ?? '').trim()) - 1}⟧`,
  );
  const unlabelled = marked
    .split('\n')
    .map((line) => {
      const found = label.exec(line)?.[0];
      return found !== undefined && !verbal.test(found) ? line.slice(found.length) : line;
    })
    .join('\n');
  const ordered = /\b(?:order matters|in (?:this|that|the following|exactly this) order|one after the other)\b/i.test(
    unlabelled,
  );
  const parts = unlabelled
    .split(boundary)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}⟦]/u.test(part));
  const steps =
    parts.some((part) => /^given\b/i.test(part)) ||
    (parts.some((part) => /^when\b/i.test(part)) && parts.some((part) => /^then\b/i.test(part)));
  let step: Role = 'demand';
  const statements = parts.flatMap((part): Statement[] => {
    const text = part
      .replace(/^(?:[-*•–]|\(?\d{1,2}[.)])\s+/, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (steps) {
      const word = /^(given|when|then|and|but)\b\s*/i.exec(text);
      const first = word?.[1]?.toLowerCase();
      if (first === 'given' || first === 'when') step = 'given';
      if (first === 'then') step = 'demand';
      if (word)
        return [
          step === 'given' ? { text: text.slice(word[0].length), role: 'given' } : framed(text.slice(word[0].length)),
        ];
    }
    const one = framed(text);
    return one.text === '' ? [] : [one];
  });
  return { statements, phrases, ordered };
}

const pass = patternWith('i')`
  ^(?:it )?(?:the (?:call|test|mission|run) )?(?:
    pass(?:es)?|success(?:ful)?|is a pass|is successful|succeeds|counts as (?:a )?pass(?:ed)?
  )(?: (?:only )?(?:if|when))?:?\s+(?:that )?
`;
const fail = patternWith('i')`
  ^(?:it )?(?:the (?:call|test|mission|run) )?(?:
    fails?|failure|is a fail(?:ure)?|must fail
  )(?: (?:if|when))?:?\s+(?:that )?
`;
const wraps = patternWith('i')`
  ^(?:please )?(?:
    verify|check|ensure|make sure|confirm|assert|expect|we expect|i expect|it is expected|it is required
    |the test passes when
  )(?: that|:)\s+
`;
const otherwise = patternWith('i')`
  ^(?:
    (?:
      either|any|one|both|it|this|that|none
    )(?: of (?:them|these|those|the two))?(?: (?:\w+ ){0,2}(?:is|are))? (?:
      missing|absent|not (?:the case|met|true|told|given|said|mentioned)
    )
    |not|otherwise|it does not|that is not the case
  )$
`;
const restates = patternWith('i')`
  ^(?:one|a single|any|each|every) (?:\w+ ){1,3}(?:is|are|counts as|means) (?:a |enough to )?fail(?:ure)?$
  |^(?:anything else|everything else|otherwise)(?:,)? (?:is |it is |it's )?(?:a )?fail(?:s|ure)?$
  |^(?:order matters|in (?:this|that|exactly this) order|order (?:matters|is important):?)$
  |^(?:all|both) (?:\w+ ){0,3}(?:must|are|have to) (?:be )?(?:met|required|hold|present|there)$
`;
/** Words that no reading treats as a person anyway. */
const notCounted = patternWith('i')`
  ^(?:an? |the )?(?:
    voice ?mail(?: box)?|mailbox|recording|recorded (?:message|voice)|answering machine|machine|bot
    |announcement|ring(?:ing)?(?: tone)?|hold music|music|queue|being put on hold|a transfer
  )(?: (?:alone|only|itself))?(?: or (?:an? )?[\w ]{3,30})? (?:
    does not|doesn['’]t|do not|don['’]t
  ) (?:count|suffice)(?: as \w+)?$
`;
const allows = patternWith('i')`
  ^(?:otherwise|alternatively|or else|or)\b(?! (?:it is |it's )?(?:a )?fail)
  |^(?:it(?:['’]s| is)|that(?:['’]s| is))? ?(?:also )?(?:
    fine|ok|okay|acceptable|enough|sufficient|allowed|permitted|all right|no problem
  )\b
  |^it (?:suffices|does not matter|doesn['’]t matter)
  |\b(?:
    need not|needn['’]t|does not matter|doesn['’]t matter|is optional|are optional|is irrelevant
    |is (?:fine|ok|okay|acceptable)|is not required|are not required|do not care|don['’]t care
  )\b
`;
const forbids =
  /^it(?:['’]s| is) not (?:fine|ok|okay|acceptable|enough|allowed|permitted|sufficient) (?:if|when|that|for)\s+/i;

const wish = /^(?:i|we) (?:want|need|expect|would like|['’]d like) (.{3,60}?) to (?=\w)/i;

function framed(written: string): Statement {
  const text = written.replace(wish, '$1 must ').replace(/^success(?: criterion)?\s*=\s*/i, '');
  const bare = text
    .replace(
      patternWith('i')`
        ^(?:
          pass criteri(?:on|a)|acceptance(?: criteri(?:on|a))?|success(?: criteri(?:on|a))?|expected(?: result)?
          |criteri(?:on|a)
        )\s*:\s*
      `,
      '',
    )
    .replace(wraps, '')
    .trim();
  if (restates.test(bare) || notCounted.test(bare)) return { text: bare, role: 'restates' };
  if (forbids.test(bare)) return { text: bare.replace(forbids, ''), role: 'fails' };
  if (allows.test(bare.replace(/\([^()]*\)/g, ' '))) return { text: bare, role: 'allows' };
  const failing = fail.exec(bare);
  if (failing) {
    const rest = bare.slice(failing[0].length);
    return otherwise.test(rest) ? { text: bare, role: 'restates' } : { text: rest, role: 'fails' };
  }
  return { text: bare.replace(pass, '').replace(wraps, ''), role: 'demand' };
}

/** Returns a part as it was written. */
export const restore = (text: string, phrases: readonly string[]): string =>
  text.replace(/⟦(\d+)⟧/g, (_, index: string) => `“${phrases[Number(index)] ?? ''}”`);
