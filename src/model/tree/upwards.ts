import { limits } from '../../contract/limits.ts';

/**
 * Yields a node, then what is above it, or what a link leads to. Stored relations can form a circle, so it ends after as
 * many steps as a tree has levels at most.
 */
export function* upwards<Node>(from: Node, next: (node: Node) => Node | undefined): Generator<NonNullable<Node>> {
  let at: Node | undefined = from;
  for (let hops = 0; at !== undefined && at !== null && hops <= limits.tree.depth; hops += 1) {
    yield at;
    at = next(at);
  }
}
