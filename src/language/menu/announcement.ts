import { isInOrder } from '../../base/inOrder.ts';
import { pattern } from '../../base/rows.ts';

/** The kind of an announcement without options, judged by its words. */
type Announcement = 'human' | 'voicemail' | 'goodbye' | 'invalid' | 'other';

/** The beginning of a greeting. */
export const greeting = /\b(?:hello|hi|good (?:morning|afternoon|evening))\b/;
const introduction = /\b(?:this is|my name is|speaking|i'm)\b/;
const human = pattern`
  \bthis is \w+(?: speaking)?,? how (?:can|may) i help\b|\bspeaking[.,!]? how (?:can|may) i help\b
`;
const goodbye = /\b(?:good ?bye|bye|thank you for calling|have a (?:nice|good|great) day|good night)\W*$/;
const invalid = pattern`
  \b(?:
    not a valid|isn't a valid|invalid|not valid
    |(?:did not|didn't) (?:understand|recogni[sz]e|catch|get|hear|receive)
    |(?:option|key|selection) does not exist
    |not (?:recogni[sz]ed|available|a correct)|wrong (?:key|option|selection)|try again|incorrect
    |unrecogni[sz]ed|not an option
  )\b
`;

/** The last words before the recording starts. */
const voicemail = pattern`
  \b(?:after|at) the (?:tone|beep)\b[^.]*\W*$|\bleave (?:a|your|us a) (?:brief )?message\W*$
`;

const recording =
  /\b(?:after|at|following) the (?:tone|beep)\b|\b(?:leave|record) (?:a|your|us a|me a) (?:\w+ )?message\b/;

/** Returns true if these words ask for a message. They can also say which keys end the recording. */
export const asksForMessage = (text: string): boolean => recording.test(text.toLowerCase());

export function classifyAnnouncement(text: string): Announcement {
  const lower = text.toLowerCase();
  const isPerson = human.test(lower) || isInOrder(lower, greeting, introduction);
  if (isPerson && !/\b(?:automated|virtual|assistant|press|say)\b/.test(lower)) return 'human';
  if (voicemail.test(lower)) return 'voicemail';
  if (invalid.test(lower)) return 'invalid';
  return goodbye.test(lower.trim()) ? 'goodbye' : 'other';
}
