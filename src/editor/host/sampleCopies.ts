import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { applyEdits, findNodeAtLocation, parseTree } from 'jsonc-parser';
import { removeMember } from '../../model/files/jsonMembers.ts';

export class SampleCopies {
  readonly #samples: string;
  readonly #kept: string;

  /**
   * @param samples `media/samples` of the extension
   * @param kept the folder for copies if the user didn't choose one
   */
  constructor(samples: string, kept: string) {
    this.#samples = samples;
    this.#kept = kept;
  }

  /** Copies all samples into a folder, which is created if it doesn't exist. Existing files stay unchanged. */
  async copyTo(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(this.#samples)) {
      await writeFile(join(folder, name), ownText(await readFile(join(this.#samples, name), 'utf8')), {
        flag: 'wx',
      }).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      });
    }
  }

  /** Returns the kept copy of a sample's mission, such as `bank`, or undefined if there is no sample with this name. */
  async mission(sample: string): Promise<string | undefined> {
    const file = `${sample}.mission.json`;
    if (!(await readdir(this.#samples)).includes(file)) return undefined;
    await this.copyTo(this.#kept);
    return join(this.#kept, file);
  }

  isKept(path: string): boolean {
    return path.startsWith(this.#kept + sep);
  }

  /** Returns the file of which this one is a kept copy, unless the copy has other content. */
  originalOf(path: string): string | undefined {
    if (!this.isKept(path)) return undefined;
    const original = join(this.#samples, basename(path));
    try {
      return readFileSync(path, 'utf8') === ownText(readFileSync(original, 'utf8')) ? original : undefined;
    } catch {
      return undefined;
    }
  }
}

/** A copy is a separate test, which gets its id when it first runs. Schemas are found by the file's name. */
function ownText(text: string): string {
  let own = text;
  for (const member of ['$schema', 'id']) {
    const root = parseTree(own);
    const found = root && findNodeAtLocation(root, [member])?.parent;
    if (found) own = applyEdits(own, removeMember(own, found));
  }
  return own;
}
