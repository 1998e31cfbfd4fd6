import assert from 'node:assert/strict';
import { layoutTree, linksIn, nodesIn } from '../../../../src/model/tree/treeLayout.ts';
import type { Placed, TreeLayout } from '../../../../src/model/tree/treeLayout.ts';

interface Node {
  key: string;
  children: Node[];
}

const sizes = { nodeWidth: 240, nodeHeight: 48, rowGap: 12, columnGap: 64 };
const open = (): boolean => false;

/** mulberry32, so that a failing tree can be reproduced from its seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function randomTree(seed: number, count: number): Node {
  const random = randomOf(seed);
  const root: Node = { key: '0', children: [] };
  const nodes = [root];
  for (let key = 1; key < count; key += 1) {
    const node: Node = { key: String(key), children: [] };
    nodes[Math.floor(random() * nodes.length)]?.children.push(node);
    nodes.push(node);
  }
  return root;
}

const everyNode = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
const placedIn = (layout: TreeLayout<Node>): Placed<Node>[] => nodesIn(layout, everyNode);
const positions = (layout: TreeLayout<Node>): Map<string, string> =>
  new Map(placedIn(layout).map(({ node, x, y }) => [node.key, `${x},${y}`]));

describe('layoutTree', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    it(`keeps the cards of a random tree apart (seed ${seed})`, () => {
      const layout = layoutTree(randomTree(seed, 600), sizes, open);
      assert.equal(placedIn(layout).length, 600);
      for (const column of layout.columns) {
        for (const [at, placed] of column.entries()) {
          const above = column[at - 1];
          if (above)
            assert.ok(
              placed.y - above.y >= sizes.nodeHeight + sizes.rowGap - 1e-6,
              `${above.node.key} and ${placed.node.key} overlap`,
            );
        }
      }
      for (const placed of placedIn(layout)) {
        for (const child of placed.children) assert.ok(child.x >= placed.x + sizes.nodeWidth + sizes.columnGap - 1e-6);
      }
    });
  }

  it('keeps the order of siblings from top to bottom', () => {
    for (const placed of placedIn(layoutTree(randomTree(9, 300), sizes, open))) {
      const heights = placed.children.map(({ y }) => y);
      assert.deepEqual(
        heights,
        heights.toSorted((a, b) => a - b),
      );
      assert.deepEqual(
        placed.children.map(({ node }) => node),
        placed.node.children,
      );
    }
  });

  it('returns the same positions for the same tree', () =>
    assert.deepEqual(
      positions(layoutTree(randomTree(4, 400), sizes, open)),
      positions(layoutTree(randomTree(4, 400), sizes, open)),
    ));

  it('omits collapsed parts, and restores them to the same place', () => {
    const root = randomTree(6, 300);
    const closed = root.children[0];
    assert.ok(closed);
    const layout = layoutTree(root, sizes, (node) => node === closed);
    assert.deepEqual(layout.byKey.get(closed.key)?.children, []);
    for (const child of closed.children) assert.equal(layout.byKey.has(child.key), false);
    assert.deepEqual(positions(layoutTree(root, sizes, open)), positions(layoutTree(randomTree(6, 300), sizes, open)));
  });

  it('encloses every card in its bounds', () => {
    const layout = layoutTree(randomTree(3, 500), sizes, open);
    for (const { x, y } of placedIn(layout)) {
      assert.ok(x >= layout.bounds.left && x + sizes.nodeWidth <= layout.bounds.right);
      assert.ok(y >= layout.bounds.top && y + sizes.nodeHeight <= layout.bounds.bottom);
    }
  });

  it('places a single root', () =>
    assert.deepEqual(layoutTree({ key: 'r', children: [] }, sizes, open).bounds, {
      left: 0,
      top: 0,
      right: 240,
      bottom: 48,
    }));
});

describe('the nodes in a rectangle', () => {
  const layout = layoutTree(randomTree(11, 2000), sizes, open);
  const areas = Array.from({ length: 40 }, (_, at) => {
    const random = randomOf(at);
    const left = layout.bounds.left + random() * (layout.bounds.right - layout.bounds.left);
    const top = layout.bounds.top + random() * (layout.bounds.bottom - layout.bounds.top);
    return { left, top, right: left + random() * 1500, bottom: top + random() * 1000 };
  });

  it('match those that a search of all nodes finds', () => {
    for (const area of areas) {
      const expected = placedIn(layout).filter(
        ({ x, y }) =>
          x <= area.right && x + sizes.nodeWidth >= area.left && y <= area.bottom && y + sizes.nodeHeight >= area.top,
      );
      assert.deepEqual(
        nodesIn(layout, area).map(({ node }) => node.key),
        expected.map(({ node }) => node.key),
      );
    }
  });

  it('include every link that crosses it, even between cards outside', () => {
    for (const area of areas) {
      const found = new Set(
        linksIn(layout, area).flatMap(({ parent, children }) =>
          children.map((child) => `${parent.node.key}>${child.node.key}`),
        ),
      );
      for (const parent of placedIn(layout)) {
        for (const child of parent.children) {
          const from = parent.x + sizes.nodeWidth;
          const crosses =
            from <= area.right &&
            child.x >= area.left &&
            Math.min(parent.y, child.y) + sizes.nodeHeight / 2 <= area.bottom &&
            Math.max(parent.y, child.y) + sizes.nodeHeight / 2 >= area.top;
          if (crosses)
            assert.ok(
              found.has(`${parent.node.key}>${child.node.key}`),
              `the link ${parent.node.key}>${child.node.key} is missing`,
            );
        }
      }
    }
  });

  it('include only the nearby children of a large family', () => {
    const root: Node = {
      key: 'r',
      children: Array.from({ length: 5000 }, (_, at) => ({ key: String(at), children: [] })),
    };
    const family = layoutTree(root, sizes, open);
    const bottom = family.bounds.bottom;
    const [links] = linksIn(family, { left: 200, right: 600, top: bottom - 500, bottom });
    assert.ok(links && links.children.length < 20, `${links?.children.length ?? 0} links`);
  });
});
