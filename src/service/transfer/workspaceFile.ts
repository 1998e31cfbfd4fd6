import * as z from 'zod';
import { parsedJson } from '../../base/parsedJson.ts';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { describeIssues, HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { upwards } from '../../model/tree/upwards.ts';
import { latestMigration } from '../store/migrations.ts';
import { testRowFromVersion1, isCarried, rowSchemas, type CarriedRow, type CarriedTableRow } from './rows.ts';

/*
 * A workspace file is gzip of JSON lines: the header, the row of the workspace, then the other rows in the order of
 * `rowSchemas`, with the audio after each row of `recordings`. Other tables and the end of earlier files are ignored.
 */
const headerSchema = z.object({
  dialtree: z.literal('workspace'),
  version: z.int().min(1),
  schema: z.string(),
  workspaceId: z.uuid(),
});
export type FileHeader = z.output<typeof headerSchema>;
export const fileVersion = 2;

const lineSchema = z.union([
  z.strictObject({ table: z.string(), row: z.unknown() }),
  z.strictObject({ recording: z.strictObject({ runId: z.uuid(), stepId: z.string() }), wav: z.base64() }),
  z.strictObject({ end: z.unknown() }),
]);

/** A row. Only one of `recordings` has audio, which is a WAV file. */
export type FileEntry = CarriedRow & { readonly wav?: Buffer };

const refused = (message: string, cause?: unknown): HumanError =>
  new HumanError(message, { status: 400, ...(cause !== undefined && { cause }) });
const incomplete = (path: string, cause?: unknown): HumanError =>
  refused(
    `${path} isn't a complete file of dialtree export. Choose another file, or export the workspace again.`,
    cause,
  );

/**
 * Yields the rows of a file of `dialtree export`, that of the workspace first. Any problem with the file is a HumanError
 * 400, at the latest at its end. Nothing of it counts before that.
 */
export async function* readWorkspaceFile(path: string, signal?: AbortSignal): AsyncGenerator<FileEntry> {
  let content: FileContent | undefined;
  let at = 0;
  const wrong = (what: string): HumanError => refused(`${path}, line ${String(at)}: ${what}`);
  /** The row whose audio follows. */
  let awaited: CarriedTableRow<'recordings'> | undefined;
  for await (const text of readLines(path, signal)) {
    at += 1;
    const json = parsedJson(text);
    if (!content) {
      content = new FileContent(readHeader(path, json));
      continue;
    }
    const { data: line } = lineSchema.safeParse(json);
    if (!line) throw wrong("this isn't a line of a workspace file.");
    if ('recording' in line !== (awaited !== undefined)) throw wrong("a recording doesn't follow its row.");
    if ('recording' in line) {
      if (line.recording.runId !== awaited?.run_id || line.recording.stepId !== awaited.step_id)
        throw wrong('this recording belongs to another step.');
      yield { table: 'recordings', row: awaited, wav: Buffer.from(line.wav, 'base64') };
      awaited = undefined;
    } else if ('row' in line) {
      const entry = readRow(line.table, line.row, wrong);
      if (!entry) continue;
      const stranger = content.refuse(entry);
      if (stranger !== undefined) throw wrong(stranger);
      if (entry.table === 'recordings') awaited = entry.row;
      else yield entry;
    }
  }
  if (!content?.begun || awaited) throw incomplete(path);
  const broken = content.refuseTrees();
  if (broken !== undefined) throw wrong(broken);
}

function readHeader(path: string, json: unknown): FileHeader {
  const { data: header } = headerSchema.safeParse(json);
  if (!header) throw incomplete(path);
  if (header.version > fileVersion || header.schema > latestMigration)
    throw refused(`${path} is from a newer version of Dialtree. Update Dialtree first.`);
  return header;
}

/** Returns undefined if the row isn't content. */
function readRow(name: string, given: unknown, wrong: (what: string) => HumanError): CarriedRow | undefined {
  const isFormer = name === 'test_configs' || name === 'mission_configs';
  const table = isFormer ? 'tests' : name;
  if (!isCarried(table)) return undefined;
  const row = rowSchemas[table].safeParse(isFormer ? testRowFromVersion1(name, given) : given);
  if (!row.success) throw wrong(`the row of ${name} isn't valid: ${describeIssues(row.error)}`);
  // The table names the schema of the row; the compiler can't pair them.
  return { table, row: row.data } as CarriedRow;
}

/** What rows may reference: the workspace of the file, and earlier jobs and runs. */
class FileContent {
  readonly #workspaceId: string;
  readonly #jobs = new Set<string>();
  /** The steps of each run, with their parents. They can be in any order. */
  readonly #runs = new Map<string, Map<string, string | null>>();
  begun = false;

  constructor({ workspaceId }: FileHeader) {
    this.#workspaceId = workspaceId;
  }

  /** Returns what is wrong with the row's position or its references. */
  refuse({ table, row }: CarriedRow): string | undefined {
    if ((table === 'workspaces') === this.begun) return `${table} is out of order.`;
    this.begun = true;
    if (
      (table === 'workspaces' ? row.id : 'workspace_id' in row ? row.workspace_id : this.#workspaceId) !==
      this.#workspaceId
    )
      return "this row doesn't belong to the workspace that the file contains.";
    if ('job_id' in row && !this.#jobs.has(row.job_id)) return "the job of this run isn't in the file.";
    if ('run_id' in row && !this.#runs.has(row.run_id)) return "the run of this step isn't in the file.";
    if (table === 'mapping_jobs') this.#jobs.add(row.id);
    if (table === 'mapping_runs') this.#runs.set(row.id, new Map());
    if (table !== 'mapping_steps') return undefined;
    const steps = this.#runs.get(row.run_id)?.set(row.step_id, row.parent_id);
    return (steps?.size ?? 0) > limits.tree.steps
      ? `a run has more than ${String(limits.tree.steps)} steps.`
      : undefined;
  }

  /** Returns what is wrong with the trees. */
  refuseTrees(): string | undefined {
    for (const parents of this.#runs.values())
      for (const step of parents.keys()) {
        const path = [...upwards<string | null | undefined>(step, (id) => parents.get(id ?? ''))];
        if (parents.get(path.at(-1) ?? '') !== null)
          return `the step ${step} isn't below the first menu of its run, or more than ${String(limits.tree.depth)} levels below it.`;
      }
    return undefined;
  }
}

/** Longer than an hour of audio. A line is held in memory. */
const maxLineBytes = 96 * 1024 * 1024;

async function* readLines(path: string, signal: AbortSignal | undefined): AsyncGenerator<string, void, void> {
  const packed = createReadStream(path);
  const unpacked = createGunzip();
  packed.once('error', (error) => {
    unpacked.destroy(error);
  });
  let begun: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of packed.pipe(unpacked) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      let at = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, at)) {
        begun.push(chunk.subarray(at, end));
        yield Buffer.concat(begun).toString();
        begun = [];
        bytes = 0;
        at = end + 1;
      }
      begun.push(chunk.subarray(at));
      bytes += chunk.length - at;
      if (bytes > maxLineBytes) throw incomplete(path);
    }
  } catch (error) {
    throw explain(error, path);
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
  if (bytes > 0) throw incomplete(path);
}

function explain(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_')) return incomplete(path, error);
  return ['EACCES', 'EISDIR', 'ENOENT', 'EPERM'].includes(code)
    ? refused(`Couldn't read ${path}. Check that it's a file and that you have permission to read it.`, error)
    : error;
}
