import type { Node } from 'jsonc-parser';
import { membersOf, nodeAt } from '../../folders/parsedFile.ts';

const leavesOf = (node: Node | undefined, name = ''): { readonly name: string; readonly node: Node }[] => {
  if (node?.type === 'array') return (node.children ?? []).flatMap((child) => leavesOf(child));
  if (node?.type === 'object') return membersOf(node).flatMap((member) => leavesOf(member.value, member.name));
  return node?.type === 'string' ? [{ name, node }] : [];
};
const promptLeaves = (spoken: Node | undefined): ReturnType<typeof leavesOf> => leavesOf(nodeAt(spoken, ['prompt']));

/** Returns the words of a prompt, including those of its recordings and of its variants. */
export function promptWordsIn(spoken: Node | undefined): string | undefined {
  const texts = promptLeaves(spoken).filter(({ name }) => name !== 'wav');
  return texts.length > 0 ? texts.map(({ node }) => String(node.value)).join(' ') : undefined;
}

/** Returns the nodes at which a state's prompts name their recordings. */
export function recordingsIn(state: Node | undefined): Node[] {
  const wrongKeys = membersOf(nodeAt(state, ['onKey'])).map(({ value }) => value);
  return [state, nodeAt(state, ['onTimeout']), nodeAt(state, ['onInvalid']), ...wrongKeys].flatMap((spoken) =>
    promptLeaves(spoken).flatMap(({ name, node }) => (name === 'wav' ? node : [])),
  );
}
