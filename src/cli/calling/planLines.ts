import type { PlannedCalls } from '../../contract/callPlan.ts';
import { planBlocks } from '../../model/report/planBlocks.ts';

/** Returns the facts of a plan that the command line prints, one per line. */
export function planLines(plan: PlannedCalls): readonly string[] {
  const { size, keys, forbidden, unjudged, refusal } = planBlocks(plan);
  return [size, ...keys, forbidden, unjudged, refusal].filter((fact) => fact !== undefined).map(String);
}
