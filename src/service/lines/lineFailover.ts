import { DialError } from '../../engine/call/activeCall.ts';
import type { DialOptions } from '../../engine/call/activeCall.ts';

/** SIP statuses of an exchange that can't take the call, whatever number is called. */
const outOfService = [408, 500, 502, 503, 504];

/**
 * Dials over each of several lines in turn, until one can be used. The next line is tried only if nothing rang: a line
 * without capacity or registration, no response, or an exchange that is out of service. An error says what was tried.
 */
export async function dialFirst<Call, Way extends { readonly line: string }>(
  ways: readonly Way[],
  { onLeg }: Pick<DialOptions, 'onLeg'>,
  dial: (way: Way, isLast: boolean, watched: Pick<DialOptions, 'onLeg'>) => Promise<Call>,
): Promise<Call> {
  const tried: string[] = [];
  for (const [at, way] of ways.entries()) {
    const isLast = at === ways.length - 1;
    let rang = false;
    const watch = (leg: Parameters<NonNullable<typeof onLeg>>[0]): void => {
      leg.listen(({ type }) => {
        rang ||= type === 'ringing' || type === 'earlyMedia';
      });
      onLeg?.(leg);
    };
    try {
      return await dial(way, isLast, isLast ? {} : { onLeg: watch });
    } catch (error) {
      if (!(error instanceof DialError)) throw error;
      const { kind, status = 0, reason } = error.end;
      const isUnusable = kind === 'unreachable' || (kind === 'rejected' && outOfService.includes(status));
      if (isLast || rang || !isUnusable) throw withTried(error, way.line, tried);
      tried.push(`over ${way.line}: ${reason}`);
    }
  }
  throw new Error('a call without a line');
}

function withTried(error: DialError, line: string, tried: readonly string[]): DialError {
  if (tried.length === 0) return error;
  const { end, sentence, early } = error;
  const before = `called over ${line}, after trying ${tried.join('; ')}`;
  const advice = end.advice === undefined ? before : `${end.advice}; ${before}`;
  return new DialError({ ...end, advice }, sentence && `${sentence} (${before})`, early);
}
