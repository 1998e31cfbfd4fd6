import { HumanError, type ErrorStatus } from '../../contract/errors.ts';

/**
 * - `unreachable`: no connection, a broken connection, or a server that reports its own failure
 * - `timedOut`: no complete answer within the time of the ask
 * - `refused`: the endpoint or the model declines: no such model, a rate limit, a request that it doesn't accept, a
 *   refusal in words
 * - `nonsense`: the response isn't a completion, or isn't an object of the schema after one repair
 * - `overBudget`: the tokens or the time of the run are used up
 * - `unauthorized`: the key is missing, wrong or lacks a permission
 */
export type ModelErrorKind = 'unreachable' | 'timedOut' | 'refused' | 'nonsense' | 'overBudget' | 'unauthorized';

const statuses: Readonly<Record<ModelErrorKind, ErrorStatus>> = {
  unreachable: 502,
  timedOut: 503,
  refused: 502,
  nonsense: 502,
  overBudget: 402,
  unauthorized: 502,
};

interface ModelErrorOptions {
  readonly retryAfterSeconds?: number | undefined;
  /** The same request may succeed in a moment. */
  readonly passing?: boolean;
  readonly cause?: unknown;
}

/**
 * Why a language model gave no answer. The message is fit for users. Neither it nor the `cause` contains keys, or
 * credentials of an address.
 */
export class ModelError extends HumanError {
  readonly kind: ModelErrorKind;
  readonly passing: boolean;

  constructor(
    kind: ModelErrorKind,
    message: string,
    { retryAfterSeconds, passing = false, cause }: ModelErrorOptions = {},
  ) {
    super(message, {
      status: statuses[kind],
      code: codes[kind],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(cause === undefined ? {} : { cause }),
    });
    this.kind = kind;
    this.passing = passing;
  }
}

const codes: Readonly<Record<ModelErrorKind, string>> = {
  unreachable: 'model_unreachable',
  timedOut: 'model_timed_out',
  refused: 'model_refused',
  nonsense: 'model_nonsense',
  overBudget: 'model_over_budget',
  unauthorized: 'model_unauthorized',
};
