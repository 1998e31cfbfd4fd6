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
    .array(z.object({ name: z.string(), number: z.string().optional(), uri: z.string(), file: z.string() }))
    .min(1),
});

/** A practice IVR must not receive keys from the editor's environment. */
const keyless = { DIALTREE_MODEL_KEY: '', DIALTREE_API_KEY: '' };

interface Running {
  readonly ivr: PracticeIvr;
  readonly child: NodeChild;
  readonly exited: Promise<unknown>;
  readonly holders: Set<object>;
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

interface SpawnedFor {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends a process that the user no longer waits for. */
  readonly signal?: AbortSignal;
}

/** The practice IVRs of this window, each a child process that ends with the window, and those of other windows. */
export class PracticeIvrs {
  readonly #options: PracticeOptions;
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.listen;
  readonly #starting = new Map<string, Promise<Running>>();
  readonly #running = new Map<string, Running>();
  /** By the name of the line whose calls it answers. */
  readonly #onLines = new Map<string, Running & { readonly settings: string }>();
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
    const own = [...this.#running.values()].map(({ ivr }) => ivr);
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
      starting = this.#launch(played, file).finally(() => {
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
  async stop(file: string): Promise<void> {
    const running = this.#running.get(this.#played(file));
    if (!running) return;
    this.#drop(running);
    running.child.kill('SIGTERM');
    await running.exited;
  }

  /** Returns the IVR that answers the calls of this line. */
  onLine(name: string): PracticeIvr | undefined {
    return this.#onLines.get(name)?.ivr;
  }

  /**
   * Registers a line, and answers its calls with the IVR of a file, until `endOnLine`, or until the line changes.
   * Rejects as `start`, also if the line can't be registered.
   */
  async answerOn({ name, line, password }: AnsweredLine, file: string, signal: AbortSignal): Promise<PracticeIvr> {
    this.#assertAllowed(file);
    await this.endOnLine(name);
    const settings = JSON.stringify({ [name]: line });
    const running = await this.#spawn(this.#played(file), file, {
      args: ['--line', name, '--lines', settings],
      environment: { DIALTREE_LINE_PASSWORDS: '', [passwordVariable(name)]: password },
      signal,
    });
    this.#onLines.set(name, { ...running, settings });
    void running.exited.then(() => {
      if (this.#onLines.get(name)?.child === running.child) this.#onLines.delete(name);
      this.#changed.fire(undefined);
    });
    this.#changed.fire(undefined);
    return running.ivr;
  }

  /** Resolves when the line is no longer registered by a practice IVR. */
  async endOnLine(name: string): Promise<void> {
    const running = this.#onLines.get(name);
    running?.child.kill('SIGTERM');
    await running?.exited;
  }

  /** Ends those on lines that have been removed or changed. */
  keepOnLines(lines: Lines): void {
    for (const [name, { settings }] of this.#onLines)
      if (settings !== JSON.stringify({ [name]: lines[name] })) void this.endOnLine(name);
  }

  dispose(): void {
    for (const child of this.#children) {
      this.#notes.remove(child.pid ?? 0);
      child.kill('SIGTERM');
    }
    this.#changed.dispose();
  }

  async #launch(file: string, asked: string): Promise<Running> {
    const running = await this.#spawn(file, asked);
    this.#running.set(file, running);
    void running.exited.then(() => this.#drop(running));
    this.#changed.fire(undefined);
    return running;
  }

  /** `asked`: the path that the user gave. */
  async #spawn(file: string, asked: string, { args = [], environment, signal }: SpawnedFor = {}): Promise<Running> {
    const { spawn, log, script, sampleOf, l10n } = this.#options;
    const child = spawn(script, ['practice', file, '--port', '0', '--json', ...args], {
      survives: false,
      environment: { ...keyless, ...environment },
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
    const { name, number, uri } = target;
    const ivr: PracticeIvr = { file, name, number, uri, ...(sampleOf(asked) !== undefined && { isSample: true }) };
    return { ivr, child, exited, holders: new Set() };
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

  #drop({ ivr: { file }, child }: Running): void {
    if (this.#running.get(file)?.child !== child) return;
    this.#notes.remove(child.pid ?? 0);
    // It may have been read among the others.
    this.#elsewhere = undefined;
    this.#running.delete(file);
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
