import { patternWith } from '../../base/rows.ts';

/**
 * Returns the part of a mission's text that says what is wanted, without the caller's identity and the numbers to
 * enter. Returns the whole text if no part does.
 */
export function readGoal(text: string): string {
  const mission = withoutRefusals(text);
  const labelled = /\b(?:goal|objective|task|mission)\s*:\s*([^\n]+)/i.exec(mission)?.[1];
  if (labelled !== undefined) return withoutFacts(labelled);
  const sentences = mission
    .split(/(?<=[.;!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  const wishes = sentences.filter(
    (sentence) =>
      wish.test(sentence) ||
      patternWith('i')`
        ^(?:
          find|check|reach|get|book|pay|report|cancel|ask|learn|hear|order|change|make|speak|talk|request
          |confirm|navigate|go|activate|call|listen|track|reset|update|refill|schedule|transfer
        )\b
      `.test(sentence),
  );
  const statedGoal =
    wishes.length > 0
      ? wishes
      : sentences.filter(
          (sentence) => !/^(?:you are|i am|my name|the caller is|account|pin|date of birth)\b/i.test(sentence),
        );
  return withoutFacts(
    (statedGoal.length > 0 ? statedGoal : sentences).map((sentence) => sentence.replace(beforeWish, '')).join(' '),
  );
}

/**
 * Returns all of a mission that says what the caller's matter is, without the caller's name, numbers and what isn't
 * wanted. What happened says more about the matter than what to do: "The card is gone. Find out what to do."
 */
export const readMatter = (mission: string): string =>
  withoutFacts(
    withoutRefusals(mission)
      .replace(
        /\b(?:you are|you're|i am|i'm|my name is) \p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}(?:[.,;]+|(?= and ))/giu,
        ' ',
      )
      .replace(/\b(?:goal|objective|task|mission|persona)\s*:/gi, ' '),
  );

const refusal = patternWith('i')`
  ^(?:(?:and|but|so|please) )*(?:
    (?:not|never|do not|don't)\b|(?:\w+ ){1,2}(?:do not|don't|does not|doesn't) (?:
      want|need|wish|like|intend|mean|care|call
    )\b|(?:i'm|i am|you're|you are|this is) not (?:
      about|after|asking|calling|going to|here|interested|looking|planning|trying
    )\b|(?:\w+ ){1,2}would not like\b
  )
`;

/** Leaves out what isn't wanted ("I don't want to cancel, I want to change it"), unless that is all. */
function withoutRefusals(mission: string): string {
  const wanted = mission
    .replaceAll('’', "'")
    .split(/(?<=[,.;:!?\n])(?=\s)|(?=\sbut\b)/)
    .filter((clause) => !refusal.test(clause.trim()))
    .join('')
    .replace(/,? (?:instead of|rather than) [^,.;!?\n]+/gi, '')
    .replace(/^\s*but\b/, '')
    .trim();
  return /\w/.test(wanted) ? wanted : mission;
}

const wish = patternWith('i')`
  \b(?:wants?|would like|needs?|wish(?:es)?|trying|tries|calls?|calling|is) (?:to|about)\b|\bin order to\b
  |\bfind out\b
`;
const beforeWish =
  /^.*?\b(?:wants?|would like|needs?|wish(?:es)?|trying|tries|call(?:s|ing)?|is|are) (?=to\b|about\b)/i;

const withoutFacts = (text: string): string =>
  text
    .replace(
      patternWith('gi')`
        \b(?:
          (?:with|using|use|the|your|my|his|her|their|under)[ ]
        ){0,4}(?:
          account|customer|member|pin|passcode|card|phone|zip
        )(?: (?:number|code|id))?(?: is|:)? [\d -]{2,}\d\b
      `,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the goal as a caller says it, in one sentence. */
export function toldGoal(mission: string): string {
  const goal =
    readGoal(mission)
      .split(/(?<=[.;!?])\s/)[0]
      ?.replace(/[.,;!?\s]+$/, '')
      .replace(/^(?:please |to )+/i, '') ?? '';
  const mine = goal
    .replace(
      patternWith('gi')`
        \b(?:the|your|his|her|their) (?=
          (?:\w+ )?(?:account|balance|bill|order|card|appointment|prescription|policy|payment|password|pin)\b
        )
      `,
      'my ',
    )
    .replace(/,? and (?:then )?hang up.*$/i, '')
    .replace(/\b(?:himself|herself|themselves)\b/gi, 'myself');
  if (mine === '') return 'I would like some help.';
  if (/^(?:i|i'm|my|we|our|it|the|there|some(?:one|body))\b/i.test(mine))
    return `${mine.charAt(0).toUpperCase()}${mine.slice(1)}.`;
  if (/^about\b/i.test(mine)) return `I am calling ${mine.charAt(0).toLowerCase()}${mine.slice(1)}.`;
  return `I would like to ${mine.charAt(0).toLowerCase()}${mine.slice(1)}.`;
}
