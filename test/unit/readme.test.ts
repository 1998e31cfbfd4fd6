import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const maxBytes = 150_000;

interface Setting {
  readonly default?: unknown;
}
interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Setting>> }[];
  };
}

describe('the README and the settings page', () => {
  let text: string, settingsPage: string, titles: Set<string>, settings: Readonly<Record<string, Setting>>;
  before(async () => {
    const [readme, page, texts, manifest] = await Promise.all(
      ['README.md', 'docs/settings.md', 'package.nls.json', 'package.json'].map((name) =>
        readFile(path.join(root, name), 'utf8'),
      ),
    );
    text = readme ?? '';
    settingsPage = page ?? '';
    titles = new Set(
      Object.entries(JSON.parse(texts ?? '') as Record<string, string>).flatMap(([key, title]) =>
        key.startsWith('command.') ? [title] : [],
      ),
    );
    settings = Object.assign(
      {},
      ...(JSON.parse(manifest ?? '') as Manifest).contributes.configuration.map(({ properties }) => properties),
    ) as Record<string, Setting>;
  });

  it('show on the first screen how to start and how to check everything', () => {
    const [first, second] = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => commands);
    assert.deepEqual([first, second], ['npm ci && npm start\n', 'npm ci && npm test\n']);
  });

  it('link to existing files and headings', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) =>
      link === undefined || link.startsWith('http') ? [] : [link],
    );
    assert.ok(links.length > 15);
    const headings = new Set(
      [...text.matchAll(/^#+ (.+)$/gm)].map(
        ([, heading = '']) =>
          `#${heading
            .toLowerCase()
            .replaceAll(/[^\w -]/g, '')
            .replaceAll(' ', '-')}`,
      ),
    );
    assert.deepEqual(
      links.filter((link) =>
        link.startsWith('#') ? !headings.has(link) : !existsSync(path.join(root, link.replace(/#.*/, ''))),
      ),
      [],
    );
  });

  it('have pictures that are small enough to ship', async () => {
    const pictures = [...text.matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)];
    assert.ok(pictures.length >= 4);
    for (const [, , file = ''] of pictures) assert.ok((await stat(path.join(root, file))).size <= maxBytes, file);
  });

  it("use the commands' actual names", () => {
    const named = [...`${text}${settingsPage}`.matchAll(/\*\*([^*]+…)\*\*/g)].map(([, title = '']) => title);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((title) => !titles.has(title)),
      [],
    );
  });

  it('list every setting with its default', () => {
    const shown = (value: unknown): string =>
      value === ''
        ? '–'
        : typeof value === 'number'
          ? String(value)
          : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
    const listed = [...settingsPage.matchAll(/^\| `(dialtree\.[\w.]+)` \| (.+?) \|/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    assert.deepEqual(
      listed.sort(),
      Object.entries(settings)
        .map(([name, setting]) => [name, shown(setting.default)])
        .sort(),
    );
  });
});
