import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../../../src/editor/basics/commandTable.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
/** Another path than the package's manifest only while that is being changed. */
const manifestFile = process.env['DIALTREE_TEST_MANIFEST'] ?? path.join(root, 'package.json');

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly configuration: readonly {
      readonly properties: Readonly<
        Record<string, { readonly markdownDescription?: string; readonly default?: unknown; readonly scope?: string }>
      >;
    }[];
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly description?: string };
  };
}

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')) as unknown;

describe('the manifest', () => {
  let manifest: Manifest, texts: Record<string, string>;
  before(async () => {
    manifest = (await readJson(manifestFile)) as Manifest;
    texts = (await readJson(path.join(root, 'package.nls.json'))) as Record<string, string>;
  });

  it('declares exactly the commands of the table', () => {
    assert.deepEqual(manifest.contributes.commands.map(({ command }) => command).sort(), [...commandIds].sort());
  });

  it('names only declared commands in menus and welcome texts', () => {
    const ids = new Set<string>(commandIds);
    const inMenus = Object.values(manifest.contributes.menus)
      .flat()
      .map(({ command }) => command);
    const inTexts = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:([\w.]+)/g)].map(([, id]) => id ?? ''),
    );
    assert.ok(inTexts.length > 0);
    assert.deepEqual(
      [...inMenus, ...inTexts].filter((id) => !ids.has(id)),
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
});
