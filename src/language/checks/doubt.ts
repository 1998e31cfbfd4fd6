import { pattern, source } from '../../base/rows.ts';

/** Words that show a sentence isn't a statement of fact: hedges, denied facts, wishes, reported speech, conditions. */
const unreal = new RegExp(
  `\\b(?:${[
    'nearly',
    'almost',
    'hardly',
    'barely',
    'scarcely',
    'practically',
    'as good as',
    'part(?:ly|ially)',
    'half way',
    'provisionally',
    'tentatively',
    'subject to',
    'conditional on',
    'on condition',
    'pending',
    'false(?:ly)?',
    'untrue',
    "(?:not|n't) (?:true|the case|correct|right) that",
    'by mistake',
    'in error',
    'myth',
    'rumou?rs?',
    'supposed(?:ly)?',
    'alleged(?:ly)?',
    'reportedly',
    'apparently',
    'presumably',
    'probably',
    'perhaps',
    'maybe',
    'possibly',
    'unlikely',
    'would',
    '(?:should|could|might|must) have',
    'hope[sd]?',
    'hopefully',
    'hoping',
    'wish(?:es|ed)?',
    'pretend(?:s|ed)?',
    'as (?:if|though)',
    'imagine',
    'suppose',
    'assum(?:e|ing)',
    'for (?:example|instance)',
    'demonstration',
    'rehearsal',
    'sample',
    'simulat\\w+',
    'far from',
    'anything but',
    'all but',
    '(?:refus|fail|declin)(?:e|ed|es|s|ing)? to',
    '(?:once|until|as soon as) you',
    'other than',
    'apart from',
    'except(?: for)?',
    'instead of',
    'rather than',
    'unless',
    'provided',
    'as long as',
    'in (?:the )?(?:case|event)',
    'only (?:if|when)',
    'if(?! you (?:have|need|want|would|wish|are calling))',
    'whether',
    'forget',
    'ignore',
    'disregard',
    'lies?',
    'fakes?',
    'dreams?',
    'wonder',
    'tried',
    'unsure',
    'uncertain',
    'unclear',
    'doubt(?:s|ed|ful)?',
    'den(?:y|ies|ied)',
    'disput\\w+',
    'nothing (?:says|shows|suggests|proves)',
    'chances?',
    'possibility',
    'risk',
    'looks? (?:like|as)',
    'seems?',
    source`
      (?:
        some|many|people|customers|callers|others|they|somebody|someone|everybody|everyone|nobody|you
        |your \w+
      ) (?:\w+ )?(?:asks?|asked|told|tells|reported)
    `,
    'someone else',
    '(?:another|a different) (?:customer|caller|member)',
    'somebody else',
    '(?:for|by|of|to|from) (?:another|other|a different) (?:customer|caller|person|member|account)s?',
  ].join('|')})\\b`,
);

/** Who says it: "other banks say that …", but not "our records say that …". */
const reported = pattern`
  (?<!
    \b(?:i|we|records?|systems?|screen|computer|account|file|display|it)[ ]
  )\b(?:
    say|says|said|claims?|claimed|thinks?|thought|believes?|believed
  ) (?:that|the|your|our|this|it|there|all|calls?|an?)\b
`;
/** The words before "that …" decide whether it is a fact. */
const embedded = /\b(\w+) that (?:the|your|our|this|it|there|all|calls?|my|an?)\b/g;
const holding = new Set(
  (
    'confirm confirms confirmed confirming see sees note noted inform informed informs tell tells you advise advised advises know known announce announced remind reminded reminds show shows indicate indicates glad pleased ' +
    'happy delighted sorry afraid regret aware so sure certain mean means remember understand assure attention fact given say says said state states hear heard find found is and or now'
  ).split(' '),
);
const isEmbeddedOpenly = (stated: string): boolean =>
  [...stated.matchAll(embedded)].some(([, word = '']) => !holding.has(word));

/** Something was true before, and may not be any more. */
const past = pattern`
  (?<!\b(?:is|are|be|been|being|was|were|and|or) )\bused to\b
  |\b(?:
    no longer|any ?more|previous(?:ly)?|former(?:ly)?|originally|initially|in the past
    |at (?:first|one time)|back then|once (?:was|were|had)|(?:was|were|had) once
    |until (?:recently|now|then|last|yesterday)|earlier|since been|since then|had been|has since
    |have since
  )\b
`;
/** Revokes what was said before it. */
const takesBack = /\b(?:but|however|although|though|except|only to)\b/;
const takesBackNext = pattern`
  ^\W*(?:
    but|however|although|though|yet|correction|scratch that|i mean|i meant
    |(?:oh,? |no,? |sorry,? )+(?:wait|that|this|i|it)\b
    |(?:whoops|oops|wrong)\b
    |that(?:'s| is| was) (?:wrong|not|no|yesterday|last|incorrect|a (?:joke|lie|mistake))
    |this (?:was|is no longer)
    |(?:it|they|that|this)(?:'s| is| are| was| were| has| have)(?: \w+)? (?:
      no longer|not so|now|since|been|changed|reversed|returned|withdrawn
    )
    |just (?:kidding|joking)
    |i(?:'m| am) (?:only )?(?:kidding|joking)|not really|or not|nothing of (?:this|that)
  )\b
`;

/** Returns true if a sentence, in lower case, leaves open whether its content is true. */
export const isDoubtful = (stated: string): boolean =>
  unreal.test(stated) ||
  reported.test(stated) ||
  isEmbeddedOpenly(stated) ||
  past.test(stated) ||
  takesBack.test(stated);

/** Returns true if a following sentence, in lower case, casts doubt on the one before. */
export const isDoubted = (next: string): boolean => takesBackNext.test(next);
