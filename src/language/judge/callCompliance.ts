import type { MissionTestRun, Turn } from '../../contract/testRuns.ts';
import { judgeEach } from './judgeByRules.ts';

/** Announcements and offers that the law requires in many places, each with its criterion. */
const checks: readonly { readonly check: string; readonly criterion: string }[] = [
  { check: 'Says that it is automated', criterion: 'The line says that it is automated.' },
  { check: 'Does not claim to be a person', criterion: 'It never claims to be human.' },
  { check: 'Says that the call is recorded', criterion: 'The caller is told that the call is recorded.' },
  { check: 'Offers a person', criterion: 'The line offers an option for an agent.' },
];

/**
 * Returns what a call shows about these by rules: what was seen, and what contradicts it. What simply wasn't heard is
 * left out, because whether it is required depends on the line; the catalogue's probes test that.
 */
export function callCompliance(
  transcript: readonly Turn[],
  gaveUp: boolean,
): NonNullable<MissionTestRun['compliance']> {
  const judgements = judgeEach(
    transcript,
    checks.map(({ criterion }) => criterion),
    gaveUp,
  );
  return checks.flatMap(({ check }, index) => {
    const { verdict, evidence: [evidence] = [] } = judgements[index] ?? {};
    return verdict === 'pass' || (verdict === 'fail' && evidence) ? [{ check, verdict, evidence }] : [];
  });
}
