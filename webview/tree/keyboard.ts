import type { IndexedNode, TreeIndex } from './treeIndex.ts';

/**
 * What a key does in the tree (WAI-ARIA Authoring Practices, "Tree View"), and the keys of a drawing: + - 0, n and N
 * between marks, l for latency, and the space bar for sound.
 */
export type KeyCommand =
  | { readonly type: 'focus' | 'select' | 'play' | 'collapse'; readonly key: string }
  | { readonly type: 'expand'; readonly keys: readonly string[] }
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'stop'; readonly by: 1 | -1 }
  | { readonly type: 'fit' | 'search' | 'escape' | 'heat' | 'keys' };

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const zoomStep = 1.25;
/** Keys that work wherever the focus is. */
const everywhere: ReadonlyMap<string, KeyCommand> = new Map<string, KeyCommand>([
  ['/', { type: 'search' }],
  ['Escape', { type: 'escape' }],
  ['+', { type: 'zoom', factor: zoomStep }],
  ['=', { type: 'zoom', factor: zoomStep }],
  ['-', { type: 'zoom', factor: 1 / zoomStep }],
  ['0', { type: 'fit' }],
  ['n', { type: 'stop', by: 1 }],
  ['N', { type: 'stop', by: -1 }],
  ['l', { type: 'heat' }],
  ['?', { type: 'keys' }],
]);

export function commandOf(
  press: KeyPress,
  index: TreeIndex,
  collapsed: ReadonlySet<string>,
  focusedKey: string | undefined,
): KeyCommand | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'f') return { type: 'search' };
  if (ctrlKey || metaKey || altKey) return undefined;
  const focused = focusedKey === undefined ? undefined : index.byKey.get(focusedKey);
  return everywhere.get(key) ?? inTree(key, index, collapsed, focused ?? index.root);
}

function inTree(
  key: string,
  index: TreeIndex,
  collapsed: ReadonlySet<string>,
  focused: IndexedNode,
): KeyCommand | undefined {
  const focus = (node: IndexedNode | undefined): KeyCommand | undefined => node && { type: 'focus', key: node.key };
  const isOpen = (node: IndexedNode): boolean => node.children.length > 0 && !collapsed.has(node.key);
  switch (key) {
    case 'ArrowDown':
      return focus(below(focused, isOpen));
    case 'ArrowUp':
      return focus(above(focused, isOpen));
    case 'ArrowRight':
      if (isOpen(focused)) return focus(focused.children[0]);
      return focused.children.length > 0 ? { type: 'expand', keys: [focused.key] } : undefined;
    case 'ArrowLeft':
      return isOpen(focused) ? { type: 'collapse', key: focused.key } : focus(focused.parent);
    case 'Home':
      return focus(index.root);
    case 'End':
      return focus(lastShown(index.root, isOpen));
    case '*':
      return { type: 'expand', keys: (focused.parent?.children ?? [focused]).map((sibling) => sibling.key) };
    case 'Enter':
      return { type: 'select', key: focused.key };
    case ' ':
      return { type: 'play', key: focused.key };
    default:
      return undefined;
  }
}

type IsOpen = (node: IndexedNode) => boolean;

function below(node: IndexedNode, isOpen: IsOpen): IndexedNode | undefined {
  if (isOpen(node)) return node.children[0];
  for (let at: IndexedNode | undefined = node; at; at = at.parent) {
    const next = at.parent?.children[at.position];
    if (next) return next;
  }
  return undefined;
}

function above(node: IndexedNode, isOpen: IsOpen): IndexedNode | undefined {
  const previous = node.parent?.children[node.position - 2];
  return previous ? lastShown(previous, isOpen) : node.parent;
}

function lastShown(node: IndexedNode, isOpen: IsOpen): IndexedNode {
  const last = isOpen(node) ? node.children.at(-1) : undefined;
  return last ? lastShown(last, isOpen) : node;
}
