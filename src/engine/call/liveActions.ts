import { sentence, type Sentences } from '../../base/sentences.ts';
import { maySay } from '../../language/labels/pressRules.ts';
import type { Refusal } from '../../language/labels/liveChoice.ts';
import type { LiveGuard } from '../../language/mission/liveGuard.ts';
import { listen } from '../hearing/listen.ts';
import { patience } from '../hearing/patience.ts';
import type { Deed, OpenCall } from './testCall.ts';

export const unreadWhy = sentence`The caller's choice wasn't sent, because the called side was still speaking or its words weren't recognised in time, and they may change what the choice does on a live number.`;

const whyNotSent = (refusal: Refusal): Sentences =>
  refusal.because === 'acts'
    ? sentence`To go on, the caller needs an option that may ${maySay(refusal.acts)}, which the mission doesn't ask for, so it wasn't chosen on a live number. If you want the caller to choose it, say so in the mission.`
    : sentence`The caller's choice wasn't sent, because on a live number only options that are plainly harmless or that the mission names are chosen, and only numbers that are asked for and that the mission gives are entered. If you want the caller to choose it, say so in the mission.`;

/** Returns why the guard doesn't allow this, in a sentence. */
export function whyGuarded(guard: LiveGuard, deed: Deed): Sentences | undefined {
  const refusal = 'press' in deed ? guard.whyNotPress(deed.press) : guard.whyNotSay(deed.say);
  return refusal && whyNotSent(refusal);
}

/** Returns true if everything that was said is text. It must be on a live number, before something is sent. */
export async function isAllText(call: OpenCall): Promise<boolean> {
  const untilMs = call.call.now() + patience.text.turn;
  const over = await listen(call, 0, (heard) =>
    heard.hasEnded || heard.isQuiet(1) ? 'read' : heard.isPast(untilMs) && 'late',
  );
  return over === 'read';
}
