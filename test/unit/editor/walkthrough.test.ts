import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { allCommands } from '../../../src/editor/commands/allCommands.ts';
import type { ContextKeys } from '../../../src/editor/commands/contextKeys.ts';
import { walkthroughId } from '../../../src/editor/commands/firstStepCommands.ts';
import { Samples } from '../../../src/editor/host/samples.ts';

const commandIds = allCommands.map(({ id }) => id);

const root = path.resolve(import.meta.dirname, '../../..');
const maxBytes = 120_000;

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly image: Readonly<Record<string, string>>; readonly altText: string };
  readonly completionEvents: readonly string[];
}
interface Manifest {
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly walkthroughs: readonly {
      readonly id: string;
      readonly title: string;
      readonly description: string;
      readonly steps: readonly Step[];
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
  };
}

/** The keys that the extension sets; omitting one doesn't compile. */
const ownKeys: Readonly<Record<keyof ContextKeys, true>> = {
  'dialtree.service': true,
  'dialtree.mode': true,
  'dialtree.listed': true,
  'dialtree.hasMappings': true,
  'dialtree.mappingRunning': true,
  'dialtree.hasTrees': true,
  'dialtree.mapped': true,
  'dialtree.hasEnvironments': true,
  'dialtree.hasSecrets': true,
  'dialtree.practiceRunning': true,
  'dialtree.runsListed': true,
  'dialtree.runsFiltered': true,
  'dialtree.hasRuns': true,
  'dialtree.testRunning': true,
  'dialtree.hasLines': true,
};

const readJson = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(root, name), 'utf8')) as unknown;

describe('the walkthrough', () => {
  let manifest: Manifest, steps: readonly Step[], texts: Readonly<Record<string, string>>;
  const textOf = (key: string): string => texts[key.slice(1, -1)] ?? '';
  const links = (step: Step): { readonly id: string; readonly value: unknown; readonly isButton: boolean }[] =>
    textOf(step.description)
      .split('\n')
      .flatMap((line) =>
        [...line.matchAll(/\[[^\]]+\]\(command:([\w.]+)(?:\?([^)]*))?\)/g)].map(([whole, id, query]) => ({
          id: id ?? '',
          value: query === undefined ? undefined : (JSON.parse(decodeURIComponent(query)) as unknown),
          isButton: line === whole,
        })),
      );

  before(async () => {
    manifest = (await readJson('package.json')) as Manifest;
    texts = (await readJson('package.nls.json')) as Record<string, string>;
    const [only] = manifest.contributes.walkthroughs;
    assert.ok(only);
    assert.deepEqual([manifest.contributes.walkthroughs.length, only.id], [1, walkthroughId]);
    steps = only.steps;
  });

  it('leads from a practice IVR to an agent', () => {
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['practice', 'map', 'tree', 'mission', 'line', 'agent'],
    );
    for (const { title, description, media } of steps)
      for (const key of [title, description, media.altText]) assert.notEqual(textOf(key), '', key);
  });

  it('has one button per step, with an existing command and a valid argument', () => {
    const known = new Set<string>(commandIds);
    const samples = new Samples(path.join(root, 'media/samples'));
    for (const step of steps) {
      assert.equal(links(step).filter(({ isButton }) => isButton).length, 1, step.id);
      for (const { id, value } of links(step)) {
        assert.ok(known.has(id), `${step.id}: there is no command ${id}`);
        if (value === undefined) continue;
        if (id === 'dialtree.samples.open') {
          assert.deepEqual(value, { fromWalkthrough: true });
          continue;
        }
        const { sample } = value as { readonly sample: string };
        assert.deepEqual(
          [Object.keys(value as object), samples.all.find(({ name }) => name === sample)?.name],
          [['sample'], sample],
        );
      }
    }
  });

  it('completes steps by commands, keys and panels that exist', () => {
    const commands = new Set<string>(commandIds);
    const keys = new Set([...Object.keys(ownKeys), 'activeWebviewPanelId']);
    for (const { id, completionEvents } of steps) {
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) {
        const [, kind, what = ''] = /^(\w+):(.+)$/.exec(event) ?? [];
        if (kind === 'onCommand') assert.ok(commands.has(what), event);
        else if (kind === 'onContext') {
          for (const term of what.split('&&').map((part) => part.trim())) {
            const [key = '', panel] = term.split(' == ');
            assert.ok(keys.has(key), event);
            if (panel !== undefined && key === 'activeWebviewPanelId')
              assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${panel}`), event);
          }
        } else assert.fail(`${id}: ${event}`);
      }
    }
  });

  it('shows a small picture beside each step, for dark and light themes', async () => {
    for (const {
      media: { image },
    } of steps) {
      assert.deepEqual(Object.keys(image), ['dark', 'light', 'hc', 'hcLight']);
      assert.notEqual(image['dark'], image['light']);
      for (const file of Object.values(image)) {
        const bytes = await readFile(path.join(root, file));
        assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG', file);
        assert.ok(
          (await stat(path.join(root, file))).size <= maxBytes,
          `${file} is larger than ${String(maxBytes)} bytes`,
        );
      }
    }
  });

  it('opens from the welcome of the Mappings view', () => {
    const welcome = manifest.contributes.viewsWelcome
      .filter(({ view }) => view === 'dialtree.mappings')
      .map(({ contents }) => textOf(contents))
      .join('\n');
    assert.match(welcome, /\(command:dialtree\.walkthrough\.open\)/);
  });
});
