import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { applyEdits, findNodeAtLocation, parseTree } from 'jsonc-parser';
import { removeMember } from '../../model/files/jsonMembers.ts';

/** Copies of the sample files that are the person's own, to run and to change. */
export class SampleCopies {
  readonly #samples: string;
  readonly #kept: string;

  /**
   * @param samples `media/samples` of the extension
   * @param kept the folder for the copies of whom no folder was asked
   */
  constructor(samples: string, kept: string) {
    this.#samples = samples;
    this.#kept = kept;
  }

  /** Copies all samples into a folder, made where it is missing. A file that is there already stays as it is. */
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

  /** The kept copy of the mission of a sample, `bank` for one; undefined where no sample has this name. */
  async mission(sample: string): Promise<string | undefined> {
    const file = `${sample}.mission.json`;
    if (!(await readdir(this.#samples)).includes(file)) return undefined;
    await this.copyTo(this.#kept);
    return join(this.#kept, file);
  }

  /** Whether a path is that of a kept copy. */
  isKept(path: string): boolean {
    return path.startsWith(this.#kept + sep);
  }
}

/** A copy is a test of its own, which gets its id when it first runs; schemas are found by the file's name. */
function ownText(text: string): string {
  let own = text;
  for (const member of ['$schema', 'id']) {
    const root = parseTree(own);
    const found = root && findNodeAtLocation(root, [member])?.parent;
    if (found) own = applyEdits(own, removeMember(own, found));
  }
  return own;
}
