import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../contract/errors.ts';
import { planAgentFiles, type AgentClient, type FileChange } from '../model/agents/agentFiles.ts';

/** A folder in which agents are set up, and the files of `media` that are written there. */
export class AgentFolder {
  readonly #folder: string;
  readonly #mediaDir: string;

  constructor(folder: string, mediaDir: string) {
    this.#folder = folder;
    this.#mediaDir = mediaDir;
  }

  /** @throws HumanError if a configuration can't be read */
  plan(clients: readonly AgentClient[], undo: boolean): ReturnType<typeof planAgentFiles> {
    return planAgentFiles({
      clients,
      undo,
      read: (file) =>
        readFile(this.#at(file), 'utf8').catch((cause: NodeJS.ErrnoException) => {
          if (cause.code === 'ENOENT') return undefined;
          throw failure(`Couldn't read ${file} (${cause.code ?? cause.message}).`, cause);
        }),
      shipped: (file) => readFile(path.join(this.#mediaDir, file), 'utf8'),
    });
  }

  /** Makes all changes, or none. @throws HumanError if one can't be made */
  async apply(changes: readonly FileChange[]): Promise<void> {
    for (const [at, { path: file, after }] of changes.entries())
      await this.#write(file, after).catch(async (cause: NodeJS.ErrnoException) => {
        for (const { path: done, before } of changes.slice(0, at + 1))
          await this.#write(done, before).catch(() => undefined);
        throw failure(`Couldn't write ${file} (${cause.code ?? cause.message}).`, cause);
      });
  }

  async #write(file: string, text: string | undefined): Promise<void> {
    const place = this.#at(file);
    if (text !== undefined) {
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, text);
      return;
    }
    await rm(place, { force: true });
    // Stops at the first folder that contains something.
    for (let parent = path.posix.dirname(file); parent !== '.'; parent = path.posix.dirname(parent))
      if (
        !(await rmdir(this.#at(parent)).then(
          () => true,
          () => false,
        ))
      )
        return;
  }

  readonly #at = (file: string): string => path.join(this.#folder, file);
}

const failure = (what: string, cause: unknown): HumanError =>
  new HumanError(`${what} Check the permissions of the folder, then try again. Nothing was changed.`, {
    status: 400,
    code: 'agent_files',
    cause,
  });
