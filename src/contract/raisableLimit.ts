import { limits } from './limits.ts';
import type { MappingConfig, MappingJob, MappingRun } from './mapping.ts';

/** The property of a mapping's config that ended its run too early. */
export type RaisableLimit = keyof Pick<MappingConfig, 'maxCalls' | 'maxDepth'>;

/**
 * Returns the limit to raise so that the next run gets further, or undefined if raising doesn't help or isn't possible
 * during a run.
 */
export function raisableLimit(
  { status, config }: Pick<MappingJob, 'status' | 'config'>,
  newest: MappingRun | undefined,
): RaisableLimit | undefined {
  if (status === 'running' || newest?.status !== 'limited') return undefined;
  const member =
    newest.limitReason === 'max_calls' ? 'maxCalls' : newest.limitReason === 'max_depth' ? 'maxDepth' : undefined;
  return member !== undefined && config[member] < limits[member].max ? member : undefined;
}
