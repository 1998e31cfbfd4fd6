import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../src/contract/ivrFile.ts';
import type { TreeNode } from '../../src/contract/tree.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { crawlTree, type Crawled } from '../support/crawlTree.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

const prompts = {
  main:
    'Thank you for calling Maple Trading. If you know the extension of the person you are calling, press 1. ' +
    'To search our directory by name, press 2. For our opening hours, press 3. To hear where we are, press 4.',
  extension: 'Please enter the extension, followed by the pound key.',
  directory:
    'Welcome to the directory. Please enter the first three letters of the last name of the person you are calling.',
  hours: 'We are open from nine to five on weekdays.',
  conference: 'Press 1 to mute or unmute yourself, press 2 to lock the conference. Press 3 to remove the last caller.',
  muted: 'You are now muted. Goodbye.',
  locked: 'The conference is now locked. Goodbye.',
  removed: 'You have been removed from this conference. Goodbye.',
};
const states = {
  main: { prompt: prompts.main, keys: { 1: 'extension', 2: 'directory', 3: 'hours', 4: 'conference' } },
  extension: { prompt: prompts.extension, collect: { max: 4, terminator: '#', next: 'hours' } },
  directory: { prompt: prompts.directory, collect: { max: 3, next: 'hours' } },
  hours: { prompt: prompts.hours, end: 'hangup' },
  conference: { prompt: prompts.conference, keys: { 1: 'muted', 2: 'locked', 3: 'removed' } },
  muted: { prompt: prompts.muted, end: 'hangup' },
  locked: { prompt: prompts.locked, end: 'hangup' },
  removed: { prompt: prompts.removed, end: 'hangup' },
};
/** Like real exchanges: the next prompt begins as soon as the key ends. */
const sourceOf = (all: object, leadMs: number, voice: string): IvrSource => ({
  ivr: ivrFileSchema.parse({ name: 'At once', start: 'main', voice, leadMs, states: all }),
  file: 'at-once.ivr.json',
  recordings: new Map(),
});
const wordsOf = (text = ''): string[] =>
  text
    .toLowerCase()
    .replaceAll('1', 'one')
    .match(/[a-z0-9]+/g) ?? [];
const nodesOf = (node: TreeNode): TreeNode[] => [node, ...(node.children ?? []).flatMap(nodesOf)];

describe('mapping an IVR that responds at once', () => {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('at-once');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  const map = async (source: IvrSource, concurrency: number): Promise<Crawled & { keys: string[] }> => {
    const keys: string[] = [];
    const crawled = await calls.to(
      source,
      ({ target, dialer, clock }) =>
        crawlTree({
          target,
          dialer,
          clock,
          signal: new AbortController().signal,
          config: { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 100, concurrency },
        }),
      {
        onEvent: (_name, { type, state, detail = '' }) => {
          if (type === 'key') keys.push(`${state} ${detail}`);
        },
      },
    );
    return { ...crawled, keys };
  };

  for (const [leadMs, voice, concurrency] of [
    [0, 'slt', 1],
    [20, 'rms', 1],
    [40, 'slt', 4],
  ] as const)
    it(`hears every step from its first word ${String(leadMs)} ms after the key, and presses no key in two menus, with up to ${String(concurrency)} calls`, async () => {
      const { tree, end, keys } = await map(sourceOf(states, leadMs, voice), concurrency);
      assert.equal(end.status, 'completed', end.reason);
      // A key that is sent again into the next prompt can mean anything there.
      assert.deepEqual(
        keys.filter((key) => !/^(?:main|conference) /.test(key)),
        [],
      );
      const root = tree.tree ?? assert.fail();
      const first = new Map(
        nodesOf(root).map(({ path = '', transcript }) => [path, wordsOf(transcript).slice(0, 3).join(' ')]),
      );
      assert.deepEqual(
        [...first].sort(),
        Object.entries({
          '': prompts.main,
          1: prompts.extension,
          2: prompts.directory,
          3: prompts.hours,
          4: prompts.conference,
          '4 > 1': prompts.muted,
          '4 > 2': prompts.locked,
          '4 > 3': prompts.removed,
        })
          .map(([path, text]) => [path, wordsOf(text).slice(0, 3).join(' ')])
          .sort(),
      );
    });

  const admin = {
    main: {
      prompt:
        'Press 1 to mute or unmute yourself. Press 2 to lock or unlock the conference. Press 3 to remove the last ' +
        'user. Press 8 to leave the menu. Press 4 or 6 to decrease or increase the volume.',
      keys: { 1: 'muted', 2: 'locked', 3: 'removed', 8: 'bye' },
      maxTries: 20,
      onInvalid: { prompt: 'Invalid choice, please try again.' },
    },
    muted: { prompt: prompts.muted, end: 'hangup' },
    locked: { prompt: prompts.locked, end: 'hangup' },
    removed: { prompt: prompts.removed, end: 'hangup' },
    bye: { prompt: 'Goodbye.', end: 'hangup' },
  };
  for (const announcement of ['Invalid choice, please try again.', 'I am sorry, that key does nothing here.'])
    it(`links a key back to the menu that repeats after “${announcement}”`, async () => {
      const main = { ...admin.main, onInvalid: { prompt: announcement } };
      const { tree, end, keys } = await map(sourceOf({ ...admin, main }, 0, 'slt'), 1);
      assert.equal(end.status, 'completed', end.reason);
      const root = tree.tree ?? assert.fail();
      const links = (root.children ?? []).filter(({ linksTo }) => linksTo !== undefined);
      assert.deepEqual((root.children ?? []).map(({ path }) => path).sort(), ['1', '2', '3', '4', '6', '8']);
      assert.deepEqual(
        links.map(({ path, linksTo }) => [path, linksTo]),
        ['4', '6'].map((key) => [key, root.stepId]),
      );
      assert.ok(keys.filter((key) => /[46]$/.test(key)).length <= 4, keys.join());
    });
});
