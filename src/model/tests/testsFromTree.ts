import type { CalltreeNode } from '../../contract/calltreeFile.ts';
import { limits } from '../../contract/limits.ts';
import { defaultPassThreshold, type TestStep } from '../../contract/testConfigs.ts';
import { promptExcerpt, type ExcerptOptions } from './promptExcerpt.ts';
import { similarity } from '../heard/similarity.ts';
import { allPaths, leafPaths, pathText, pathsById, wayOf, wayText, type TreePath } from '../tree/treePaths.ts';

/** A scripted test that walks one path of a mapped tree and expects what was heard. The caller adds the target. */
export interface PathTest {
  readonly stepId: string;
  readonly path: string;
  readonly name: string;
  /** Unique among the tests of one tree: lower-case letters, digits and hyphens, without a suffix. */
  readonly slug: string;
  readonly steps: TestStep[];
}

interface SkippedPath {
  readonly stepId: string;
  readonly path: string;
  readonly reason: string;
}

interface TreeTests {
  readonly tests: readonly PathTest[];
  readonly skipped: readonly SkippedPath[];
}

/**
 * Generates a test for each of these steps, or if none are named, for every leaf that isn't unsure: calls, presses and says what leads
 * there, and expects the words of every menu on the way and the end of the call.
 *
 * @param name The name of the mapping, which begins the names of the tests.
 * @param whyNotTaken Returns why no test may choose this option on live numbers, for people.
 */
export function testsFromTree(
  tree: CalltreeNode,
  name: string,
  stepIds?: readonly string[],
  whyNotTaken?: WhyNotTaken,
): TreeTests {
  if (!stepIds) {
    const paths = leafPaths(tree);
    const { tests, skipped } = testsOfPaths(
      tree,
      name,
      paths.filter((path) => !isUnsure(path)),
      whyNotTaken,
    );
    return {
      tests,
      skipped: [...skipped, ...paths.filter(isUnsure).map((path) => ({ ...placeOf(path), reason: unsureWhy }))],
    };
  }
  const byId = pathsById(allPaths(tree));
  const wanted = [...new Set(stepIds)];
  const { tests, skipped } = testsOfPaths(
    tree,
    name,
    wanted.flatMap((stepId) => [byId.get(stepId)].filter((path) => path !== undefined)),
    whyNotTaken,
  );
  return {
    tests,
    skipped: [
      ...skipped,
      ...wanted
        .filter((stepId) => !byId.has(stepId))
        .map((stepId) => ({ stepId, path: '', reason: 'The tree has no step with this id.' })),
    ],
  };
}

export function testsOfPaths(
  tree: CalltreeNode,
  name: string,
  paths: readonly TreePath[],
  whyNotTaken: WhyNotTaken = () => undefined,
): TreeTests {
  const byId = pathsById(allPaths(tree));
  const tests: PathTest[] = [];
  const skipped: SkippedPath[] = [];
  const slugs = new Set<string>();
  for (const path of paths) {
    const place = placeOf(path);
    const reason = whyNoTest(path) ?? firstOf(path.slice(1), whyNotTaken);
    if (reason !== undefined) skipped.push({ ...place, reason });
    else
      tests.push({
        ...place,
        name: testName(name, path),
        slug: unique(slugOf(path), slugs),
        steps: stepsOf(path, (id) => byId.get(id)?.at(-1)),
      });
  }
  return { tests, skipped };
}

const placeOf = (path: TreePath) => ({ stepId: path.at(-1)?.stepId ?? '', path: pathText(path) });

/** Returns true if a step of this path may not exist. A test of it is generated only for a user who names it. */
export const isUnsure = (path: TreePath): boolean => path.some(({ unsure }) => unsure === true);
const unsureWhy =
  'This machine was busy when it mapped this path, so the step may be different or may not exist. Name the step to generate its test, or map again.';

type WhyNotTaken = (option: CalltreeNode) => string | undefined;
const firstOf = (options: TreePath, whyNotTaken: WhyNotTaken): string | undefined =>
  options.map(whyNotTaken).find((reason) => reason !== undefined);

export function whyNoTest(path: TreePath): string | undefined {
  if (path.length > limits.steps.max)
    return `The path is longer than the ${String(limits.steps.max)} steps that a test can have.`;
  const unknown = path.find(({ status }) => status !== undefined && status !== 'explored' && status !== 'linked');
  if (unknown) {
    const why = {
      failed: 'It could not be explored',
      skipped: 'It was left out',
      pending: 'It was not explored',
      exploring: 'It is still being explored',
    }[unknown.status as 'failed'];
    return `${why}${unknown.reason === undefined ? '.' : `: ${unknown.reason}`}`;
  }
  const unpressable = path.slice(1).find(({ digit }) => digit !== undefined && !keysOfTests.test(digit));
  if (unpressable)
    return `“${unpressable.digit ?? ''}” isn't a key (0-9, * or #). Correct the key in the tree, or write this test by hand.`;
  if (path.some(({ byWaiting }) => byWaiting === true))
    return 'On this path, a menu continues without a key. Each step of a test presses or says something, so write this test by hand.';
  const without = path.slice(1).find((node) => node.digit === undefined && phraseOf(node) === '');
  return without ? `The tree has neither a key nor a phrase that leads to “${without.label ?? ''}”.` : undefined;
}

/** As many as a step can press. */
const keysOfTests = /^[0-9*#,]{1,64}$/;

/** Braces would mean a value of a row, and they have no sound. */
const withoutColumns = (text: string): string =>
  text
    .replaceAll(/[{}]/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ (?=[.,;:!?])/g, '')
    .trim();
const phraseOf = ({ spokenResponse = '' }: CalltreeNode): string => withoutColumns(spokenResponse).slice(0, 500).trim();

function stepsOf(path: TreePath, find: (stepId: string) => CalltreeNode | undefined): TestStep[] {
  return path.map((node, index): TestStep => {
    const next = path[index + 1];
    const heard = expectedOf(node, find, next && { goesOnBy: next.label ?? next.spokenResponse });
    const expected = heard?.includes('{') === true ? withoutColumns(heard) : heard;
    return {
      name: index === 0 ? 'Greeting' : titleOf(node),
      passThreshold: defaultPassThreshold,
      action:
        index === 0
          ? { type: 'dial' }
          : node.digit === undefined
            ? { type: 'say', text: phraseOf(node) }
            : { type: 'press', keys: node.digit },
      ...(expected !== undefined &&
        expected !== '' && { expectedTranscript: expected.slice(0, limits.missionText.max) }),
      ...(next === undefined && node.end !== undefined && node.end !== 'input' && { expectedEnd: node.end }),
    };
  });
}

function expectedOf(
  node: CalltreeNode,
  find: (stepId: string) => CalltreeNode | undefined,
  options: ExcerptOptions | undefined,
): string | undefined {
  const own = promptExcerpt(node.transcript ?? '', options);
  const target = node.linksTo === undefined ? undefined : find(node.linksTo);
  if (!target) return own;
  // Words before the known menu belong to the step itself.
  const there = promptExcerpt(target.transcript ?? '', { end: true });
  if (own === undefined || there === undefined) return own ?? there;
  return similarity(there, node.transcript ?? '').score >= 0.8 ? own : `${own} * ${there}`;
}

const titleOf = (node: CalltreeNode): string => {
  const label = (node.label ?? '').trim();
  const way = node.digit === undefined ? `Say “${node.spokenResponse ?? ''}”` : `Key ${node.digit}`;
  return (node.digit === undefined || label === '' ? way : `${way}: ${label}`).slice(0, limits.name.max);
};

function testName(name: string, path: TreePath): string {
  const way = wayText(path);
  const whole = `${name}: ${way === '' ? 'greeting' : way}`;
  return whole.length <= limits.name.max
    ? whole
    : `${name.slice(0, 80)}: ${pathText(path)}`.slice(0, limits.name.max).trim();
}

/** The keys, and the label of the last one. */
function slugOf(path: TreePath): string {
  const spelled: Readonly<Record<string, string>> = { '*': 'star', '#': 'pound' };
  const keys = path
    .slice(1)
    .map((node) => (node.digit === undefined ? wayOf(node) : (spelled[node.digit] ?? node.digit)));
  const last = path.at(-1);
  const text =
    path.length === 1 ? 'greeting' : [...keys, ...(last?.digit === undefined ? [] : [last.label ?? ''])].join(' ');
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/-$/, '') || 'path'
  );
}

function unique(slug: string, taken: Set<string>): string {
  let name = slug;
  for (let number = 2; taken.has(name); number += 1) name = `${slug}-${String(number)}`;
  taken.add(name);
  return name;
}
