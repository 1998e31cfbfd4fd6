import { sentence, type Sentences } from '../../base/sentences.ts';
import type { OptionRefusal } from '../../language/labels/liveChoice.ts';
import { maySay } from '../../language/labels/pressRules.ts';
import type { LiveGuard } from '../../language/mission/liveGuard.ts';
import { forbiddenKeyIn } from '../../model/calls/forbiddenKeys.ts';
import type { SendDigitsOptions } from '../../telephony/call.ts';
import type { CallLog, HeardSpeech } from '../hearing/callLog.ts';
import { listen } from '../hearing/listen.ts';
import { patience } from '../hearing/patience.ts';
import type { ActiveCall, Cleared } from './activeCall.ts';
import type { AudioSpan } from './callAudio.ts';

/** An action on a call: keys or words. */
export type Deed = { readonly press: string } | { readonly say: string };

/**
 * Who chose an action: a person, who wrote it down for this call, or the caller, by what it heard. `asked`: the words of
 * the one thing that this action is for. `onlyActs`: the action is stated, so it needn't be known to be harmless.
 */
export type ChosenBy = 'person' | { readonly asked?: readonly string[]; readonly onlyActs?: boolean };

/**
 * Why something isn't sent, in addition to what the guard says.
 * - `forbidden`: the workspace forbids one of the keys
 * - `unheard`: what was said isn't text yet, and may change what the action does
 * - `ended`: the call is over
 */
export type Refused = OptionRefusal | Unsent<'forbidden'> | Unsent<'unheard'> | Unsent<'ended'>;
interface Unsent<Why extends string> {
  readonly because: Why;
}

interface DoorParts {
  readonly call: Pick<ActiveCall, 'ended' | 'now' | 'press' | 'say'>;
  readonly log: CallLog;
  readonly next: (timeoutMs: number) => Promise<void>;
  /** Keys that aren't pressed on this call, such as `9*`. */
  readonly forbiddenKeys: string;
  /** Judges what callers choose. Without it, nothing outside can be harmed. */
  readonly guard?: LiveGuard | undefined;
}

interface How extends SendDigitsOptions {
  /** What was said until this time of the call's audio decided. If more was said since, it isn't sent unheard. */
  readonly heardUntilMs?: number;
  /** Called when it is decided that the action is sent, immediately before. */
  readonly onOpen?: () => void;
}

/**
 * The one way to send keys or words on a call, for every kind of run. On a live number, it sends what a caller chose only
 * if everything that this call said is text and the guard allows the action by it.
 */
export class Door {
  readonly #parts: DoorParts;
  /** Up to this time of the call's audio, the guard has heard everything. */
  #heardMs = 0;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** Judges what may be chosen; undefined if everything may. */
  get guard(): LiveGuard | undefined {
    return this.#parts.guard;
  }

  /**
   * Notes what was said since the last time. With a `turn`, what ended before it is a separate turn, and what follows
   * it isn't noted yet.
   */
  hear(turn?: Pick<HeardSpeech, 'text' | 'endMs'> & { readonly fromMs: number }): void {
    const { guard, log } = this.#parts;
    if (!guard) return;
    if (turn) guard.hear(log.heardSince(this.#heardMs, turn.fromMs).text);
    const { text, endMs } = turn ?? log.heardSince(this.#heardMs);
    guard.hear(text);
    this.#heardMs = endMs;
  }

  /** Returns why this may not be sent now, or undefined if it may be. */
  whyNot(deed: Deed, chosenBy: ChosenBy = {}): Refused | undefined {
    const { guard, forbiddenKeys, log, call } = this.#parts;
    if ('press' in deed && forbiddenKeyIn(deed.press, forbiddenKeys) !== undefined) return { because: 'forbidden' };
    if (!guard || chosenBy === 'person') return undefined;
    if (!log.ended && log.quietMs(0) === 0) return { because: call.ended ? 'ended' : 'unheard' };
    this.hear();
    const { asked, onlyActs = false } = chosenBy;
    if (asked) guard.wants(asked.join('. '));
    const refusal = 'press' in deed ? guard.whyNotPress(deed.press) : guard.whyNotSay(deed.say);
    return onlyActs && refusal?.because !== 'acts' ? undefined : refusal;
  }

  /** Waits until everything is text. Returns when the action was sent, in the call's audio, or why it wasn't. */
  async send(
    deed: Deed,
    chosenBy: ChosenBy = {},
    { heardUntilMs, onOpen, ...digits }: How = {},
  ): Promise<AudioSpan | Refused> {
    const { call, log, guard } = this.#parts;
    if (guard && chosenBy !== 'person') {
      await this.#allText();
      if (heardUntilMs !== undefined && log.spokeSince(heardUntilMs)) return { because: 'unheard' };
    }
    const refused = this.whyNot(deed, chosenBy);
    if (refused) return refused;
    if (call.ended) return { because: 'ended' };
    onOpen?.();
    const startMs = call.now();
    if ('press' in deed) await call.press(deed.press as Cleared, digits);
    else await call.say(deed.say as Cleared);
    guard?.acted();
    this.#heardMs = Math.max(this.#heardMs, startMs);
    return { startMs, endMs: call.now() };
  }

  async #allText(): Promise<void> {
    const untilMs = this.#parts.call.now() + patience.text.turn;
    await listen(this.#parts, 0, (heard) => heard.hasEnded || heard.isQuiet(1) || heard.isPast(untilMs));
  }
}

/** Returns why the caller of a mission didn't send its choice. */
export function whyNotSent(refused: Refused): Sentences {
  switch (refused.because) {
    case 'forbidden':
      // The keys may be secret.
      return sentence`One of these keys is forbidden on the public network in this workspace (forbiddenKeys), so none was pressed.`;
    case 'unheard':
      return sentence`The caller's choice wasn't sent, because the called side was still speaking or its words weren't recognised in time, and they may change what the choice does on a live number.`;
    case 'ended':
      return sentence`The call ended.`;
    case 'acts':
      return sentence`To go on, the caller needs an option that may ${maySay(refused.acts)}, which the mission doesn't ask for, so it wasn't chosen on a live number. If you want the caller to choose it, say so in the mission.`;
    case 'unsure':
    case 'unread':
      return sentence`The caller's choice wasn't sent, because on a live number only options that are plainly harmless or that the mission names are chosen, and only numbers that are asked for and that the mission gives are entered. If you want the caller to choose it, say so in the mission.`;
  }
}
