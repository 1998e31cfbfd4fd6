import type { GraphState } from '../../../contract/ivrGraph.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import type { ParsedFile } from '../../folders/parsedFile.ts';
import { readStates } from '../reading/ivrStates.ts';
import { insideQuotes, type TextSpan } from '../reading/span.ts';

/**
 * Returns the name of the state that a path through a tree reaches, in a practice IVR's file. Where the file leads
 * elsewhere by now, the path ends early. Without any state, returns the beginning of the file.
 *
 * @param path from the root of the tree to the step
 */
export function spanOfStep(file: ParsedFile, path: readonly TreeNode[]): TextSpan {
  const { states, graph } = readStates(file);
  let name = passed(graph.start, graph.states);
  for (const step of path.slice(1)) {
    const next = targetOf(graph.states[name], step);
    if (next === undefined) break;
    name = passed(next, graph.states);
  }
  const found = states.get(name);
  return found ? insideQuotes(file.text, found.key) : { offset: 0, length: 0 };
}

function targetOf(state: GraphState | undefined, { digit, voicePrompt }: TreeNode): string | undefined {
  if (digit !== undefined) return state?.keys?.[digit] ?? state?.collect?.next;
  const phrase = voicePrompt?.toLowerCase();
  return Object.entries(state?.speech ?? {}).find(([words]) => words.toLowerCase() === phrase)?.[1];
}

/** Follows states that continue by themselves: a caller hears them and the next menu as one step. */
function passed(start: string, states: Readonly<Record<string, GraphState>>): string {
  const seen = new Set<string>();
  let name = start;
  for (let next = states[name]?.next; next !== undefined && !seen.has(name); next = states[name]?.next) {
    seen.add(name);
    name = next;
  }
  return name;
}
