import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { parsedJson } from '../../base/parsedJson.ts';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { describeIssues, HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { upwards } from '../../model/tree/upwards.ts';
import { latestMigration } from '../store/migrations.ts';
import { formerTables, fromFormerTable, rowSchemas, type CarriedRow, type Row } from './rows.ts';
import { carriedTables, leftColumns, leftTables, type CarriedTable } from './tables.ts';

/*
 * A workspace file is gzip of JSON lines: the header, rows in the order of `carriedTables`, the audio after each row of
 * `recordings`, and a last line with counts, which shows that the file is complete.
 */
const headerSchema = z.object({
  dialtree: z.literal('workspace'),
  version: z.int().min(1),
  schema: z.string(),
  workspaceId: z.uuid(),
  exportedAt: z.iso.datetime({ offset: true }),
});
export type FileHeader = z.output<typeof headerSchema>;
/** Files of version 1 also have rows that stay behind (`leftTables`). */
export const fileVersion = 2;

/** Without a table if the row stays behind. */
const rowLine = z.strictObject({
  table: z.enum([...carriedTables, ...formerTables]).or(z.enum(Object.keys(leftTables)).transform(() => undefined)),
  row: z.unknown(),
});
const recordingLine = z.strictObject({
  recording: z.strictObject({ runId: z.uuid(), stepId: z.string() }),
  wav: z.base64(),
});
const endLine = z.strictObject({ end: z.strictObject({ rows: z.int(), recordings: z.int() }) });
const lineSchema = z.union([rowLine, recordingLine, endLine]);

/** A recording arrives with its row. */
export type FileEntry =
  | Exclude<CarriedRow, { table: 'recordings' }>
  | { readonly table: 'recordings'; readonly row: Row<'recordings'>; readonly wav: Buffer };

export interface WorkspaceFile {
  readonly header: FileHeader;
  readonly entries: AsyncGenerator<FileEntry>;
}

const refused = (message: string, cause?: unknown): HumanError =>
  new HumanError(message, { status: 400, ...(cause !== undefined && { cause }) });
const notOne = (path: string, cause?: unknown): HumanError =>
  refused(`${path} isn't a file that dialtree export wrote. Choose another file.`, cause);
const cutOff = (path: string): HumanError =>
  refused(`${path} is incomplete: its end is missing. Export the workspace again, or copy the file again.`);

/**
 * Opens a file of `dialtree export`. Any problem with it is a HumanError 400, at the latest when its entries are read
 * to the end. Nothing of it counts before that.
 */
export async function openWorkspaceFile(path: string, signal?: AbortSignal): Promise<WorkspaceFile> {
  const lines = readLines(path, signal);
  const first = await lines.next();
  const header = first.done === true ? undefined : headerSchema.safeParse(parsedJson(first.value));
  if (!header?.success) {
    await lines.return();
    throw notOne(path);
  }
  const { version, schema } = header.data;
  if (version > fileVersion || schema > latestMigration) {
    await lines.return();
    throw refused(
      `${path} is from a newer version of Dialtree (file version ${String(version)}, schema ${schema}). Update Dialtree first.`,
    );
  }
  return { header: header.data, entries: readEntries(path, header.data, lines) };
}

/** Reads what follows the header, line by line. */
async function* readEntries(
  path: string,
  header: FileHeader,
  lines: AsyncGenerator<string>,
): AsyncGenerator<FileEntry> {
  const owned = new Ownership(header);
  /** The number of the last line; the header is the first. */
  let at = 1;
  const wrong = (what: string): HumanError => refused(`${path}, line ${String(at)}: ${what}`);
  const done = { rows: 0, recordings: 0 };
  let ended = false;
  /** The row whose recording follows. */
  let awaited: Row<'recordings'> | undefined;
  for await (const text of lines) {
    at += 1;
    if (ended) throw wrong('there is more content after the end of the workspace.');
    const { data: line } = lineSchema.safeParse(parsedJson(text));
    if (!line) throw wrong("this isn't a line of a workspace file.");
    if ('recording' in line !== (awaited !== undefined)) throw wrong("a recording doesn't follow its row.");
    if ('end' in line) {
      const { rows, recordings } = line.end;
      if (!owned.hasWorkspace || rows !== done.rows || recordings !== done.recordings)
        throw wrong('rows or recordings are missing.');
      const broken = owned.refuseTrees();
      if (broken !== undefined) throw wrong(broken);
      ended = true;
    } else if ('row' in line) {
      done.rows += 1;
      const entry = line.table && readRow(line.table, line.row, wrong);
      if (!entry) continue;
      const stranger = owned.refuse(entry);
      if (stranger !== undefined) throw wrong(stranger);
      if (entry.table === 'recordings') awaited = entry.row;
      else yield entry;
    } else {
      const { recording, wav } = line;
      if (!awaited || recording.runId !== awaited.run_id || recording.stepId !== awaited.step_id)
        throw wrong('this recording belongs to another step.');
      done.recordings += 1;
      yield { table: 'recordings', row: awaited, wav: Buffer.from(wav, 'base64') };
      awaited = undefined;
    }
  }
  if (!ended) throw cutOff(path);
}

type NamedTable = NonNullable<z.output<typeof rowLine>['table']>;

function readRow(name: NamedTable, given: unknown, wrong: (what: string) => HumanError): CarriedRow {
  const isFormer = name === 'mission_configs' || name === 'test_configs';
  const table = isFormer ? 'tests' : name;
  const columns = isFormer ? fromFormerTable(name, given) : given;
  const left = leftColumns[table] ?? [];
  const row = rowSchemas[table].safeParse(
    isRecord(columns)
      ? Object.fromEntries(Object.entries(columns).filter(([column]) => !left.includes(column)))
      : columns,
  );
  if (!row.success) throw wrong(`the row of ${name} isn't valid: ${describeIssues(row.error)}`);
  // The table names the schema of the row; the compiler can't pair them.
  return { table, row: row.data } as CarriedRow;
}

/** What rows may reference: the workspace of the file, and earlier jobs and runs. */
class Ownership {
  readonly #workspaceId: string;
  readonly #jobs = new Set<string>();
  readonly #runs = new Set<string>();
  /** The steps of each run, with their parents. They can be in any order. */
  readonly #trees = new Map<string, Map<string, string | null>>();
  #place = -1;

  constructor({ workspaceId }: FileHeader) {
    this.#workspaceId = workspaceId;
  }

  get hasWorkspace(): boolean {
    return this.#place >= 0;
  }

  /** Returns what is wrong with the row's position or its references. */
  refuse(entry: CarriedRow): string | undefined {
    if (!this.#keepsOrder(entry.table)) return `${entry.table} is out of order.`;
    switch (entry.table) {
      case 'workspaces':
        return entry.row.id === this.#workspaceId ? undefined : "this isn't the workspace that the file contains.";
      case 'mapping_runs':
        this.#runs.add(entry.row.id);
        return this.#jobs.has(entry.row.job_id) ? undefined : "the job of this run isn't in the file.";
      case 'mapping_steps': {
        const { run_id: run, step_id: step, parent_id: parent } = entry.row;
        const tree = this.#trees.get(run) ?? new Map<string, string | null>();
        this.#trees.set(run, tree.set(step, parent));
        if (tree.size > limits.tree.steps) return `a run has more than ${String(limits.tree.steps)} steps.`;
        return this.#runs.has(run) ? undefined : "the run of this step isn't in the file.";
      }
      case 'recordings':
        return this.#runs.has(entry.row.run_id) ? undefined : "the run of this step isn't in the file.";
      default:
        if (entry.row.workspace_id !== this.#workspaceId)
          return "this row doesn't belong to the workspace that the file contains.";
        if (entry.table === 'mapping_jobs') this.#jobs.add(entry.row.id);
        return undefined;
    }
  }

  /** Returns what is wrong with the trees. */
  refuseTrees(): string | undefined {
    for (const parents of this.#trees.values())
      for (const step of parents.keys()) {
        const path = [...upwards<string | null | undefined>(step, (id) => parents.get(id ?? ''))];
        if (parents.get(path.at(-1) ?? '') !== null)
          return `the step ${step} isn't below the first menu of its run, or more than ${String(limits.tree.depth)} levels below it.`;
      }
    return undefined;
  }

  /** The workspace comes first, and once. Rows of the other tables follow in order. */
  #keepsOrder(table: CarriedTable): boolean {
    const [place, last] = [carriedTables.indexOf(table), this.#place];
    if (place < last || (place > 0 && last === -1) || (place === 0 && last === 0)) return false;
    this.#place = place;
    return true;
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
      if (bytes > maxLineBytes) throw notOne(path);
    }
  } catch (error) {
    throw explain(error, path);
  } finally {
    packed.destroy();
    unpacked.destroy();
  }
  if (bytes > 0) throw cutOff(path);
}

function explain(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'Z_BUF_ERROR') return cutOff(path);
  if (error.code === 'Z_DATA_ERROR')
    return error.message === 'incorrect header check'
      ? notOne(path, error)
      : refused(`${path} is damaged. Export the workspace again, or copy the file again.`, error);
  if (error.code === 'ENOENT') return refused(`The file ${path} doesn't exist. Check the path.`, error);
  return ['EACCES', 'EISDIR', 'EPERM'].includes(String(error.code))
    ? refused(`Couldn't read ${path}. Check that it's a file and that you have permission to read it.`, error)
    : error;
}
