import type { MissionTestRun, Turn } from '../../contract/testRuns.ts';
import { judgeEach } from './judgeByRules.ts';

/** What callers are told or offered by law in many places, each with the criterion that the rules decide it by. */
const checks: readonly { readonly check: string; readonly criterion: string }[] = [
  { check: 'Says that it is automated', criterion: 'The line says that it is automated.' },
  { check: 'Does not claim to be a person', criterion: 'It never claims to be human.' },
  { check: 'Says that the call is recorded', criterion: 'The caller is told that the call is recorded.' },
  { check: 'Offers a person', criterion: 'The line offers an option for an agent.' },
];

/**
 * What a call shows of these, by the rules alone: what was seen, and what was said to the contrary. What was merely not
 * heard is left out: whether it has to be said depends on the line, and the catalogue's probes test that.
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
    return verdict === 'pass' || (verdict === 'fail' && evidence)
      ? [{ check, verdict, ...(evidence && { evidence }) }]
      : [];
  });
}
