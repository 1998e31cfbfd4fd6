import { whyLeftOut } from '../../engine/crawl/crawlMap.ts';
import type { CarriedRow } from './rows.ts';

const reason = 'The workspace was exported during this run. What was found before the export is kept.';

/** Ends runs that were active at the export, because they don't continue at the new place. */
export function endInterrupted(entry: CarriedRow, exportedAt: string): CarriedRow {
  switch (entry.table) {
    case 'mapping_runs':
      if (entry.row.status !== 'running') return entry;
      return {
        table: 'mapping_runs',
        row: {
          ...entry.row,
          status: 'failed',
          reason: `${reason} Start the mapping again to map the rest.`,
          ended_by: 'stop',
          in_flight: 0,
          completed_at: exportedAt,
        },
      };
    case 'mapping_steps': {
      if (entry.row.status !== 'exploring' && entry.row.status !== 'pending') return entry;
      const { node, memory } = entry.row;
      const remainingCounts = {
        status: 'skipped',
        reason: whyLeftOut({ cut: entry.row.status === 'exploring' }, 'the workspace was exported during this run'),
      } as const;
      return {
        table: 'mapping_steps',
        row: {
          ...entry.row,
          status: remainingCounts.status,
          node: { ...node, ...remainingCounts },
          memory: { ...memory, ...remainingCounts },
        },
      };
    }
    case 'test_runs':
      return entry.row.completed_at !== null
        ? entry
        : {
            table: 'test_runs',
            row: {
              ...entry.row,
              outcome: 'ERROR',
              completed_at: exportedAt,
              result: { ...entry.row.result, reason, endedBy: 'stop' },
            },
          };
    case 'load_tests':
      return entry.row.status !== 'running'
        ? entry
        : {
            table: 'load_tests',
            row: { ...entry.row, status: 'failed', reason, ended_by: 'stop', completed_at: exportedAt },
          };
    default:
      return entry;
  }
}
