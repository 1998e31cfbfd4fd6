import { patternWith } from '../../base/rows.ts';
import { readMenu } from '../menu/readMenu.ts';
import type { Act } from './actTable.ts';
import { agrees } from './answers.ts';
import { classifyLabel } from './classifyLabel.ts';

/**
 * The acts that a prompt announces or asks about, apart from those of the options and phrases that it offers: "You want
 * to cancel your policy. To confirm, press 1."
 */
export function actsAnnounced(prompt: string): ReadonlySet<Act> {
  const told = sentencesOf(prompt).map(withoutOffers);
  // Recognition ends sentences at pauses, too: "We will now close. Your account."
  const joined = told.map((_sentence, at) => told.slice(at, at + joinedSentences).join(' '));
  return new Set([...told, ...joined].flatMap(actsOf));
}

/** The sentences of a prompt that may announce something for the rest of the call. */
export const withoutAsides = (prompt: string): string =>
  sentencesOf(prompt)
    .filter((sentence) => !aside.test(sentence))
    .map((sentence) => sentence.replace(routine, ' '))
    .join('. ');

export const sentencesOf = (text: string): string[] => text.split(/[.;!?\n]+/);

/** In the order of the text. Any length is read, although labels are cut. */
export function actsOf(text: string): Act[] {
  const acts: Act[] = [];
  for (let at = 0; at === 0 || at < text.length; at += readLength - overlap) {
    const classified = classifyLabel(text.slice(at, at + readLength));
    if (classified.class === 'irreversible') acts.push(...classified.acts);
  }
  return acts;
}

const joinedSentences = 3;
const readLength = 900;
const overlap = 150;

/** Of another channel, of the past, of emergencies, or about recording: not about what this call does next. */
const aside = patternWith('i')`
  \b(?:
    online|web ?sites?|apps?|dot com|hang up|recorded|recording|monitored|due|overdue|was|were
    |ha(?:s|ve|d) been
  )\b
`;
/** Words of routine that do nothing by themselves, and names of what is entered: "booking reference". */
const routine = patternWith('gi')`
  \b(?:
    verify (?:your|who|that)|get started|(?:connect|transfer)(?:ing|ed)? (?:you|your call|the call)
    |[a-z]+ (?:numbers?|code|reference|id|pin)
  )\b
`;

function withoutOffers(sentence: string): string {
  const lower = sentence.toLowerCase().replaceAll('’', "'");
  const { options, speech } = readMenu(lower);
  return [...options.map(({ label }) => label), ...speech]
    .filter((offered) => offered !== '' && !agrees(offered))
    .sort((one, other) => other.length - one.length)
    .reduce((text, offered) => text.replaceAll(offered, ' , '), lower);
}
