import { count } from '../../base/count.ts';
import { compareRates, runsToTell, type Passes } from '../../model/stats/regression.ts';
import type { Case } from './case.ts';
import type { Baseline, BaselineTest } from './report.ts';

/** The properties that distinguish a test, or one of its rows, from all others. */
type Identity = Pick<BaselineTest, 'file' | 'name' | 'id' | 'row'>;

/**
 * Pairs each test with its test in the baseline, in order, and returns the baseline's tests that are left. The id of
 * the test file (and the row) decides. If the baseline has no ids, as in older versions, path and name decide.
 */
export function pairWithBaseline(
  baseline: Baseline,
  tests: readonly Identity[],
): { readonly pairs: readonly (BaselineTest | undefined)[]; readonly rest: readonly BaselineTest[] } {
  const byId = new Map(baseline.tests.flatMap((one) => (one.id === undefined ? [] : [[idKey(one), one]])));
  const byPlace = new Map(baseline.tests.map((one) => [placeKey(one), one]));
  const known = tests.map((test) => (test.id === undefined ? undefined : byId.get(idKey(test))));
  const usedIds = new Set(known);
  const pairs = known.map((found, index) => {
    if (found) return found;
    const test = tests[index];
    const there = test && byPlace.get(placeKey(test));
    if (!there || usedIds.has(there)) return undefined;
    usedIds.add(there);
    return there;
  });
  return { pairs, rest: baseline.tests.filter((one) => !usedIds.has(one)) };
}

/** Leaves out the baseline's tests of these files, so that they aren't reported as gone. */
export const withoutFiles = (
  tests: readonly BaselineTest[],
  files: readonly { readonly path: string; readonly id?: string }[],
): readonly BaselineTest[] => {
  const paths = new Set(files.map(({ path }) => slashed(path)));
  const ids = new Set(files.flatMap(({ id }) => id?.toLowerCase() ?? []));
  return tests.filter(({ file, id }) => !paths.has(slashed(file)) && !(id !== undefined && ids.has(id.toLowerCase())));
};

const idKey = ({ id, row }: Identity): string => JSON.stringify([id?.toLowerCase(), row ?? '']);
const placeKey = ({ file, name }: Identity): string => JSON.stringify([slashed(file), name]);
/** A file is the same whichever separator its path uses. */
const slashed = (file: string): string => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');

/**
 * Returns true if all its calls passed before and none does now. This is worse even if there are too few calls to
 * exclude chance, because no one has accepted a failure of this test.
 */
export const isOutage = (baseline: Passes, now: Passes): boolean =>
  baseline.of > 0 && baseline.passed === baseline.of && now.of > 0 && now.passed === 0;

/** Compares the case with the baseline in one sentence. Empty without a baseline. */
export function baselineText({ comparison, isNew, outcome, ...now }: Case): string {
  if (isNew)
    return outcome === 'PASS' ? 'New: not in the baseline.' : 'New: not in the baseline, so every call must pass.';
  if (!comparison) return '';
  const { change, baseline } = comparison;
  const before = `${baseline.passed} of ${baseline.of} passed in the baseline`;
  if (change === 'regressed') return `Regression: ${before}.`;
  if (isOutage(baseline, now)) return `Regression: ${before}, and none now.`;
  if (change === 'improved') return `Better than the baseline: ${before}.`;
  if (outcome === 'PASS') return '';
  const runs = change === 'unclear' ? runsToTell(baseline) : undefined;
  return `Not proven to be worse than before: ${before}.${runs === undefined ? '' : ` At least ${runs} runs are needed to prove it.`}`;
}

export const goneText = ({ passed, of }: BaselineTest): string =>
  `In the baseline (${passed} of ${of} passed), but not in this run.`;

/** Returns how many calls, before and now, distinguish a test that fails every second call from one that never did. */
export const callsToTell = minCalls();

function minCalls(): number {
  for (let of = 2; ; of += 1)
    if (compareRates({ passed: of, of }, { passed: Math.ceil(of / 2), of }).change === 'regressed') return of;
}

/**
 * Says in two sentences what a baseline with so few calls can't show. Returns undefined if there are enough calls. A
 * test that never passed can't get worse.
 */
export function thinBaselineText(cases: readonly Case[]): string | undefined {
  const least = Math.min(...cases.filter(({ passed }) => passed > 0).map(({ of }) => of));
  return least < callsToTell ? thinText(`With ${count(least, 'call')} per test`) : undefined;
}

export function thinComparisonText(cases: readonly Case[]): string | undefined {
  const compared = cases.flatMap(({ comparison, of }) =>
    comparison && comparison.baseline.passed > 0 ? [{ now: of, before: comparison.baseline.of }] : [],
  );
  const [before, now] = [Math.min(...compared.map((one) => one.before)), Math.min(...compared.map((one) => one.now))];
  return Math.min(before, now) < callsToTell
    ? thinText(`With ${count(before, 'call')} per test in the baseline and ${count(now, 'call')} now`)
    : undefined;
}

const thinText = (what: string): string =>
  `${what}, Dialtree can't determine whether a test that fails every second call does so by chance. To determine this, it needs ${callsToTell} calls per test in both runs (--repeat ${callsToTell}). A test that passed all its calls and now fails all of them is always reported.`;
