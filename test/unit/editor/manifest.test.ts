import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stepContextSchema } from '../../../src/contract/stepContext.ts';
import { allCommands } from '../../../src/editor/commands/allCommands.ts';
import { listed } from '../../support/listed.ts';

const commandIds = allCommands.map(({ id }) => id);

const root = path.resolve(import.meta.dirname, '../../..');

interface Setting {
  readonly order: number;
  readonly markdownDescription?: string;
  readonly default?: unknown;
  readonly scope?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}
interface Support {
  readonly supported: unknown;
  readonly description?: string;
}
interface Manifest {
  readonly extensionKind: readonly string[];
  readonly browser?: string;
  readonly capabilities: { readonly untrustedWorkspaces: Support; readonly virtualWorkspaces: Support };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
      readonly icon?: string;
    }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly when?: string }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly group?: string; readonly when?: string }[]>
    >;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
  };
}

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')) as unknown;

/** Keys that the editor sets, and that have no value at rest. */
const builtIn = listed(`
  view viewItem focusedView controllerId testMessage testId resourceFilename explorerResourceIsFolder activeWebviewPanelId
  webviewSection isWorkspaceTrusted workspaceFolderCount
`);

/** The terms of a `when` clause, each with the key that it is about. */
const termsOf = (when: string): { readonly key: string; readonly negated: boolean }[] =>
  when.split(/ *(?:\|\||&&) */).map((term) => ({
    key: term.replace(/^!/, '').split(/ *(?:==|!=|=~) */)[0] ?? '',
    negated: term.startsWith('!') || term.includes(' != '),
  }));

describe('the manifest', () => {
  let manifest: Manifest, texts: Record<string, string>;
  before(async () => {
    manifest = (await readJson(path.join(root, 'package.json'))) as Manifest;
    texts = (await readJson(path.join(root, 'package.nls.json'))) as Record<string, string>;
  });

  it('declares exactly the commands of the list', () =>
    assert.deepEqual(
      manifest.contributes.commands.map(({ command, title }) => `${command} ${title}`).sort(),
      commandIds.map((id) => `${id} %${id.replace('dialtree.', 'command.')}%`).sort(),
    ));

  it('names only declared commands in menus and welcome texts', () => {
    const ids = new Set<string>(commandIds);
    const inMenus = Object.values(manifest.contributes.menus)
      .flat()
      .map(({ command }) => command);
    const inTexts = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:(dialtree\.[\w.]+)/g)].map(([, id]) => id ?? ''),
    );
    assert.ok(inTexts.length > 0);
    assert.deepEqual(
      [...inMenus, ...inTexts].filter((id) => !ids.has(id)),
      [],
    );
  });

  it('says for each command when the palette offers it', () => {
    const { commandPalette = [] } = manifest.contributes.menus;
    assert.deepEqual(commandPalette.map(({ command }) => command).sort(), [...commandIds].sort());
    assert.deepEqual(
      commandPalette.filter(({ when }) => when === undefined),
      [],
    );
  });

  it('offers up to 30 commands in the palette', () => {
    const settings = manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties).map(([name, { default: value }]) => [`config.${name}`, value] as const),
    );
    const ready = { 'dialtree.service': 'ready', 'dialtree.mode': 'embedded', 'dialtree.listed': true };
    const found = ['hasMappings', 'hasTrees', 'mapped', 'practiceRunning', 'runsListed', 'hasRuns'];
    const states: Record<string, Record<string, unknown>> = {
      'before the extension has set a key': {},
      'at rest': { ...ready, 'dialtree.runsListed': true },
      'with two mappings': { ...ready, ...Object.fromEntries(found.map((key) => [`dialtree.${key}`, true])) },
    };
    for (const [state, keys] of Object.entries(states)) {
      const values = new Map<string, unknown>([...settings, ...Object.entries(keys), ['true', true]]);
      const holds = (term: string): boolean => {
        const [, not, key = '', operator, value] = /^(!?)([\w.]+)(?: ([!=]=) (\w+))?$/.exec(term) ?? assert.fail(term);
        return operator === undefined
          ? Boolean(values.get(key)) === (not === '')
          : (values.get(key) === value) === (operator === '==');
      };
      const offered = (manifest.contributes.menus['commandPalette'] ?? []).filter(({ when = 'true' }) =>
        when.split(' || ').some((all) => all.split(' && ').every(holds)),
      );
      assert.ok(offered.length > 15 && offered.length <= 30, `${state}: ${String(offered.length)}`);
    }
  });

  it('uses only context keys that the extension, its pages or the editor set', async () => {
    const { contributes } = manifest;
    const clauses = [...JSON.stringify(contributes).matchAll(/"when":("(?:[^"\\]|\\.)*")/g)].map(
      ([, when = '""']) => JSON.parse(when) as string,
    );
    const source = await readFile(path.join(root, 'src/editor/commands/contextKeys.ts'), 'utf8');
    const known = new Set([
      'true',
      'false',
      ...builtIn,
      // A card of the tree page has these in its context.
      'webviewSection',
      ...stepContextSchema.keyof().options,
      ...[...source.matchAll(/^ {4}'(dialtree\.\w+)':/gm)].map(([, key = '']) => key),
      ...contributes.configuration.flatMap(({ properties }) => Object.keys(properties).map((name) => `config.${name}`)),
      ...Object.keys(stepContextSchema.shape),
    ]);
    assert.ok(clauses.length > 100);
    assert.deepEqual(
      clauses.flatMap((when) => termsOf(when)).filter(({ key }) => !known.has(key)),
      [],
    );
  });

  it('takes every text from package.nls.json, which holds no other', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
    for (const { title, category } of manifest.contributes.commands) {
      assert.match(title, /^%.+%$/);
      assert.equal(category, 'Dialtree');
    }
  });

  it('gives each setting a description, a default and a scope that no workspace can set', () => {
    const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    assert.ok(settings.length > 0);
    for (const [name, { markdownDescription, default: fallback, scope }] of settings) {
      assert.match(markdownDescription ?? '', /^%.+%$/, name);
      assert.notEqual(fallback, undefined, name);
      assert.ok(scope === 'machine' || scope === 'application', name);
    }
  });

  it('has a welcome text for every view', () => {
    const views = Object.values(manifest.contributes.views)
      .flat()
      .map(({ id }) => id);
    const welcomed = new Set(manifest.contributes.viewsWelcome.map(({ view }) => view));
    assert.deepEqual(
      views.filter((id) => !welcomed.has(id)),
      [],
    );
  });

  it("says what an untrusted workspace can't do", () => {
    const { supported, description } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.match(description ?? '', /^%.+%$/);
  });

  it('orders the settings, each group and each setting', () => {
    const { configuration } = manifest.contributes;
    assert.ok(configuration.length > 1);
    assert.deepEqual(
      configuration.map(({ order }) => order),
      configuration.map((_group, index) => index + 1),
    );
    for (const { title, properties } of configuration) {
      assert.match(title, /^%settings\.\w+%$/);
      const orders = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(
        orders,
        orders.map((_order, index) => index + 1),
        title,
      );
    }
  });

  it('explains each choice of a setting', () => {
    for (const [
      name,
      { enum: choices, enumDescriptions, markdownEnumDescriptions },
    ] of manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties))) {
      if (choices) assert.equal((enumDescriptions ?? markdownEnumDescriptions)?.length, choices.length, name);
    }
  });

  it("names every button: an icon has a title too, and a button in a view's bar has an icon", () => {
    const { commands, menus } = manifest.contributes;
    const icons = new Map(commands.map(({ command, icon }) => [command, icon]));
    for (const { command, title } of commands) assert.notEqual(title, '', command);
    for (const { command, group } of [...(menus['view/title'] ?? []), ...(menus['view/item/context'] ?? [])]) {
      if (group?.startsWith('navigation') === true || group?.startsWith('inline') === true)
        assert.match(icons.get(command) ?? '', /^\$\([\w-]+\)$/, command);
    }
  });

  it("binds keys only while one of the extension's views has the focus", () => {
    const { keybindings, views } = manifest.contributes;
    const ids = Object.values(views)
      .flat()
      .map(({ id }) => id);
    const known = new Set<string>(commandIds);
    assert.ok(keybindings.length > 0);
    for (const { command, key, when } of keybindings) {
      assert.ok(known.has(command), command);
      assert.ok(
        ids.some((id) => when?.startsWith(`focusedView == ${id}`) === true),
        `${key}: ${when ?? ''}`,
      );
    }
    const keys = keybindings.map(({ key, when }) => `${key} ${when ?? ''}`);
    assert.equal(new Set(keys).size, keys.length);
  });

  it("runs the extension where the files are, and explains its limits if they aren't on a disk", () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.equal(manifest.browser, undefined);
    const { supported, description } = manifest.capabilities.virtualWorkspaces;
    assert.equal(supported, 'limited');
    assert.match(description ?? '', /^%.+%$/);
  });
});
