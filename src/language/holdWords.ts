import { pattern } from '../base/rows.ts';

/** Words that ask the caller to wait. What follows is the system's turn. */
export const holdWords = pattern`
  \b(?:
    please (?:hold|wait|stay)|one moment|just a moment|hold (?:on|the line)|all (?:of )?our|next available
    |in the queue|(?:number|place) [\w ]{1,20}in line|estimated wait|your call is important|remain on the line
    |while (?:i|we) (?:look|check|connect|transfer|find)
  )\b
`;

export const endsInHold = (text: string): boolean =>
  holdWords.test(
    (
      text
        .toLowerCase()
        .split(/[.?!]\s+/)
        .at(-1) ?? ''
    ).trim(),
  );
