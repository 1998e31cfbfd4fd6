import assert from 'node:assert/strict';
import { buildTree, flattenTree, type TreeStep } from '../../../../src/model/tree/treeBuild.ts';
import { seededRandom } from '../../../../src/practice/random.ts';
import { treeText } from './trees.ts';

const root: TreeStep = { stepId: 'root', status: 'explored' };
const step = (stepId: string, parentId: string, digit: string, rest: Partial<TreeStep> = {}): TreeStep => ({
  stepId,
  parentId,
  digit,
  status: 'explored',
  ...rest,
});
const link = (stepId: string, parentId: string, digit: string, linksTo: string): TreeStep =>
  step(stepId, parentId, digit, { status: 'linked', linksTo });

describe('building a tree from steps', () => {
  it('returns null without a root', () => {
    assert.equal(buildTree([]), null);
    assert.equal(buildTree([step('a', 'gone', '1')]), null);
  });

  it('nests steps in any order, with depth and path', () => {
    const steps = [root, step('a', 'root', '1'), step('b', 'a', '2'), step('c', 'root', '9', { end: 'hangup' })];
    const tree = buildTree(steps);
    assert.deepEqual(treeText(tree), ['root', '  1', '    2', '  9 hangup']);
    assert.deepEqual(tree && flattenTree(tree).map(({ depth, path }) => [depth, path]), [
      [0, ''],
      [1, '1'],
      [2, '1 > 2'],
      [1, '9'],
    ]);
    assert.deepEqual(treeText(buildTree([...steps].reverse())).sort(), treeText(tree).sort());
  });

  it("keeps a step's parent internal", () => {
    const child = buildTree([root, step('a', 'root', '1')])?.children?.[0];
    assert.ok(child && !('parentId' in child));
  });

  it('uses the phrase as the branch if there is no key', () =>
    assert.equal(
      buildTree([root, { stepId: 'a', parentId: 'root', spokenResponse: 'lost card', status: 'explored' }])
        ?.children?.[0]?.path,
      'lost card',
    ));

  it('expands a menu nearest the root even if it was explored further away', () => {
    const tree = buildTree([
      root,
      step('far', 'root', '1'),
      step('deep', 'far', '2', { options: [{ key: '5', label: 'five' }] }),
      step('leaf', 'deep', '5', { end: 'busy' }),
      link('near', 'root', '3', 'deep'),
    ]);
    assert.deepEqual(treeText(tree), ['root', '  1', '    2 -> 3', '  3', '    5 busy']);
    assert.deepEqual(tree?.children?.[1]?.options, [{ key: '5', label: 'five' }]);
    assert.equal(tree.children[1]?.children?.[0]?.path, '3 > 5');
  });

  it('leaves it in place if it is already nearest', () =>
    assert.deepEqual(
      treeText(
        buildTree([
          root,
          step('near', 'root', '1'),
          step('leaf', 'near', '5', { end: 'busy' }),
          step('far', 'root', '2'),
          link('deep', 'far', '3', 'near'),
        ]),
      ),
      ['root', '  1', '    5 busy', '  2', '    3 -> 1'],
    ));

  it('follows links to links', () =>
    assert.deepEqual(
      treeText(
        buildTree([
          root,
          step('a', 'root', '1'),
          step('leaf', 'a', '5', { end: 'fax' }),
          link('b', 'root', '2', 'a'),
          link('c', 'root', '3', 'b'),
          link('d', 'root', '4', 'c'),
        ]),
      ),
      ['root', '  1', '    5 fax', '  2 -> 1', '  3 -> 1', '  4 -> 1'],
    ));

  it('never attaches a menu below itself', () =>
    assert.deepEqual(
      treeText(buildTree([root, step('a', 'root', '1'), link('up', 'a', '*', 'root'), link('again', 'a', '9', 'a')])),
      ['root', '  1', '    * -> root', '    9 -> 1'],
    ));

  it('handles circular links and links to nothing', () => {
    const tree = buildTree([
      root,
      link('a', 'root', '1', 'b'),
      link('b', 'root', '2', 'a'),
      link('c', 'root', '3', 'gone'),
      link('d', 'root', '4', 'd'),
    ]);
    assert.equal(tree && flattenTree(tree).length, 5);
  });

  it('marks what is below an unsure step, and expands a menu where it is sure', () => {
    const unsure = (steps: readonly TreeStep[]): string[] => {
      const tree = buildTree(steps);
      return (tree ? flattenTree(tree) : []).filter((node) => node.unsure).map(({ path = '' }) => path);
    };
    const doubted = step('near', 'root', '1', { unsure: true });
    assert.deepEqual(unsure([root, doubted, step('leaf', 'near', '5'), step('far', 'root', '2')]), ['1', '1 > 5']);
    const menu = [step('far', 'root', '2'), step('deep', 'far', '3'), step('leaf', 'deep', '5')];
    assert.deepEqual(unsure([root, doubted, link('l', 'near', '4', 'deep'), ...menu]), ['1', '1 > 4']);
    assert.deepEqual(
      unsure([root, link('sure', 'root', '9', 'deep'), doubted, step('deep', 'near', '3'), step('leaf', 'deep', '5')]),
      ['1', '1 > 3'],
    );
  });

  it('returns every node once, with children separate', () => {
    const tree = buildTree([root, step('a', 'root', '1'), step('b', 'a', '2')]);
    assert.ok(tree);
    assert.ok(flattenTree(tree).every(({ children }) => children?.length === 0));
    assert.equal(tree.children?.length, 1, 'the tree itself keeps its children');
  });

  it('returns the same tree whichever place of a menu was explored first', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = seededRandom(seed);
      const menus = Array.from({ length: 6 }, () =>
        Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
          random() < 0.3 ? undefined : Math.floor(random() * 6),
        ),
      );
      const trees = new Set(
        [1, 2, 3, 4].map((order) => treeText(buildTree(explore(menus, seededRandom(order)))).join('\n')),
      );
      assert.equal(trees.size, 1, `seed ${String(seed)}:\n${[...trees].join('\n\n')}`);
    }
  });
});

/**
 * Walks menus (key → menu, or an end) in a random order; the first visit of a menu expands it, later ones link to it.
 */
function explore(menus: readonly (readonly (number | undefined)[])[], random: () => number): TreeStep[] {
  const steps: TreeStep[] = [root];
  const expandedAt = new Map([[0, 'root']]);
  const open: { parentId: string; key: number; target: number | undefined }[] = [];
  const expand = (menu: number, parentId: string): void => {
    menus[menu]?.forEach((target, key) => open.push({ parentId, key, target }));
  };
  expand(0, 'root');
  while (open.length > 0) {
    const [way] = open.splice(Math.floor(random() * open.length), 1);
    if (!way) break;
    const stepId = `${way.parentId}.${String(way.key)}`;
    const known = way.target === undefined ? undefined : expandedAt.get(way.target);
    if (way.target === undefined) steps.push(step(stepId, way.parentId, String(way.key), { end: 'hangup' }));
    else if (known !== undefined) steps.push(link(stepId, way.parentId, String(way.key), known));
    else {
      expandedAt.set(way.target, stepId);
      steps.push(step(stepId, way.parentId, String(way.key)));
      expand(way.target, stepId);
    }
  }
  // Siblings are found in order of their keys, as a menu offers them.
  return steps.sort((a, b) => (a.digit ?? '').localeCompare(b.digit ?? ''));
}
