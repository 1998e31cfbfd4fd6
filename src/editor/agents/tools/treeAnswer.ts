import { count } from '../../../base/count.ts';
import type { MappingJob, MappingRun } from '../../../contract/mapping.ts';
import type { TreeResponse } from '../../../contract/tree.ts';
import { treeLines, treeText } from '../../../model/tree/treeLines.ts';
import type { Answer } from './answer.ts';

/** A line of this width holds the first sentence of most prompts. */
const lineWidth = 160;
const briefWidth = 70;

/**
 * Formats a mapped tree for a model: one line per menu, with its key, its end and the beginning of its prompt. Less
 * deep if space is short.
 */
export function treeAnswer(job: MappingJob, run: MappingRun | undefined, response: TreeResponse): Answer {
  const head = headOf(job, run);
  const { tree } = response;
  if (!tree) return [() => [...head, response.message ?? 'Nothing was found yet.'].join('\n')];
  const deepest = Math.max(...treeLines(tree).map(({ depth }) => depth));
  const outline = (depth: number, width: number) => () =>
    [
      ...head,
      ...(depth < deepest
        ? [
            `Shown to depth ${String(depth)} of ${String(deepest)}: getMappingTree of the MCP server reads the whole tree.`,
          ]
        : []),
      treeText(response, { width, depth }),
    ].join('\n');
  return [
    outline(deepest, lineWidth),
    ...Array.from({ length: deepest }, (_, index) => outline(deepest - index, briefWidth)),
  ];
}

function headOf({ id, name, phoneNumber }: MappingJob, run: MappingRun | undefined): string[] {
  const title = `Mapping ${id} “${name}” of ${phoneNumber}`;
  if (!run) return [`${title}: not run yet.`];
  const { status, runNumber, limitReason, reason, stats } = run;
  return [
    `${title}, run ${String(runNumber)}: ${status}${limitReason === undefined ? '' : ` (${limitReason})`}, ${count(stats.nodesDiscovered, 'step')} found, ${count(stats.callsPlaced, 'call')}, ${String(Math.round(stats.callSeconds))} s of calls`,
    ...(reason === undefined ? [] : [reason]),
  ];
}
