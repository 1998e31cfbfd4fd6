import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, type OperationName, type OperationOutput } from '../../../src/contract/operations.ts';
import type { TestConfig } from '../../../src/contract/testConfigs.ts';
import type { OwnProbe } from '../../../src/contract/probeFile.ts';
import type { MissionTestConfig } from '../../../src/contract/missionConfigs.ts';
import type { MissionTestRun, RunResults, Verdict } from '../../../src/contract/testRuns.ts';

export type Ending = Pick<RunResults, 'outcome'> & Partial<RunResults>;
export interface FakeAnswer {
  readonly status: number;
  /** Absent in an answer without a body. */
  readonly body?: object;
}

/** The arguments that the fake reads. */
interface FakeInput {
  readonly configId?: string;
  readonly runId?: string;
  readonly wholeLaunch?: boolean;
  readonly test?: { readonly id?: string; readonly rows?: readonly unknown[]; readonly phoneNumber?: string };
  readonly rows?: readonly unknown[];
  readonly mission?: { readonly phoneNumber: string };
  readonly phoneNumber?: string;
  readonly probe?: OwnProbe;
}

const profileId = '99999999-9999-4999-8999-999999999999';
const at = '2026-01-01T00:00:00.000Z';

/** A service over HTTP that keeps scripted tests in memory and ends their runs as a test says. It places no calls. */
export class FakeService {
  readonly configs = new Map<string, TestConfig>();
  readonly missions = new Map<string, MissionTestConfig>();
  readonly runs = new Map<string, RunResults>();
  /** Names of the called operations in order, except reads and plans. */
  readonly changes: string[] = [];
  readonly reads: string[] = [];
  readonly cancelled: string[] = [];
  readonly keys = new Set<unknown>();
  /** How the nth run (from 0) of a test ends; if undefined, it runs until it is cancelled. */
  ending: (config: TestConfig, index: number, row: Readonly<Record<string, string>> | undefined) => Ending | undefined =
    () => ({ outcome: 'PASS' });
  endingOfMission: () => Ending = () => ({ outcome: 'PASS' });
  /** Returns an answer that replaces the normal one. */
  refuse: (operation: OperationName) => FakeAnswer | undefined = () => undefined;
  /** Awaited before an operation. */
  before: (operation: OperationName) => Promise<void> = () => Promise.resolve();
  /** Called when the results of a running test are read. */
  onWaiting: () => void = () => undefined;
  #server: Server | undefined;
  #count = 0;

  /** Restores the initial state. */
  reset(): void {
    for (const kept of [this.configs, this.missions, this.runs, this.keys]) kept.clear();
    this.changes.length = 0;
    this.reads.length = 0;
    this.cancelled.length = 0;
    this.#count = 0;
    this.ending = () => ({ outcome: 'PASS' });
    this.endingOfMission = () => ({ outcome: 'PASS' });
    this.refuse = () => undefined;
    this.before = () => Promise.resolve();
    this.onWaiting = () => undefined;
  }

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage): Promise<FakeAnswer> {
    this.keys.add(request.headers['x-api-key']);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const found = route(request.method ?? '', (request.url ?? '').replace(/\?.*/, ''));
    if (!found) return { status: 404, body: { message: 'no such path', requestId: 'r' } };
    const { name, path } = found;
    const text = Buffer.concat(chunks).toString('utf8');
    const input = operations[name].input.parse({
      ...(text === '' ? {} : (JSON.parse(text) as object)),
      ...path,
    }) as FakeInput;
    await this.before(name);
    const refused = this.refuse(name);
    (operations[name].rest.method === 'get' || name === 'planCalls' ? this.reads : this.changes).push(name);
    return refused ?? this.#carryOut(name, input);
  }

  #carryOut(name: OperationName, input: FakeInput): FakeAnswer {
    const id = input.configId ?? input.test?.id ?? randomUUID();
    const answer = <Name extends OperationName>(of: Name, body: OperationOutput<Name>): FakeAnswer => ({
      status: operations[of].rest.status,
      body: operations[of].output.parse(body),
    });
    const missing = { status: 404, body: { message: 'There is no such thing.', code: 'not_found', requestId: 'r' } };
    const saved = { language: 'en-US', tags: [], profileId, createdAt: at, updatedAt: at, ...input.test, id };
    switch (name) {
      case 'planCalls': {
        const calls = input.test?.rows?.length ?? 1;
        return answer(name, {
          phoneNumber: input.phoneNumber ?? input.test?.phoneNumber ?? input.mission?.phoneNumber ?? '',
          route: 'trunk.example.com',
          calls,
          secondsAtMost: 300 * calls,
          bounded: true,
          needsConsent: false,
          forbiddenKeys: [],
          riskyKeys: [],
          budget: { fits: true, left: {} },
        });
      }
      case 'runMissionTest':
        this.missions.set(id, saved as unknown as MissionTestConfig);
        return answer(name, judged(this.#launchMission(saved as unknown as MissionTestConfig)));
      case 'getMissionTestRun': {
        const run = this.runs.get(input.runId ?? '');
        return run ? answer(name, judged(run)) : missing;
      }
      case 'runTest': {
        const rows = (input.rows ?? input.test?.rows) as TestConfig['rows'];
        const config = { ...saved, type: rows ? 'param' : 'standard' } as unknown as TestConfig;
        this.configs.set(id, config);
        return answer(name, { items: (rows ?? [undefined]).map((row) => this.#launch(config, row)) });
      }
      case 'runComplianceTest': {
        const run = this.#launchProbe(input);
        return answer(name, {
          id: run.id,
          runType: run.runType,
          status: run.status,
          phoneNumber: run.phoneNumber,
          startedAt: run.startedAt,
        });
      }
      case 'getRunResults': {
        const run = this.runs.get(input.runId ?? '');
        if (run?.status === 'running') this.onWaiting();
        return run ? answer(name, run) : missing;
      }
      case 'cancelTestRun': {
        const run = this.runs.get(input.runId ?? '');
        if (!run) return missing;
        for (const one of [...this.runs.values()]) {
          if (one.id !== run.id && (one.status === 'completed' || !input.wholeLaunch)) continue;
          this.cancelled.push(one.id);
          this.runs.set(one.id, {
            ...one,
            status: 'completed',
            outcome: 'ERROR',
            reason: 'Cancelled. What was heard is kept.',
            completedAt: at,
          });
        }
        return answer(name, this.runs.get(run.id) ?? run);
      }
      default:
        return { status: 400, body: { message: `The fake service does not know ${name}.`, requestId: 'r' } };
    }
  }

  #launchProbe({ phoneNumber = '', probe }: FakeInput): RunResults {
    const run: RunResults = {
      id: randomUUID(),
      runType: 'compliance',
      status: 'completed',
      phoneNumber,
      startedAt: at,
      completedAt: at,
      steps: (probe?.checks ?? []).map(({ name }) => ({ name, outcome: 'PASS' })),
      callSeconds: 9,
      ...this.endingOfMission(),
    };
    this.runs.set(run.id, run);
    return run;
  }

  #launchMission({ id: configId, phoneNumber }: MissionTestConfig): RunResults {
    const run: RunResults = {
      id: randomUUID(),
      runType: 'mission',
      status: 'completed',
      phoneNumber,
      configId,
      startedAt: at,
      completedAt: at,
      steps: [],
      callSeconds: 9,
      ...this.endingOfMission(),
    };
    this.runs.set(run.id, run);
    return run;
  }

  #launch(config: TestConfig, row: Readonly<Record<string, string>> | undefined) {
    const started = {
      id: randomUUID(),
      runType: config.type,
      status: 'running' as const,
      phoneNumber: config.phoneNumber,
      configId: config.id,
      startedAt: at,
    };
    const ending = this.ending(config, this.#count, row);
    this.#count += 1;
    this.runs.set(started.id, {
      ...started,
      steps: config.steps.map(({ name }) => ({ name, outcome: 'PASS' })),
      ...(row && { row: { ...row } }),
      ...(ending && { status: 'completed', completedAt: at, callSeconds: 4, ...ending }),
    });
    return started;
  }
}

const judged = ({
  id,
  configId = '',
  phoneNumber,
  status,
  outcome,
  reason,
  startedAt,
  completedAt,
}: RunResults): MissionTestRun => ({
  id,
  configId,
  phoneNumber,
  status,
  transcript: [],
  startedAt,
  ...(completedAt !== undefined && { completedAt }),
  ...(outcome !== undefined && { verdict: outcome.toLowerCase() as Verdict }),
  ...(reason !== undefined && { judgeReasoning: reason }),
});

function route(
  method: string,
  url: string,
): { readonly name: OperationName; readonly path: Record<string, string> } | undefined {
  for (const name of Object.keys(operations) as OperationName[]) {
    const { rest } = operations[name];
    if (rest.method.toUpperCase() !== method) continue;
    const match = new RegExp(`^/v1${rest.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(url);
    if (match) return { name, path: { ...match.groups } };
  }
  return undefined;
}
