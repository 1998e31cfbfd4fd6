import { limits } from './limits.ts';
import type { MappingConfig, MappingJob, MappingRun } from './mapping.ts';

/** The member of a mapping's config that ended its run too early. */
export type RaisableLimit = keyof Pick<MappingConfig, 'maxCalls' | 'maxDepth'>;

/**
 * What to raise so that the next run gets further: undefined where that would not help, or is not possible while a run
 * goes on.
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
