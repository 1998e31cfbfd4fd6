import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { Line, Lines } from '../../contract/lines.ts';
import { passwordVariable } from '../../model/calls/linePlan.ts';
import type { Basics } from '../basics/createBasics.ts';
import { Emitter } from '../basics/emitter.ts';
import { PracticeNotes, type PracticeIvr } from './practiceNotes.ts';
import { whenReady } from './readyLine.ts';
import type { NodeChild, SpawnNode } from './spawnNode.ts';

const readySchema = z.object({
  event: z.literal('ready'),
  host: z.string(),
  port: z.int(),
  targets: z
    .array(
      z.object({
        name: z.string(),
        number: z.string().optional(),
        uri: z.string(),
        addresses: z.array(z.string()).default([]),
        file: z.string(),
      }),
    )
    .min(1),
});

/** A practice IVR must not receive keys from the editor's environment. */
const keyless = { DIALTREE_MODEL_KEY: '', DIALTREE_API_KEY: '' };

interface Running {
  readonly ivr: PracticeIvr;
  readonly child: NodeChild;
  readonly exited: Promise<unknown>;
  readonly holders: Set<object>;
  /** The line whose calls it answers, as JSON. */
  readonly settings?: string | undefined;
}

/** A line that registers and takes calls. */
export interface AnsweredLine {
  readonly name: string;
  readonly line: Line;
  readonly password: string;
}

/** The holder of an IVR that runs until it is stopped. */
const user = {};

interface PracticeOptions extends Pick<Basics, 'l10n' | 'log'> {
  readonly spawn: SpawnNode;
  /** `dist/cli.js`. */
  readonly script: string;
  /** The folder that the windows of this editor share. */
  readonly shared: string;
  /** Returns the sample that this file is, or of which it is an unchanged copy. */
  readonly sampleOf: (file: string) => string | undefined;
  /** In Restricted Mode, only the samples may be run. */
  readonly isTrusted: () => boolean;
}

interface LaunchedFor {
  /** The path that the user gave. */
  readonly asked: string;
  readonly answered?: AnsweredLine;
  /** Ends a process that the user no longer waits for. */
  readonly signal?: AbortSignal;
}

/** Isn't the path of a file. */
const lineKey = (name: string): string => `line:${name}`;
const settingsOf = (name: string, line: Line): string => JSON.stringify({ [name]: line });

/** The practice IVRs of this window, each a child process that ends with the window, and those of other windows. */
export class PracticeIvrs {
  readonly #options: PracticeOptions;
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.listen;
  readonly #starting = new Map<string, Promise<Running>>();
  /** By file, or by the line whose calls it answers. */
  readonly #running = new Map<string, Running>();
  readonly #children = new Set<NodeChild>();
  readonly #notes: PracticeNotes;
  /** What other windows run, as last read. The disk is read only on request, because views and pages ask often. */
  #elsewhere: readonly PracticeIvr[] | undefined;

  constructor(options: PracticeOptions) {
    this.#options = options;
    this.#notes = new PracticeNotes(options.shared);
  }

  /** Those of this window, then those that the user started in other windows. */
  get running(): readonly PracticeIvr[] {
    const own = [...this.#running.values()].flatMap(({ ivr, settings }) => (settings === undefined ? ivr : []));
    this.#elsewhere ??= this.#notes.read();
    return [...own, ...this.#elsewhere.filter(({ file }) => !this.#running.has(file))];
  }

  /** Other windows may have started or stopped some. */
  lookElsewhere(): void {
    this.#elsewhere = undefined;
    this.#changed.fire(undefined);
  }

  /** Returns the running IVR that plays this file. */
  find(file: string): PracticeIvr | undefined {
    const played = this.#played(file);
    return this.running.find((ivr) => ivr.file === played);
  }

  /**
   * Starts the IVR of a `*.ivr.json`, unless it is already running. `holder` is what needs it until `letGo`: by default,
   * the user, until they stop it. Rejects with HumanError `start_failed`, with the problems in the file, or `untrusted`.
   */
  async start(file: string, holder: object = user): Promise<PracticeIvr> {
    this.#assertAllowed(file);
    const played = this.#played(file);
    let starting = this.#running.get(played) ?? this.#starting.get(played);
    if (!starting) {
      this.#elsewhere = this.#notes.read();
      const other = this.#elsewhere.find((note) => note.file === played);
      if (other) return other;
      starting = this.#launch(played, played, { asked: file }).finally(() => {
        this.#starting.delete(played);
      });
      this.#starting.set(played, starting);
    }
    const { ivr, child, holders } = await starting;
    holders.add(holder);
    // Those that only tests need end too soon for other windows.
    if (holder === user && child.pid !== undefined && this.#running.has(played)) this.#notes.write(child.pid, ivr);
    return ivr;
  }

  /** Stops the IVRs that only this holder needs. */
  letGo(holder: object): void {
    for (const { ivr, holders } of [...this.#running.values()])
      if (holders.delete(holder) && holders.size === 0) void this.stop(ivr.file);
  }

  /** Resolves when the process has ended. Does nothing if the IVR isn't running in this window. */
  stop(file: string): Promise<void> {
    return this.#end(this.#played(file));
  }

  /** Returns the IVR that answers the calls of this line. */
  onLine(name: string): PracticeIvr | undefined {
    return this.#running.get(lineKey(name))?.ivr;
  }

  /**
   * Registers a line, and answers its calls with the IVR of a file, until `endOnLine`, or until the line changes.
   * Rejects as `start`, also if the line can't be registered.
   */
  async answerOn(answered: AnsweredLine, file: string, signal: AbortSignal): Promise<PracticeIvr> {
    this.#assertAllowed(file);
    await this.endOnLine(answered.name);
    const how = { asked: file, answered, signal };
    return (await this.#launch(lineKey(answered.name), this.#played(file), how)).ivr;
  }

  /** Resolves when the line is no longer registered by a practice IVR. */
  endOnLine(name: string): Promise<void> {
    return this.#end(lineKey(name));
  }

  /** Ends those on lines that have been removed or changed. */
  keepOnLines(lines: Lines): void {
    const kept = new Map(Object.entries(lines).map(([name, line]) => [lineKey(name), settingsOf(name, line)]));
    for (const [key, { settings }] of this.#running)
      if (settings !== undefined && settings !== kept.get(key)) void this.#end(key);
  }

  dispose(): void {
    for (const child of this.#children) {
      this.#notes.remove(child.pid ?? 0);
      child.kill('SIGTERM');
    }
    this.#changed.dispose();
  }

  async #launch(key: string, file: string, { asked, answered, signal }: LaunchedFor): Promise<Running> {
    const { spawn, log, script, sampleOf, l10n } = this.#options;
    const settings = answered && settingsOf(answered.name, answered.line);
    const onLine = answered && settings !== undefined ? ['--line', answered.name, '--lines', settings] : [];
    const child = spawn(script, ['practice', file, '--port', '0', '--json', ...onLine], {
      survives: false,
      environment: {
        ...keyless,
        ...(answered && { DIALTREE_LINE_PASSWORDS: '', [passwordVariable(answered.name)]: answered.password }),
      },
    });
    this.#children.add(child);
    signal?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('exit', () => {
      this.#children.delete(child);
    });
    const { line, exited } = await whenReady(child, readySchema, {
      name: 'practice IVR',
      failure: l10n.t("The practice IVR didn't start."),
      log,
    });
    const target = line.targets[0];
    if (!target)
      throw new HumanError(l10n.t("{0} doesn't contain a practice IVR. Choose another file.", basename(file)), {
        code: 'start_failed',
      });
    const { name, number, uri, addresses } = target;
    const ivr: PracticeIvr = {
      file,
      name,
      number,
      uri,
      addresses,
      ...(sampleOf(asked) !== undefined && { isSample: true }),
    };
    const running = { ivr, child, exited, holders: new Set<object>(), settings };
    this.#running.set(key, running);
    void exited.then(() => this.#drop(key, running));
    this.#changed.fire(undefined);
    return running;
  }

  async #end(key: string): Promise<void> {
    const running = this.#running.get(key);
    if (!running) return;
    this.#drop(key, running);
    running.child.kill('SIGTERM');
    await running.exited;
  }

  #assertAllowed(file: string): void {
    const { isTrusted, sampleOf, l10n } = this.#options;
    if (isTrusted() || sampleOf(file) !== undefined) return;
    throw new HumanError(
      l10n.t(
        'In Restricted Mode, you can start only the sample practice IVRs. Trust the workspace to start the practice IVRs that it contains.',
      ),
      { status: 403, code: 'untrusted' },
    );
  }

  #drop(key: string, { child }: Running): void {
    if (this.#running.get(key)?.child !== child) return;
    this.#notes.remove(child.pid ?? 0);
    // It may have been read among the others.
    this.#elsewhere = undefined;
    this.#running.delete(key);
    this.#changed.fire(undefined);
  }

  /** Different paths can lead to one file. */
  #played(file: string): string {
    const played = this.#options.sampleOf(file) ?? file;
    try {
      return realpathSync.native(played);
    } catch {
      return played;
    }
  }
}
