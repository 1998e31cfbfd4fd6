import { countOf, coverTree } from '../../model/tests/pathCoverage.ts';
import { allPaths } from '../../model/tree/treePaths.ts';
import { readTreeSource } from './treeSource.ts';
import { walksOfTests, type WorkspaceWalkParts } from './workspaceWalks.ts';
import type { OfferParts, offerTests } from './offerTests.ts';

/** Generates tests of the paths of a tree that the user picks, or without a question the test of the path to a step. */
export async function testsOfPickedPaths(value: unknown, parts: OfferParts): Promise<void> {
  const { l10n } = parts;
  const source = await readTreeSource(value, l10n.t('Generate Tests from Tree'), parts);
  if (!source) return;
  const { stepId: end } = source;
  const title = end === undefined ? l10n.t('Generate Tests from Tree') : l10n.t('Generate Test of This Path');
  const paths = allPaths(source.tree).filter((path) => end === undefined || path.at(-1)?.stepId === end);
  await offer(
    source,
    paths,
    (path) => (path.at(-1)?.children ?? []).length === 0,
    { title, ...(end === undefined && { placeHolder: l10n.t('Which paths do you want tests for?') }) },
    parts,
  );
}

/** Generates tests of the branches of a tree that no test in the workspace covers. */
export async function testsForUncovered(value: unknown, parts: OfferParts & WorkspaceWalkParts): Promise<void> {
  const { l10n, dialogs } = parts;
  const title = l10n.t('Generate Tests for Uncovered Branches');
  const source = await readTreeSource(value, title, parts);
  if (!source) return;
  const walks = await dialogs.wait(l10n.t('Reading the tests in the workspace…'), () => walksOfTests(source, parts));
  const { branches } = coverTree(source.tree, walks);
  const { covered, total } = countOf(branches);
  const open = branches.filter(({ executed }) => executed === 0).map(({ path }) => path);
  if (open.length === 0) {
    await dialogs.tell(
      l10n.t('The tests in the workspace cover every branch of {0}: {1} of {2}.', source.name, covered, total),
    );
    return;
  }
  // A test that continues from a branch covers it too.
  const onTheWay = new Set(open.flatMap((path) => path.slice(0, -1)));
  await offer(
    source,
    open,
    (path) => path.slice(-1).every((node) => !onTheWay.has(node)),
    {
      title,
      placeHolder: l10n.t(
        '{0} of {1} branches are covered. Which of the remaining branches do you want tests for?',
        covered,
        total,
      ),
    },
    parts,
  );
}

/** Loads what only this needs. */
const offer = async (...asked: Parameters<typeof offerTests>): Promise<void> =>
  (await import('./offerTests.ts')).offerTests(...asked);
