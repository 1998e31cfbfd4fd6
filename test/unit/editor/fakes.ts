import { EventEmitter } from 'node:events';
import { createFormats } from '../../../src/editor/basics/formats.ts';
import { PassThrough } from 'node:stream';
import { ManualClock } from '../../support/manualClock.ts';
import type { AudioPart } from '../../../src/client/client.ts';
import type { MappingJob, MappingRun, MappingStats } from '../../../src/contract/mapping.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../../src/contract/operations.ts';
import type { WorkspaceEvent } from '../../../src/contract/events.ts';
import type { TreeNode } from '../../../src/contract/tree.ts';
import type { JobSnapshot } from '../../../src/editor/store/snapshot.ts';
import { Emitter } from '../../../src/editor/basics/emitter.ts';
import type { CancelChange, CancelRequests } from '../../../src/editor/host/connection.ts';
import type { ServiceClient } from '../../../src/editor/host/serviceClient.ts';
import type { NodeChild, SpawnNode, SpawnOptions } from '../../../src/editor/host/spawnNode.ts';
import type { L10n } from '../../../src/editor/basics/localise.ts';
import type { Logger } from '../../../src/editor/basics/log/logger.ts';

export const english: L10n = {
  t: (message, ...values) => message.replaceAll(/\{(\d+)\}/g, (_place, index: string) => String(values[Number(index)])),
};
export const inEnglish = { l10n: english, formats: createFormats('en') };

export interface RecordingLogger extends Logger {
  readonly lines: string[];
}

export function recordingLogger(): RecordingLogger {
  const lines: string[] = [];
  const write = (message: string): number => lines.push(message);
  return { lines, debug: write, info: write, warn: write, error: write };
}

/** Time that a test moves, starting later than 1970. */
export class FakeClock extends ManualClock {
  override now(): number {
    return 1_000_000 + super.now();
  }
  /** Advances, and settles when everything that was due has been done. */
  async pass(ms: number): Promise<void> {
    this.advance(ms);
    await settle();
  }
}

/** Runs everything that waits for no timer and no external event. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

export class FakeChild extends EventEmitter implements NodeChild {
  readonly pid: number;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly signals: string[] = [];
  /** Whether SIGTERM ends it, as it should. */
  obedient = true;
  constructor(pid: number) {
    super();
    this.pid = pid;
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): boolean {
    this.signals.push(signal);
    if (this.obedient || signal === 'SIGKILL')
      this.end(signal === 'SIGTERM' ? 0 : null, signal === 'SIGKILL' ? signal : null);
    return true;
  }

  unref(): void {
    this.signals.push('unref');
  }
  say(line: unknown): void {
    this.stdout.write(`${JSON.stringify(line)}\n`);
  }

  end(code: number | null, signal: string | null = null): void {
    this.stdout.end();
    this.stderr.end();
    this.emit('exit', code, signal);
    setImmediate(() => {
      this.emit('close');
    });
  }
}

export interface FakeSpawn {
  readonly spawn: SpawnNode;
  readonly children: FakeChild[];
  readonly starts: ({ script: string; args: readonly string[] } & SpawnOptions)[];
}

export function fakeSpawn(onSpawn: (child: FakeChild) => void = () => undefined): FakeSpawn {
  const children: FakeChild[] = [];
  const starts: ({ script: string; args: readonly string[] } & SpawnOptions)[] = [];
  return {
    children,
    starts,
    spawn: (script, args, options) => {
      const child = new FakeChild(1000 + children.length);
      children.push(child);
      starts.push({ script, args, ...options });
      // Like a real process, emits nothing before its listeners exist.
      queueMicrotask(() => onSpawn(child));
      return child;
    },
  };
}

type Answers = {
  [Name in OperationName]?: (input: OperationInput<Name>) => OperationOutput<Name> | Promise<OperationOutput<Name>>;
};

/** A service whose answers a test gives; `emit` sends an event to listeners. */
/** Requests to cancel that a test begins and ends. */
export class FakeCancels implements CancelRequests {
  readonly #changed = new Emitter<CancelChange>();
  readonly #ids = new Set<string>();
  readonly onDidCancel = this.#changed.listen;

  isCancelling(id: string): boolean {
    return this.#ids.has(id);
  }
  change(id: string, state: CancelChange['state']): void {
    if (state === 'begun') this.#ids.add(id);
    else this.#ids.delete(id);
    this.#changed.fire({ id, state });
  }
}

export class FakeClient implements ServiceClient {
  readonly calls: { name: OperationName; input: unknown }[] = [];
  answers: Answers;
  /** Without a stream, events reach no listener. */
  hasEvents = true;
  readonly #listeners = new Set<(event: WorkspaceEvent) => void>();
  readonly #streams = new Set<() => void>();

  constructor(answers: Answers = {}) {
    this.answers = answers;
  }

  get streams(): number {
    return this.#streams.size;
  }
  count(name: OperationName): number {
    return this.calls.filter((call) => call.name === name).length;
  }
  emit(event: WorkspaceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
  /** Sends an event, and settles when it has been handled. */
  async announce(event: WorkspaceEvent): Promise<void> {
    this.emit(event);
    await settle();
  }
  breakStreams(): void {
    for (const end of [...this.#streams]) end();
  }

  async call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>> {
    this.calls.push({ name, input });
    const answer = this.answers[name];
    if (!answer) throw new Error(`The test gives no answer to ${name}.`);
    return answer(input);
  }

  async events(
    signal: AbortSignal,
    onEvent: (event: WorkspaceEvent) => void,
    onConnected: () => void = () => undefined,
  ): Promise<void> {
    if (!this.hasEvents) throw new Error('no stream');
    onConnected();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#listeners.delete(onEvent);
        this.#streams.delete(end);
        resolve();
      };
      this.#listeners.add(onEvent);
      this.#streams.add(end);
      signal.addEventListener('abort', end);
    });
  }

  fetchAudio(url: string): Promise<Uint8Array<ArrayBuffer>> {
    return Promise.resolve(new TextEncoder().encode(url));
  }

  sound: ServiceClient['sound'] = () => {
    throw new Error('no sound here');
  };

  async fetchAudioPart(url: string, from: number, bytes: number): Promise<AudioPart> {
    const wav = await this.fetchAudio(url);
    return { wav: wav.slice(from, from + bytes), total: wav.length };
  }
}

/** A UUID that ends in `number`. */
export const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const stats = (values: Partial<MappingStats> = {}): MappingStats => ({
  callsPlaced: 3,
  callsFailed: 0,
  nodesDiscovered: 4,
  terminalNodes: 2,
  maxDepthReached: 1,
  callSeconds: 61.4,
  linkedMenus: 1,
  promptSeconds: 20,
  ...values,
});

export const run = (values: Partial<MappingRun> = {}): MappingRun => ({
  id: uuid(100 + (values.runNumber ?? 1)),
  status: 'completed',
  runNumber: 1,
  stats: stats(),
  inFlightCount: 0,
  ...values,
});

export function job(number: number, values: Partial<MappingJob> = {}): MappingJob {
  const { currentRun } = values;
  return {
    id: uuid(number),
    name: `Job ${String(number)}`,
    phoneNumber: '+12025550101',
    profileId: uuid(999),
    tags: [],
    config: {
      mappingMode: 'hybrid',
      maxDepth: 5,
      maxCalls: 60,
      maxCallSeconds: 600,
      probeMode: 'off',
      concurrency: 4,
      allowedLabels: [],
      pressUnsure: false,
    },
    createdAt: '2026-01-01T00:00:00Z',
    status: 'idle',
    ...(currentRun && { runNumber: currentRun.runNumber, stats: currentRun.stats }),
    ...values,
  };
}

/** A mapping as the store holds it, with the tree of one of its runs. */
export const mapped = (
  of: MappingJob,
  tree: TreeNode | null = bankTree,
  runs: readonly MappingRun[] = [run()],
  runNumber = runs[0]?.runNumber ?? 1,
): JobSnapshot => ({ job: of, runs, trees: new Map([[runNumber, { response: { jobId: of.id, tree }, readAt: 0 }]]) });

/** The store of mappings as commands use it: each reading returns this snapshot. */
export const fakeStore = (read: (runNumber?: number) => JobSnapshot, jobs: readonly JobSnapshot[] = []) => ({
  listed: true,
  refresh: () => Promise.resolve(),
  jobs,
  loadRuns: () => Promise.resolve(read()),
  loadTree: (_jobId: string, runNumber?: number) => Promise.resolve(read(runNumber)),
});

export const bankTree: TreeNode = {
  stepId: 's1',
  label: '',
  depth: 0,
  status: 'explored',
  transcript: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
  options: [
    { key: '1', label: 'accounts' },
    { key: '2', label: 'cards' },
  ],
  audioUrl: 'http://127.0.0.1:1/audio/s1',
  children: [
    {
      stepId: 's2',
      digit: '1',
      label: 'accounts',
      depth: 1,
      status: 'explored',
      transcript: 'Accounts. Please enter your account number.',
      end: 'input',
      inputRequired: { type: 'account_number' },
      children: [],
    },
    {
      stepId: 's3',
      digit: '2',
      label: 'cards',
      depth: 1,
      status: 'explored',
      transcript: 'One moment.',
      end: 'transfer-ringback',
      children: [],
    },
    { stepId: 's4', digit: '9', label: 'main menu', depth: 1, status: 'linked', linksTo: 's1', children: [] },
    {
      stepId: 's5',
      digit: '0',
      label: '',
      depth: 1,
      status: 'failed',
      reason: 'The call was dropped.',
      hidden: true,
      unsure: true,
      children: [],
    },
  ],
};
