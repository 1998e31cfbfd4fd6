import { ModelError } from './modelError.ts';

/** A shorter answer isn't useful. */
const minAnswerTokens = 32;

export interface Spent {
  readonly tokens: number;
  readonly milliseconds: number;
}

/** Tokens that are reserved for one request until its usage is known. */
export interface Reservation {
  /** Maximum tokens for the answer now. */
  readonly outputTokens: number;
  /** The usage of the request; call this once. */
  settle(spent: Spent): void;
}

/** The budget of a run's asks, also simultaneous ones: tokens of questions and answers, and waiting time. */
export class ModelBudget {
  readonly #limits: Spent;
  #tokens = 0;
  #milliseconds = 0;
  #setAside = 0;

  constructor(limits: Spent) {
    this.#limits = limits;
  }

  get spent(): Spent {
    return { tokens: this.#tokens, milliseconds: this.#milliseconds };
  }
  get tokensLeft(): number {
    return Math.max(0, this.#limits.tokens - this.#tokens - this.#setAside);
  }
  get millisecondsLeft(): number {
    return Math.max(0, this.#limits.milliseconds - this.#milliseconds);
  }

  /** Reserves the question's tokens and as many of the wanted answer's as are left. @throws ModelError `overBudget` */
  reserve(inputTokens: number, wantedOutput: number): Reservation {
    const outputTokens = Math.min(wantedOutput, this.tokensLeft - inputTokens);
    if (outputTokens < Math.min(minAnswerTokens, wantedOutput)) {
      throw new ModelError(
        'overBudget',
        `The run's budget of ${this.#limits.tokens} tokens for the language model is used up (${this.#tokens} spent). Raise the budget, or shorten the test.`,
      );
    }
    if (this.millisecondsLeft <= 0) {
      throw new ModelError(
        'overBudget',
        `The run's budget of ${Math.round(this.#limits.milliseconds / 1000)} s for the language model is used up. Raise the budget, or choose a faster model.`,
      );
    }
    const aside = inputTokens + outputTokens;
    this.#setAside += aside;
    return {
      outputTokens,
      settle: ({ tokens, milliseconds }) => {
        this.#setAside -= aside;
        this.#tokens += tokens;
        this.#milliseconds += milliseconds;
      },
    };
  }
}
