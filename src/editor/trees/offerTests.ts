import { dialTargetSchema } from '../../contract/common.ts';
import { ivrFileSchema, ivrSlug } from '../../contract/ivrFile.ts';
import { callTestText, type TestTarget } from '../../model/tests/callTestText.ts';
import { isMapped } from '../../model/tests/calledParty.ts';
import { withId } from '../../model/files/fileId.ts';
import { readJsonFile } from '../../model/files/jsonFile.ts';
import { readTest } from '../folders/testSource.ts';
import { isUnsure, testsOfPaths, whyNoTest, type PathTest } from '../../model/tests/testsFromTree.ts';
import { wayText, type TreePath } from '../../model/tree/treePaths.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import { endWord } from '../basics/words/mappingWords.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { TreeFiles } from './treeFiles.ts';
import type { TreeSource, TreeSourceParts } from './treeSource.ts';

export interface TargetParts extends Pick<TreeSourceParts, 'dialogs' | 'l10n'> {
  readonly files: TreeFiles;
  /** Practice IVRs that come with the extension, as files on this machine. */
  readonly samples: readonly { readonly file: string }[];
}

export interface OfferParts extends TreeSourceParts, TargetParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly files: TreeFiles;
  readonly runTests: (uris: readonly string[]) => Promise<void>;
  readonly open: (uri: string) => Promise<unknown>;
}

/** @param asking without a `placeHolder`, all paths get tests, beside the tree or in the workspace's first folder */
export async function offerTests(
  source: TreeSource,
  paths: readonly TreePath[],
  isChosen: (path: TreePath) => boolean,
  asking: { readonly title: string; readonly placeHolder?: string },
  parts: OfferParts,
): Promise<void> {
  const { dialogs, files, l10n } = parts;
  const possible = paths.filter((path) => whyNoTest(path) === undefined);
  if (possible.length === 0) {
    const [path] = paths;
    await dialogs.tell(
      path && paths.length === 1
        ? l10n.t("Dialtree can't generate a test for this path. {0}", whyNoTest(path) ?? '')
        : l10n.t(
            "Dialtree can't generate tests for any of these paths, because the mapping skipped them or couldn't explore them.",
          ),
    );
    return;
  }
  const { title, placeHolder } = asking;
  const asks = placeHolder !== undefined;
  const chosen = asks
    ? await dialogs.pickSome(
        possible.map((path) => choiceOf(path, !isChosen(path) || (isUnsure(path) && possible.length > 1), parts)),
        { title, placeHolder },
      )
    : possible;
  if (!chosen || chosen.length === 0) return;
  const home = asks ? undefined : source.uri === undefined ? files.home() : files.folderOf(source.uri);
  const folder = home ?? (await files.askFolder(title));
  const target = folder === undefined ? undefined : await testTargetOf(source, folder, title, parts, asks);
  if (folder === undefined || target === undefined) return;
  const skipped = 'ivr' in target ? new Map<string, string>() : await skippedByService(source, chosen, parts);
  const { tests } = testsOfPaths(
    source.tree,
    source.name,
    chosen.filter((path) => !skipped.has(path.at(-1)?.stepId ?? '')),
  );
  if (skipped.size > 0)
    await dialogs.tell(
      l10n.t(
        'Paths without a test: {0}. {1}',
        chosen.length - tests.length,
        [...new Set(skipped.values())].map((reason) => reason.replace(/\.?$/, '.')).join(' '),
      ),
    );
  if (tests.length === 0) return;
  const written = await write(tests, folder, ivrSlug(source.name), target, asks ? title : undefined, parts);
  const [first] = written;
  if (first === undefined) return;
  if (written.length === 1) {
    await parts.open(first);
    return;
  }
  await dialogs.tell(l10n.t('Wrote {0} tests to {1}.', written.length, files.label(folder)), {
    title: l10n.t('Run Now'),
    run: () => parts.runTests(written),
  });
}

/**
 * Returns the steps of a run for which the service generates no test, with reasons: on a live number, a test chooses
 * only what the mapping may press.
 */
async function skippedByService(
  { run }: TreeSource,
  paths: readonly TreePath[],
  { client }: OfferParts,
): Promise<ReadonlyMap<string, string>> {
  const stepIds = paths.flatMap((path) => path.at(-1)?.stepId ?? []);
  if (!run || stepIds.length === 0) return new Map();
  const { skipped } = await client.call('generateTestsFromTree', { id: run.jobId, version: run.runNumber, stepIds });
  return new Map(skipped.map(({ stepId, reason }) => [stepId, reason]));
}

function choiceOf(path: TreePath, unpicked: boolean, { l10n }: OfferParts): Choice<TreePath> {
  const node = path.at(-1);
  const way = wayText(path);
  const end =
    node?.end === undefined ? (node?.linksTo === undefined ? undefined : l10n.t('linked')) : endWord(node.end, l10n);
  const words = (node?.transcript ?? '').replaceAll(/\s+/g, ' ').trim();
  return {
    label: way === '' ? l10n.t('Main menu') : way,
    ...((end !== undefined || isUnsure(path)) && {
      description: [end, isUnsure(path) ? l10n.t('unsure') : undefined]
        .filter((word) => word !== undefined)
        .join(' · '),
    }),
    ...(words !== '' && { detail: words }),
    ...(unpicked && { unpicked }),
    value: path,
  };
}

/**
 * Returns the target of the tests. A number can also belong to a practice IVR. Its port changes with every start, so
 * tests name its file. A sample is copied beside them, where a workspace file can name it.
 */
export async function testTargetOf(
  { phoneNumber, name }: Pick<TreeSource, 'phoneNumber' | 'name'>,
  folder: string,
  title: string,
  { files, samples, dialogs, l10n }: TargetParts,
  asks = true,
): Promise<TestTarget | undefined> {
  if (phoneNumber === undefined) {
    const typed = await dialogs.ask({
      title,
      prompt: l10n.t(
        "Which number do you want the tests for {0} to call? The tree file doesn't contain a number.",
        name,
      ),
      placeHolder: '+12025550101',
      check: (text) => dialTargetSchema.safeParse(text.trim()).error?.issues[0]?.message,
    });
    return typed === undefined ? undefined : { phoneNumber: typed.trim() };
  }
  const own = await files.find('ivr');
  for (const uri of [...own, ...samples.map((sample) => files.uriOf(sample))]) {
    const text = await files
      .source(uri)
      .read()
      .catch(() => '');
    const read = readJsonFile(text, uri, ivrFileSchema);
    if ('problems' in read || !isMapped({ ivr: read.value }, { phoneNumber })) continue;
    const ivr = own.includes(uri) ? files.relative(folder, uri) : `${ivrSlug(read.value.name)}.ivr.json`;
    if (ivr === undefined) continue;
    const isPractice =
      /^sips?:/i.test(phoneNumber) ||
      (asks &&
        (await dialogs.pick(
          [
            {
              label: l10n.t('Practice IVR {0}', read.value.name),
              description: l10n.t('answers on this machine'),
              value: true,
            },
            { label: phoneNumber, description: l10n.t('over the line that serves this number'), value: false },
          ],
          { title, placeHolder: l10n.t('What do you want the tests to call?') },
        )));
    if (isPractice === undefined) return undefined;
    if (!isPractice) break;
    const beside = files.beside(folder, ivr);
    if (!own.includes(uri) && !(await files.exists(beside))) {
      await files.write(beside, text);
      void dialogs.tell(l10n.t('Also wrote {0}, a copy of the practice IVR that this calls.', files.label(beside)));
    }
    return { ivr };
  }
  return { phoneNumber };
}

/** Returns the URIs of the written files. Nothing is replaced without asking: without a title, other names are used. */
async function write(
  tests: readonly PathTest[],
  folder: string,
  prefix: string,
  target: TestTarget,
  title: string | undefined,
  { files, dialogs, l10n }: OfferParts,
): Promise<string[]> {
  const uriOf = (name: string): string => files.beside(folder, `${name}.calltest.json`);
  const nameOf = ({ slug }: PathTest): string => `${prefix}-${slug}`;
  const there = new Set<PathTest>();
  for (const test of tests) if (await files.exists(uriOf(nameOf(test)))) there.add(test);
  const how =
    there.size === 0 || title === undefined
      ? 'numbered'
      : await dialogs.pick(
          [
            { label: l10n.t('Skip existing tests'), value: 'others' as const },
            { label: l10n.t('Use different names'), value: 'numbered' as const },
            { label: l10n.t('Replace existing tests'), value: 'replace' as const },
          ],
          {
            title,
            placeHolder:
              there.size === 1
                ? l10n.t('The folder already contains 1 of these tests.')
                : l10n.t('The folder already contains {0} of these tests.', there.size),
          },
        );
  const written: string[] = [];
  for (const test of how === undefined ? [] : tests) {
    if (there.has(test) && how === 'others') continue;
    let uri = uriOf(nameOf(test));
    let text = callTestText(test, target);
    // A file that was just written may also have taken the name.
    if (how === 'numbered')
      for (let number = 2; await files.exists(uri); number += 1) uri = uriOf(`${nameOf(test)}-${String(number)}`);
    else if (there.has(test)) {
      // The id identifies the test for the service and baselines.
      const source = files.source(uri);
      const before = await readTest(source);
      if ('kind' in before && before.test.id !== undefined) text = withId(text, before.test.id);
    }
    await files.write(uri, text);
    written.push(uri);
  }
  return written;
}
