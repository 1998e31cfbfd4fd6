import { decideByModel } from './decideByModel.ts';
import { decideByRules } from './decideByRules.ts';
import { readMatter } from './missionGoal.ts';
import { type DecideOptions, type TurnDecision, type TurnSituation } from './turnDecision.ts';

/** More text than this describes more than one matter. */
const maxMatter = 500;

/** Decides what a mission's caller does at a prompt. @throws ModelError; the signal's reason if it was aborted */
export async function decideTurn(situation: TurnSituation, options: DecideOptions = {}): Promise<TurnDecision> {
  options.signal?.throwIfAborted();
  const { turns, seconds } = situation.left;
  if (turns <= 0 || seconds <= 0)
    return {
      action: 'hangUp',
      reason: 'budget',
      why: turns <= 0 ? 'The turns of this mission are used up.' : 'The seconds of this mission are used up.',
    };
  if (options.model) return decideByModel(situation, options.model, options);
  const { options: offered, speech } = situation.reading;
  const offers = [...offered.map(({ label }) => label), ...speech].filter((offer) => offer !== '');
  const likeness = await options.meaning?.likeness(readMatter(situation.mission).slice(0, maxMatter), offers);
  options.signal?.throwIfAborted();
  return decideByRules(situation, likeness);
}
