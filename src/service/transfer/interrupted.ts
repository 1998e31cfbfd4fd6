import { whyLeftOut } from '../../engine/crawl/crawlMap.ts';
import type { CarriedRow } from './rows.ts';

/** Ends mapping runs that were active at the export, because they don't continue at the new place. */
export function endInterrupted(entry: CarriedRow, exportedAt: string): CarriedRow {
  const { table, row } = entry;
  if (table === 'mapping_runs' && row.status === 'running') {
    const reason =
      'The workspace was exported during this run. What was found before the export is kept. Start the mapping again to map the rest.';
    return {
      table,
      row: { ...row, status: 'failed', reason, ended_by: 'stop', completed_at: exportedAt, in_flight: 0 },
    };
  }
  if (table === 'mapping_steps' && (row.status === 'exploring' || row.status === 'pending')) {
    const left = {
      status: 'skipped',
      reason: whyLeftOut({ cut: row.status === 'exploring' }, 'the workspace was exported during this run'),
    } as const;
    return {
      table,
      row: { ...row, status: left.status, node: { ...row.node, ...left }, memory: { ...row.memory, ...left } },
    };
  }
  return entry;
}
