import type { PanelSnapshot } from '../../src/contract/panel.ts';
import type { StepContext } from '../../src/contract/stepContext.ts';
import type { TreeNode } from '../../src/contract/tree.ts';
import { ancestorsOf, type IndexedNode } from './treeIndex.ts';

/** Returns what the user can do with a step, for the pane and for the menu of a card. */
export function stepActions(indexed: IndexedNode, { job, isPractice }: PanelSnapshot): StepContext {
  const { key, node } = indexed;
  const { stepId, status = 'explored', transcript = '' } = node;
  const isHere = stepId !== undefined && !isGone(node);
  const way = [indexed, ...ancestorsOf(indexed)].slice(0, -1).toReversed();
  const isMapped = isHere && job !== undefined;
  return {
    key,
    stepId,
    path: node.path ?? way.map(({ node: { digit, voicePrompt } }) => digit ?? voicePrompt ?? '?').join(' > '),
    prompt: transcript.trim(),
    plays: isMapped && !silent.includes(status),
    calls: isMapped && status === 'explored' && way.length > 0,
    isMapped,
    isHere,
    isPractice: isMapped && isPractice === true,
  };
}

/** The card's part of VS Code's menu, whose when clauses and commands read it (`webview/context`). */
export const menuContext = (actions: StepContext): string =>
  JSON.stringify({ webviewSection: 'dialtree.step', preventDefaultContextMenuItems: true, ...actions });

const silent: readonly TreeNode['status'][] = ['pending', 'skipped', 'exploring'];

/** Put back into a compared tree from its base. */
const isGone = ({ stepId }: TreeNode): boolean => stepId?.startsWith('base:') === true;
