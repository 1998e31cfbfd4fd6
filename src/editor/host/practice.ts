import { basename } from 'node:path';
import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import { Emitter } from '../basics/emitter.ts';
import type { L10n } from '../basics/localise.ts';
import type { Logger } from '../basics/log/logger.ts';
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

export interface PracticeIvr {
  /** The file that it plays, which also identifies it. */
  readonly file: string;
  readonly name: string;
  readonly number: string | undefined;
  /** Its SIP address, such as `sip:harbour-bank@127.0.0.1:40112`. */
  readonly uri: string;
}

interface PracticeOptions {
  readonly spawn: SpawnNode;
  readonly log: Logger;
  readonly l10n: L10n;
  /** `dist/cli.js`. */
  readonly script: string;
  /** Returns true if this file may be run. In Restricted Mode, only the samples may. */
  readonly mayRun: (file: string) => boolean;
}

/** The practice IVRs of this window, each a child process. They end with the window. */
export class PracticeIvrs {
  readonly #options: PracticeOptions;
  readonly #changed = new Emitter<undefined>();
  readonly onDidChange = this.#changed.listen;
  readonly #starting = new Map<string, Promise<PracticeIvr>>();
  readonly #running = new Map<
    string,
    { readonly ivr: PracticeIvr; readonly child: NodeChild; readonly exited: Promise<unknown> }
  >();
  readonly #children = new Set<NodeChild>();

  constructor(options: PracticeOptions) {
    this.#options = options;
  }

  get running(): readonly PracticeIvr[] {
    return [...this.#running.values()].map(({ ivr }) => ivr);
  }

  /**
   * Starts the IVR of a `*.ivr.json`, unless it is already running. Rejects with HumanError `start_failed`, with the
   * problems in the file, or `untrusted`.
   */
  async start(file: string): Promise<PracticeIvr> {
    const { mayRun, l10n } = this.#options;
    if (!mayRun(file)) {
      throw new HumanError(
        l10n.t(
          'In Restricted Mode, you can start only the sample practice IVRs. Trust the workspace to start the practice IVRs that it contains.',
        ),
        { status: 403, code: 'untrusted' },
      );
    }
    const running = this.#running.get(file);
    if (running) return running.ivr;
    const starting =
      this.#starting.get(file) ??
      this.#launch(file).finally(() => {
        this.#starting.delete(file);
      });
    this.#starting.set(file, starting);
    return starting;
  }

  /** Resolves when the process has ended and its port is free. Does nothing if the IVR isn't running. */
  async stop(file: string): Promise<void> {
    const running = this.#running.get(file);
    if (!running) return;
    running.child.kill('SIGTERM');
    await running.exited;
  }

  dispose(): void {
    for (const child of this.#children) child.kill('SIGTERM');
    this.#changed.dispose();
  }

  async #launch(file: string): Promise<PracticeIvr> {
    const { spawn, log, script, l10n } = this.#options;
    const child = spawn(script, ['practice', file, '--port', '0', '--json'], { survives: false, environment: keyless });
    this.#children.add(child);
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
    const ivr: PracticeIvr = { file, name: target.name, number: target.number, uri: target.uri };
    this.#running.set(file, { ivr, child, exited });
    void exited.then(() => {
      this.#running.delete(file);
      this.#changed.fire(undefined);
    });
    this.#changed.fire(undefined);
    return ivr;
  }
}
