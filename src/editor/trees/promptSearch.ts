import type { TreeNode } from '../../contract/tree.ts';
import type { JobSnapshot } from '../store/snapshot.ts';
import { newestRun } from '../store/snapshot.ts';

/** A prompt that has the words. */
export interface FoundPrompt {
  readonly jobId: string;
  readonly runNumber: number;
  readonly stepId: string;
  readonly jobName: string;
  /** Keys or phrases from the root; empty on the root itself. */
  readonly path: string;
  readonly label: string;
  /** The prompt, or the part of it around the first of the words. */
  readonly passage: string;
}

/** More than so many are no help. */
export const maxFound = 500;
const around = 60;

/**
 * The prompts of each job's newest tree that have all the words, whatever their case and order; the trees have been
 * read.
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
      // A menu that several ways lead to is one find.
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
