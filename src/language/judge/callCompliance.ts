import type { Check } from '../../contract/checks.ts';
import type { MissionTestRun } from '../../contract/testRuns.ts';
import { evaluate } from '../checks/evaluate.ts';
import type { HeardCall } from '../checks/heardCall.ts';

/** Announcements and offers that the law requires in many places. */
const required: readonly (Check & { readonly name: string })[] = [
  { name: 'Says that it is automated', kind: 'discloses', notice: 'automated' },
  { name: 'Does not claim to be a person', kind: 'not', check: { kind: 'discloses', notice: 'human' } },
  { name: 'Says that the call is recorded', kind: 'discloses', notice: 'recording' },
  {
    name: 'Offers a person',
    kind: 'offers',
    option: ['agent', 'representative', 'operator', 'person', 'adviser', 'advisor', 'receptionist'],
  },
];

/**
 * Returns what a call shows about these: what was seen, and what contradicts it. What simply wasn't heard is left out,
 * because whether it is required depends on the line; the catalogue's probes test that.
 */
export function callCompliance(call: HeardCall): NonNullable<MissionTestRun['compliance']> {
  const results = evaluate(required, call);
  return required.flatMap(({ name }, index) => {
    const { verdict, evidence: [evidence] = [] } = results[index] ?? {};
    const isShown = verdict === 'pass' || (verdict === 'fail' && required[index]?.kind === 'not');
    return isShown ? [{ check: name, verdict, evidence }] : [];
  });
}
