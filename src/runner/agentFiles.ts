import { lstat, mkdir, readFile, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../base/isRecord.ts';
import { HumanError } from '../contract/errors.ts';
import { editJson, editMarkdown, editToml, type Text } from './agentTexts.ts';

interface AgentClient {
  readonly label: string;
  /** The file with the MCP configuration, and the property of its servers. Without one, it is TOML. */
  readonly config: string;
  readonly servers?: string;
  /** Paths in the folder, and the files of `media` that are written there. */
  readonly files: Readonly<Record<string, string>>;
}

export const readAgentClients = async (mediaDir: string): Promise<Readonly<Record<string, AgentClient>>> =>
  JSON.parse(await readFile(path.join(mediaDir, 'agents/clients.json'), 'utf8')) as Record<string, AgentClient>;

/** `after` is null if a person changed Dialtree's part, so that the file stays as it is. */
interface FileChange {
  readonly file: string;
  readonly before: Text;
  readonly after: Text | null;
}

/** Returns what setting up clients in a folder, or undoing that, changes. @throws HumanError if a file is unreadable */
export async function planAgentFiles(folder: string, mediaDir: string, clients: readonly AgentClient[], undo: boolean) {
  const changes: FileChange[] = [];
  for (const { config, servers, files } of clients)
    for (const [file, media] of [[config], ...Object.entries(files)] as [string, string?][]) {
      await assertInside(folder, file);
      const before = await readFile(path.join(folder, file), 'utf8').catch((cause: unknown) =>
        ['ENOENT', 'ENOTDIR'].includes(codeOf(cause)) ? undefined : Promise.reject(failure('read', file, cause)),
      );
      const own = servers === undefined ? editToml : editJson(config, servers);
      const edit = media === undefined ? own : editMarkdown(await readFile(path.join(mediaDir, media), 'utf8'));
      const after = edit(before, undo);
      if (after !== before) changes.push({ file, before, after });
    }
  return changes;
}

/** A folder can come from a stranger, whose links must not lead to other files of this machine. @throws HumanError */
async function assertInside(folder: string, file: string): Promise<void> {
  let part = file;
  while (part !== '.' && !(await lstat(path.join(folder, part)).catch(() => undefined))) part = path.dirname(part);
  const place = await realpath(path.join(folder, part)).catch(() => undefined);
  const way = place === undefined ? '..' : path.relative(await realpath(folder), place);
  if (way.startsWith('..') || path.isAbsolute(way))
    throw new HumanError(`${part} is a link that leads out of this folder, or nowhere. Remove it, then try again.`, {
      status: 400,
    });
}

/** Makes all changes, or none. @throws HumanError if one fails */
export async function writeAgentFiles(folder: string, changes: readonly FileChange[]): Promise<void> {
  for (const [at, { file, after }] of changes.entries())
    await write(folder, file, after).catch(async (cause: unknown) => {
      for (const done of changes.slice(0, at + 1)) await write(folder, done.file, done.before).catch(() => undefined);
      throw failure('write', file, cause);
    });
}

async function write(folder: string, file: string, text: Text | null): Promise<void> {
  if (text === null) return;
  const place = path.join(folder, file);
  if (text !== undefined) {
    await mkdir(path.dirname(place), { recursive: true });
    return writeFile(place, text);
  }
  await rm(place, { force: true });
  // Ends at the first folder that contains something else, which rejects.
  for (let parent = path.dirname(file); parent !== '.'; parent = path.dirname(parent))
    await rmdir(path.join(folder, parent)).catch(() => (parent = '.'));
}

const codeOf = (cause: unknown): string => String(isRecord(cause) ? cause['code'] : cause);

const failure = (doing: string, file: string, cause: unknown): HumanError =>
  new HumanError(`Couldn't ${doing} ${file} (${codeOf(cause)}), so nothing was changed. Check its permissions.`, {
    status: 400,
    cause,
  });
