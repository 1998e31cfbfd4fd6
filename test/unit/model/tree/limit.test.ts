import assert from 'node:assert/strict';
import { theoreticalLimit, type LimitNode } from '../../../../src/model/tree/limit.ts';

const node = (
  id: string,
  parentId: string | undefined,
  depth: number,
  promptSeconds: number,
  understoodSeconds: number,
  rest: Partial<LimitNode> = {},
): LimitNode => ({ id, parentId, depth, promptSeconds, understoodSeconds, terminal: false, linked: false, ...rest });
const terminal = { terminal: true };

/** root (10 s) ─ a (6 s, key known at 3 s) ─ a1 (4 s, at 2 s), a2 (2 s, at 5 s); root ─ b (5 s, at 8 s). */
const nodes = [
  node('root', undefined, 0, 10, 0),
  node('a', 'root', 1, 6, 3),
  node('a1', 'a', 2, 4, 2, terminal),
  node('a2', 'a', 2, 2, 5, terminal),
  node('b', 'root', 1, 5, 8, terminal),
];
const close = (actual: number, expected: number): void => {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${String(actual)} instead of ${String(expected)}`);
};

describe('the minimum cost of mapping', () => {
  it('matches the formula by hand', () => {
    const limit = theoreticalLimit(nodes, { lines: 2, setupSeconds: 0.4, callsPerSecond: 5 });
    assert.equal(limit.calls, 3);
    // 27 s of prompts, three set-ups, half a second for each of the 2 + 2 + 1 passed menus.
    close(limit.callSeconds, 27 + 3 * 0.4 + 0.5 * 5);
    // Two lines share 30.7 s; the longest path (8 + 5 s) is shorter.
    close(limit.wallSeconds, 15.35);
  });

  it('equals the longest path if there are enough lines', () => {
    close(theoreticalLimit(nodes, { lines: 20, setupSeconds: 0.4, callsPerSecond: 5 }).wallSeconds, 0.4 + 8 + 5);
    const slow = nodes.map((other) => (other.id === 'a1' ? { ...other, promptSeconds: 9 } : other));
    close(theoreticalLimit(slow, { lines: 20, setupSeconds: 0.4, callsPerSecond: 5 }).wallSeconds, 0.4 + 3 + 2 + 9);
  });

  it('depends on the call rate if that is the bottleneck', () =>
    close(theoreticalLimit(nodes, { lines: 20, setupSeconds: 0.4, callsPerSecond: 0.1 }).wallSeconds, 30));

  it('counts of a link only what is said before the menu that it leads to', () => {
    const conditions = { lines: 1, setupSeconds: 0.4, callsPerSecond: 5 };
    const { calls, callSeconds } = theoreticalLimit(nodes, conditions);
    const linked = theoreticalLimit([...nodes, node('again', 'b', 2, 1.5, 4, { linked: true })], conditions);
    assert.equal(linked.calls, calls);
    close(linked.callSeconds, callSeconds + 1.5);
  });

  it('counts how long a menu without barge-in delays each call to its leaves', () => {
    const deaf = nodes.map((other) => (other.id === 'a' ? { ...other, passSeconds: 6 } : other));
    // Two leaves are below it: twice 6 s instead of twice 0.5 s.
    close(
      theoreticalLimit(deaf, { lines: 2, setupSeconds: 0.4, callsPerSecond: 5 }).callSeconds,
      27 + 3 * 0.4 + 0.5 * 5 + 2 * 5.5,
    );
  });

  it('never decreases with a slower set-up nor increases with more lines', () => {
    const wall = (lines: number, setupSeconds: number): number =>
      theoreticalLimit(nodes, { lines, setupSeconds, callsPerSecond: 5 }).wallSeconds;
    for (let lines = 1; lines < 10; lines += 1)
      assert.ok(wall(lines + 1, 0.4) <= wall(lines, 0.4) && wall(lines, 0.8) > wall(lines, 0.4));
  });

  it('equals one call for an IVR that only speaks, and for an empty tree', () => {
    assert.deepEqual(
      theoreticalLimit([node('root', undefined, 0, 3, 0, terminal)], {
        lines: 4,
        setupSeconds: 0.5,
        callsPerSecond: 10,
      }),
      { calls: 1, callSeconds: 3.5, wallSeconds: 3.5 },
    );
    assert.deepEqual(theoreticalLimit([], { lines: 4, setupSeconds: 0.5, callsPerSecond: 10 }), {
      calls: 1,
      callSeconds: 0.5,
      wallSeconds: 0.5,
    });
  });
});
