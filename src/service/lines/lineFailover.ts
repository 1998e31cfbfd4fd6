import { DialError } from '../../engine/call/activeCall.ts';
import type { DialOptions } from '../../engine/call/activeCall.ts';

/** An attempt at a call over one line. */
export interface LineAttempt<Call> {
  readonly line: string;
  /** `isLast`: no other line is left, so it waits for capacity as long as necessary. */
  dial(isLast: boolean, options: Pick<DialOptions, 'onLeg'>): Promise<Call>;
}

/** SIP statuses of an exchange that can't take the call, whatever number is called. */
const outOfService = [408, 500, 502, 503, 504];

/**
 * Places a call over the first of several lines that can be used. The next line is tried only if nothing rang: a line
 * without capacity or registration, no response, or an exchange that is out of service. An error says what was tried.
 */
export async function dialFirst<Call>(
  attempts: readonly LineAttempt<Call>[],
  signal: AbortSignal,
  onLeg?: DialOptions['onLeg'],
): Promise<Call> {
  const tried: string[] = [];
  for (const [at, { line, dial }] of attempts.entries()) {
    const isLast = at === attempts.length - 1;
    let rang = false;
    const watch: DialOptions['onLeg'] = (leg) => {
      leg.listen(({ type }) => {
        rang ||= type === 'ringing' || type === 'earlyMedia';
      });
      onLeg?.(leg);
    };
    try {
      return await dial(isLast, isLast ? {} : { onLeg: watch });
    } catch (error) {
      if (!(error instanceof DialError)) throw error;
      const { kind, status = 0, reason } = error.end;
      const isUnusable = kind === 'unreachable' || (kind === 'rejected' && outOfService.includes(status));
      if (isLast || rang || !isUnusable || signal.aborted) throw withTried(error, line, tried);
      tried.push(`over ${line}: ${reason}`);
    }
  }
  throw new Error('a call without a line');
}

function withTried(error: DialError, line: string, tried: readonly string[]): DialError {
  if (tried.length === 0) return error;
  const { end, sentence } = error;
  const before = `called over ${line}, after trying ${tried.join('; ')}`;
  return new DialError(
    {
      ...end,
      reason: `${end.reason}; ${before}`,
      advice: end.advice === undefined ? before : `${end.advice}; ${before}`,
    },
    sentence === undefined ? undefined : `${sentence} Before that, it was tried ${tried.join('; ')}.`,
  );
}
