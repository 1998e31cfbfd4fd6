import { posix } from 'node:path';
import type { TestSource } from '../../../src/editor/folders/testSource.ts';
import type { TreeFiles } from '../../../src/editor/trees/treeFiles.ts';

/** A workspace `file:///project` in memory; files can be elsewhere too. */
export class FakeTreeFiles implements TreeFiles {
  readonly contents = new Map<string, string | Uint8Array>();
  /** The person's answer when asked for a folder or a file. */
  chosen: string | undefined = 'file:///project/tests';
  /** The suggested name. */
  offered: string | undefined;

  constructor(contents: Readonly<Record<string, string>> = {}) {
    for (const [uri, text] of Object.entries(contents)) this.contents.set(uri, text);
  }

  text(uri: string): string {
    return String(this.contents.get(uri));
  }
  json(uri: string): unknown {
    return JSON.parse(this.text(uri)) as unknown;
  }
  get names(): string[] {
    return [...this.contents.keys()].map((uri) => this.label(uri)).sort();
  }

  async find(...kinds: readonly string[]): Promise<string[]> {
    return [...this.contents.keys()]
      .filter((uri) => uri.startsWith('file:///project/') && kinds.some((kind) => uri.endsWith(`.${kind}.json`)))
      .sort();
  }

  uriOf(file: Parameters<TreeFiles['uriOf']>[0]): string {
    return 'file' in file ? `file://${file.file}` : `${file.scheme}://${file.authority}${file.path}`;
  }
  label(uri: string): string {
    return uri.replace('file:///project/', '');
  }
  relative(folder: string, uri: string): string {
    return posix.relative(folder, uri);
  }
  beside(folder: string, name: string): string {
    return `${folder}/${name}`;
  }
  folderOf(uri: string): string {
    return posix.dirname(uri);
  }
  async exists(uri: string): Promise<boolean> {
    return this.contents.has(uri);
  }
  async write(uri: string, content: string | Uint8Array): Promise<void> {
    this.contents.set(uri, content);
  }
  home(): string {
    return 'file:///project';
  }
  async askFolder(): Promise<string | undefined> {
    return this.chosen;
  }

  async askNewFile(_title: string, name: string, suffix: string): Promise<string | undefined> {
    this.offered = `${name}${suffix}`;
    return this.chosen;
  }

  source(uri: string): TestSource {
    const read = async (of: string): Promise<string> => {
      const content = this.contents.get(of);
      if (typeof content !== 'string') throw new Error(`There is no ${this.label(of)}.`);
      return content;
    };
    return {
      file: uri,
      path: uri,
      read: () => read(uri),
      write: (text) => this.write(uri, text),
      readBeside: async (path) => {
        const file = `${posix.dirname(uri)}/${path}`;
        return { file, text: await read(file) };
      },
    };
  }
}
