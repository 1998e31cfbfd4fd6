import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TreeNode, TreeResponse } from '../../src/contract/tree.ts';
import { cassetteOf, promptRecording } from '../../src/model/tree/export/cassette.ts';
import { flattenTree } from '../../src/model/tree/treeBuild.ts';
import { allPaths, pathText } from '../../src/model/tree/treePaths.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { writeWav } from '../../src/speech/wav.ts';
import { crawlTree } from '../support/crawlTree.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

/** Uses a mapped tree on calls with synthesised prompts that are recognised. */
describe('a mapped tree', function () {
  let calls: VirtualCalls, folder: string, bank: IvrSource;
  let mapped: Awaited<ReturnType<typeof crawlTree>>;

  const map = (source: IvrSource): ReturnType<typeof crawlTree> =>
    calls.to(source, (call) =>
      crawlTree({
        ...call,
        signal: new AbortController().signal,
        config: { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 100, concurrency: 4 },
      }),
    );

  before(async () => {
    calls = await VirtualCalls.open('saved-tree');
    folder = await mkdtemp(path.join(tmpdir(), 'dialtree-cassette-'));
    bank = await loadIvr(path.resolve(import.meta.dirname, '../../media/samples/bank.ivr.json'));
    mapped = await map(bank);
    assert.equal(mapped.end.status, 'completed', mapped.end.reason);
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
    assert.deepEqual(await calls.close(), []);
  });

  it('yields the same tree again when its recordings are played', async () => {
    const { tree } = mapped.tree;
    assert.ok(tree);
    const steps = new Map(flattenTree(tree).map((node) => [node.stepId, node]));
    const recorded = new Map(
      mapped.events.flatMap((event) => {
        const node = event.type === 'audio' ? steps.get(event.nodeId) : undefined;
        const wav =
          event.type === 'audio' && node
            ? promptRecording(node, writeWav({ sampleRate: 8000, channels: [event.pcm] }))
            : undefined;
        return wav && node ? [[node.stepId, wav] as const] : [];
      }),
    );
    const wavs = new Map<string, Uint8Array>();
    const cassette = cassetteOf(tree, {
      name: 'Bank on tape',
      recordingOf: ({ stepId }, state) => {
        const wav = recorded.get(stepId);
        if (wav) wavs.set(`bank.prompts/${state}.wav`, wav);
        return wav && `bank.prompts/${state}.wav`;
      },
    });
    const spoken = Object.entries(cassette.states).flatMap(([name, { prompt }]) =>
      typeof prompt === 'string' && name !== 'not-explored' ? [name] : [],
    );
    assert.deepEqual(spoken, [], 'every prompt that was mapped has its recording');
    await mkdir(path.join(folder, 'bank.prompts'));
    for (const [name, wav] of wavs) await writeFile(path.join(folder, name), wav);
    const file = path.join(folder, 'bank.ivr.json');
    await writeFile(file, JSON.stringify(cassette));
    const again = await map(await loadIvr(file));
    assert.equal(again.end.status, 'completed', again.end.reason);
    assert.deepEqual(shapeOf(again.tree), shapeOf(mapped.tree));
  });
});

/**
 * Returns where each offered option leads: to a menu with its options, to a known menu, or to an end. Hidden keys are
 * left out, because a mapping tries them only as far as its calls allow.
 */
function shapeOf({ tree }: TreeResponse): string[] {
  assert.ok(tree);
  const paths = allPaths(tree);
  const nameOf = (stepId: string | undefined): string => {
    const path = paths.find((one) => one.at(-1)?.stepId === stepId);
    return path ? pathText(path) : 'nowhere';
  };
  const kindOf = ({ end, linksTo, options = [] }: TreeNode): string =>
    end ??
    (linksTo === undefined
      ? `menu ${options
          .map(({ key }) => key)
          .sort()
          .join('')}`
      : `leads to ${nameOf(linksTo)}`);
  return paths
    .filter((path) => path.every(({ hidden }) => hidden !== true))
    .map((path) => `${pathText(path)}: ${kindOf(path.at(-1) ?? {})}`)
    .sort();
}
