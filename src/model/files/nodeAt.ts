import { findNodeAtLocation, type Node } from 'jsonc-parser';

/** Smaller objects are searched as quickly without an index. */
const few = 16;
const indexes = new WeakMap<Node, ReadonlyMap<unknown, Node>>();

/** Returns the node at a path. Unlike jsonc-parser's own function, doesn't search a large object again for each path. */
export function nodeAt(root: Node | undefined, path: readonly (string | number)[]): Node | undefined {
  let node = root;
  for (const part of path) {
    if (!node) return undefined;
    const { children = [] }: Node = node;
    node =
      typeof part === 'string' && node.type === 'object' && children.length > few
        ? indexOf(node, children).get(part)
        : findNodeAtLocation(node, [part]);
  }
  return node;
}

function indexOf(object: Node, properties: readonly Node[]): ReadonlyMap<unknown, Node> {
  const known = indexes.get(object);
  if (known) return known;
  const index = new Map<unknown, Node>();
  for (const { children: [name, value] = [] } of properties)
    if (name && value && !index.has(name.value)) index.set(name.value, value);
  indexes.set(object, index);
  return index;
}
