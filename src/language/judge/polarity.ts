import { words } from '../../base/rows.ts';
import { negates } from '../../model/heard/rivals.ts';

const contractions = new Set(
  words`
    isnt wasnt arent werent dont didnt doesnt hasnt havent hadnt cant couldnt wont wouldnt shouldnt
    mustnt neednt unable non
  `,
);
const conditions = new Set('if whether unless until once when'.split(' '));

/** Folded words that negate their surroundings. */
export const isDenial = (word: string): boolean => negates(word) || contractions.has(word);
/** Words before a phrase that negate it or make it a condition. */
export const turnsRound = (word: string): boolean => isDenial(word) || conditions.has(word);
