import type { Check } from '../../contract/checks.ts';
import type { MenuReading } from '../../contract/menu.ts';
import type { Turn } from '../../contract/testRuns.ts';
import type { Meaning } from '../meaning/meaning.ts';
import type { LanguageModel } from '../model/languageModel.ts';
import type { ModelBudget } from '../model/modelBudget.ts';

/**
 * - `reached`: the goal of the mission was heard
 * - `stuck`: none of the system's options leads on
 * - `ended`: the system said goodbye, or takes messages
 * - `budget`: no turns or seconds are left
 */
export type HangUpReason = 'reached' | 'stuck' | 'ended' | 'budget';

/** The caller's next action, and the reason, in one sentence without digits that can be secret. */
export type TurnDecision =
  | { readonly action: 'press'; readonly keys: string; readonly why: string; readonly secret?: true }
  | { readonly action: 'say'; readonly text: string; readonly why: string; readonly secret?: true }
  | { readonly action: 'wait'; readonly why: string }
  | { readonly action: 'hangUp'; readonly reason: HangUpReason; readonly why: string };

export interface PastTurn {
  readonly prompt: string;
  readonly decision: TurnDecision;
}

/** What a caller knows when a prompt has ended. */
export interface TurnSituation {
  /** Persona and goal, as the author wrote them. */
  readonly mission: string;
  readonly acceptance?: string;
  readonly checks?: readonly Check[] | undefined;
  /** Includes the newest prompt. */
  readonly transcript: readonly Turn[];
  /** Everything that was said since the caller's last action. */
  readonly prompt: string;
  readonly reading: MenuReading;
  /** Decisions of this call so far, oldest first. */
  readonly past: readonly PastTurn[];
  readonly left: { readonly turns: number; readonly seconds: number };
  /** A wrong choice may have effects, so rules choose only what they are sure of. */
  readonly live?: boolean;
}

export const maxSpoken = 300;
/** The most keys in one action: a card number and its terminator. */
export const maxKeys = 32;

export interface DecideOptions {
  /** Without a model, the rules decide. */
  readonly model?: LanguageModel;
  /** Compares options with the goal where rules aren't sure. */
  readonly meaning?: Meaning | undefined;
  readonly budget?: ModelBudget;
  /** Default 15,000, because the caller waits for it. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}
