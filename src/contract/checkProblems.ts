import type { Check, Moment } from './checks.ts';
import { limits } from './limits.ts';

interface CheckProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What surrounds the checks: the names of the steps, and how long the call can last. */
interface Surroundings {
  readonly steps?: ReadonlySet<string>;
  readonly maxSeconds?: number | undefined;
  /** Dialtree's own probes have regular expressions. */
  readonly isOwn?: boolean;
}

const maxDepth = 4;
const maxChecks = 100;

/** Happens at many moments, so that it can be counted and marks one. What must not happen, and what is measured, doesn't. */
const happens = /^(?:says|asksFor|offers|tells|readsBack|reaches|discloses|sends)$/;

/** Returns what is wrong with checks beyond their schema: what can never pass or never fail, and what contradicts. */
export function checkProblems(checks: readonly Check[], surroundings: Surroundings = {}): CheckProblem[] {
  const found: CheckProblem[] = [];
  let count = 0;
  const visit = (check: Check, path: readonly (string | number)[], depth: number): void => {
    count += 1;
    const report = (message: string, ...at: readonly string[]): void => {
      found.push({ path: [...path, ...at], message });
    };
    if (depth > maxDepth) return report(`Checks can be nested ${String(maxDepth)} deep. Write simpler ones.`);
    if (count > maxChecks) return report(`These are more than ${String(maxChecks)} checks. Remove some.`);
    problemsOf(check, surroundings, report);
    for (const name of ['after', 'before'] as const) {
      const moment: Moment | undefined = check.when?.[name];
      if (typeof moment === 'object') visit(moment, [...path, 'when', name], depth + 1);
    }
    if (check.kind === 'not') visit(check.check, [...path, 'check'], depth + 1);
    if (check.kind === 'any' || check.kind === 'all')
      check.checks.forEach((one, index) => visit(one, [...path, 'checks', index], depth + 1));
  };
  checks.forEach((check, index) => visit(check, [index], 1));
  return [...found, ...contradictions(checks)];
}

function problemsOf(
  check: Check,
  { steps, maxSeconds = limits.missionSeconds.max, isOwn = false }: Surroundings,
  report: (message: string, ...at: readonly string[]) => void,
): void {
  const { when = {}, within } = check;
  if (within !== undefined && within > maxSeconds)
    report(`The call lasts at most ${String(maxSeconds)} s, so this can never be too late. Use less.`, 'within');
  if (check.times !== undefined && !happens.test(check.kind))
    report('This happens only once, or must not happen. Leave out times.', 'times');
  for (const at of ['after', 'before'] as const) {
    const moment = when[at];
    if (typeof moment === 'object' && /^(?:not|never|staysOn|silenceAtMost|answersWithin)/.test(moment.kind))
      report('This marks no moment. Use what happens, such as {"kind": "offers"}.', 'when', at);
  }
  const named = [...(['after', 'before', 'reached'] as const).map((at) => ({ name: when[at], at: ['when', at] }))];
  if (check.kind === 'reaches')
    named.push({ name: check.step, at: ['step'] }, { name: check.stepsOf, at: ['stepsOf'] });
  for (const { name, at } of named)
    if (typeof name === 'string' && steps?.has(name) !== true)
      report(`There is no step with the name “${name}” here. Use a check instead, such as {"kind": "offers"}.`, ...at);
  if (!isOwn)
    for (const member of ['patterns', 'only', 'unless'])
      if (member in check) report('Only the probes of Dialtree have regular expressions. Use text.', member);
  if ((check.kind === 'says' || check.kind === 'neverSays') && check.text === undefined && check.patterns === undefined)
    report('Give the words that are meant: "text": "your balance is".');
  if (check.kind === 'reaches' && check.what === undefined && check.step === undefined)
    report('Give what is reached: "what": "person", or "step" with the name of a step.');
  if (check.kind === 'offers' && (check.atLeast ?? 0) > (check.atMost ?? Infinity))
    report('atLeast is more than atMost, so this can never pass.', 'atLeast');
  if (check.kind === 'tells' && (check.atLeast ?? -Infinity) > (check.atMost ?? Infinity))
    report('atLeast is more than atMost, so this can never pass.', 'atLeast');
  if (
    check.kind === 'tells' &&
    check.equals !== undefined &&
    (check.atMost !== undefined || check.atLeast !== undefined)
  )
    report('Give equals, or atMost and atLeast.', 'equals');
  if (check.kind === 'answersWithin' && (when.after !== undefined || when.before !== undefined))
    report('The answer comes before everything else. Leave out when.', 'when');
}

/** Two checks of the same part of a call of which one can't pass if the other does. */
function contradictions(checks: readonly Check[]): CheckProblem[] {
  const found: CheckProblem[] = [];
  const keyOf = (check: Check): string | undefined => {
    const place = JSON.stringify([check.when ?? {}, check.within ?? null]);
    if (check.kind === 'says' || check.kind === 'neverSays')
      return check.text === undefined ? undefined : `text ${JSON.stringify(check.text)} ${place}`;
    if (check.kind === 'hangsUp' || check.kind === 'staysOn') return `end ${place}`;
    if (check.kind === 'readsBack' || check.kind === 'neverReadsBack') return `digits ${check.digits ?? ''} ${place}`;
    return undefined;
  };
  const first = new Map<string, Check>();
  checks.forEach((check, index) => {
    const key = keyOf(check);
    if (key === undefined) return;
    const other = first.get(key);
    if (other && other.kind !== check.kind)
      found.push({ path: [index], message: 'This contradicts another check. Only one of the two can pass.' });
    if (!other) first.set(key, check);
  });
  return found;
}
