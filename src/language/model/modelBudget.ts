import { ModelError } from './modelError.ts';

/** Less room for an answer is none. */
const minAnswerTokens = 32;

export interface Spent {
  readonly tokens: number;
  readonly milliseconds: number;
}

/** Tokens set aside for one request until it is known what it took. */
export interface Reservation {
  /** Most tokens that the answer may have now. */
  readonly outputTokens: number;
  /** What the request took; to be called once. */
  settle(spent: Spent): void;
}

/**
 * What the asks of one run may take together: tokens of questions and answers, and time spent waiting for them. Holds
 * for asks side by side, too.
 */
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

  /** Sets aside a question's tokens and as many of the wanted answer's as are left. @throws ModelError `overBudget` */
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
