import type { TreeNode } from '../../contract/tree.ts';
import { newestRun, type JobSnapshot } from '../store/snapshot.ts';

export interface FoundPrompt {
  readonly jobId: string;
  readonly runNumber: number;
  readonly stepId: string;
  readonly jobName: string;
  /** Keys or phrases from the root; empty for the root itself. */
  readonly path: string;
  readonly label: string;
  /** The prompt, or the part around the first match. */
  readonly passage: string;
}

/** More results don't help. */
export const maxFound = 500;
const around = 60;

/**
 * Returns the prompts of each job's newest tree that contain all the words, in any case and order. The trees must have
 * been read.
 */
export function findPrompts(jobs: readonly JobSnapshot[], query: string): FoundPrompt[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found: FoundPrompt[] = [];
  if (words.length === 0) return found;
  for (const snapshot of jobs) {
    const runNumber = newestRun(snapshot);
    const tree = runNumber === undefined ? undefined : snapshot.trees.get(runNumber)?.response.tree;
    if (runNumber === undefined || !tree) continue;
    const open: TreeNode[] = [tree];
    for (let node = open.pop(); node; node = open.pop()) {
      open.push(...(node.children ?? []).toReversed());
      const { stepId, label = '', path = '', transcript = '', linksTo } = node;
      const text = `${label} ${transcript}`.toLowerCase();
      // A menu with several paths is found once.
      if (stepId === undefined || linksTo !== undefined || !words.every((word) => text.includes(word))) continue;
      found.push({
        jobId: snapshot.job.id,
        runNumber,
        stepId,
        jobName: snapshot.job.name,
        path,
        label,
        passage: passageOf(transcript, words[0] ?? ''),
      });
      if (found.length === maxFound) return found;
    }
  }
  return found;
}

function passageOf(transcript: string, word: string): string {
  const at = Math.max(0, transcript.toLowerCase().indexOf(word));
  const [from, to] = [Math.max(0, at - around), Math.min(transcript.length, at + word.length + around)];
  return `${from > 0 ? '…' : ''}${transcript.slice(from, to).trim()}${to < transcript.length ? '…' : ''}`;
}
