import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../../src/editor/basics/commandTable.ts';

interface Manifest {
  readonly extensionKind: readonly string[];
  readonly browser?: string;
  readonly capabilities: { readonly virtualWorkspaces: { readonly supported: unknown; readonly description?: string } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly icon?: string }[];
    readonly keybindings: readonly {
      readonly command: string;
      readonly key: string;
      readonly mac?: string;
      readonly when?: string;
      readonly args?: unknown;
    }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly when?: string; readonly group?: string }[]>
    >;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<
        Record<
          string,
          {
            readonly order: number;
            readonly enum?: readonly string[];
            readonly enumDescriptions?: readonly string[];
            readonly markdownEnumDescriptions?: readonly string[];
          }
        >
      >;
    }[];
  };
}

describe('conventions of the manifest', () => {
  let manifest: Manifest;
  before(async () => {
    manifest = JSON.parse(
      await readFile(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
    ) as Manifest;
  });

  it('order the settings, each group and each setting', () => {
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

  it('explain each choice of a setting', () => {
    for (const [
      name,
      { enum: choices, enumDescriptions, markdownEnumDescriptions },
    ] of manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties))) {
      if (choices) assert.equal((enumDescriptions ?? markdownEnumDescriptions)?.length, choices.length, name);
    }
  });

  it("name every button: an icon has a title too, and a button in a view's bar has an icon", () => {
    const { commands, menus } = manifest.contributes;
    const icons = new Map(commands.map(({ command, icon }) => [command, icon]));
    for (const { command, title } of commands) assert.notEqual(title, '', command);
    for (const { command, group } of [...(menus['view/title'] ?? []), ...(menus['view/item/context'] ?? [])]) {
      if (group?.startsWith('navigation') === true || group?.startsWith('inline') === true)
        assert.match(icons.get(command) ?? '', /^\$\([\w-]+\)$/, command);
    }
  });

  it("bind keys only while one of the extension's views has the focus", () => {
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

  it("run the extension where the files are, and explain its limits if they aren't on a disk", () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.equal(manifest.browser, undefined);
    const { supported, description } = manifest.capabilities.virtualWorkspaces;
    assert.equal(supported, 'limited');
    assert.match(description ?? '', /^%.+%$/);
  });
});
