// One list of runs in a separate process, like in the extension host: `hostList.ts ours|naive`, run with --expose-gc.
// Receives the service's address, and reports its figures.
import { once } from 'node:events';
import type { TestRun } from '../../src/contract/testRuns.ts';
import { systemClock } from '../../src/editor/basics/clock.ts';
import { createServiceClient } from '../../src/editor/host/serviceClient.ts';
import type { ServiceAddress, ServiceClient } from '../../src/editor/host/serviceClient.ts';
import { WorkspaceFeed } from '../../src/editor/store/workspaceFeed.ts';
import { TestNames } from '../../src/editor/testing/testNames.ts';
import { RunsElements } from '../../src/editor/views/runsElements.ts';
import { RunsList } from '../../src/editor/views/runsList.ts';
import { runRow } from '../../src/editor/views/runsRows.ts';

export interface HostListFigure {
  /** Until something is shown. */
  readonly firstMs: number;
  readonly firstRequests: number;
  /** Until the maximum number of rows is shown. */
  readonly allMs: number;
  readonly listed: number;
  /**
   * From the launch of a test until the row shows its end, including the list's requests and drawing in the meantime,
   * and this process's CPU time.
   */
  readonly changeMs: number;
  readonly changeRequests: number;
  readonly rowsDrawn: number;
  readonly changeCpuMs: number;
  /** The memory that the list has added, in total and per 1,000 rows after the first page. */
  readonly heapMegabytes: number;
  readonly heapPerThousand: number;
  /** The memory that it has added after reading back to the oldest run. */
  readonly heapAtOldest: number;
  readonly residentMegabytes: number;
}

/** The list that is measured. */
interface Subject {
  readonly open: () => Promise<void>;
  /** Reads until the maximum number of rows is listed. */
  readonly fill: () => Promise<void>;
  /** Reads back to the oldest run, and returns. */
  readonly wander: (atOldest: () => void) => Promise<void>;
  readonly listed: () => number;
  readonly run: (id: string) => TestRun | undefined;
}

const rounds = 5;
const number = '+12025550101';
let requests = 0;
let drawn = 0;

function counting(client: ServiceClient): ServiceClient {
  return {
    ...client,
    call: (name, input, options) => {
      requests += 1;
      return client.call(name, input, options);
    },
  };
}

const plain = { t: (message: string) => message };
const rowWords = { name: '', l10n: plain, moment: (iso: string) => iso };

/** Resolves at every change, each time it is awaited. */
class Changes {
  #wake: () => void = () => undefined;
  tell(): void {
    this.#wake();
  }
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** As the editor does it, with the rows that the view would draw. */
function ours(client: ServiceClient, changes: Changes): Subject {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const names = new TestNames(client);
  const feed = new WorkspaceFeed({ client, clock: systemClock, log });
  const list = new RunsList({ client, feed, names, clock: systemClock, log });
  const elements = new RunsElements({ list });
  const draw = (some: ReturnType<RunsElements['all']>): void => {
    for (const element of some) {
      const row = element.kind === 'run' ? list.row(element.runId) : undefined;
      if (row?.kind === 'run') runRow(row.run, { ...rowWords, name: names.of(row.run) });
    }
    drawn += some.length;
  };
  list.onDidChange((changed) => {
    draw(changed ? elements.of(changed) : elements.all());
    changes.tell();
  });
  return {
    open: async () => {
      list.follow(true);
      while (!list.isRead) await changes.next();
    },
    fill: async () => {
      while (list.hasMore && !list.isFull) await list.loadMore();
    },
    wander: async (atOldest) => {
      while (list.hasMore) await list.loadMore();
      atOldest();
      await list.setFilter({});
    },
    listed: () => list.rows.length,
    run: (id) => {
      const row = list.row(id);
      return row?.kind === 'run' ? row.run : undefined;
    },
  };
}

/** Reads every page, and at every event all of them again. Events in the meantime cause one more reading. */
function naive(client: ServiceClient, changes: Changes): Subject {
  let runs: TestRun[] = [];
  const read = async (): Promise<void> => {
    const all: TestRun[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.call('listTestRuns', { limit: 100, ...(cursor !== undefined && { cursor }) });
      all.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    runs = all;
    for (const run of runs) runRow(run, rowWords);
    drawn += runs.length;
    changes.tell();
  };
  let isReading = false;
  let isStale = false;
  const refresh = async (): Promise<void> => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      await read();
    }
    isReading = false;
  };
  return {
    open: async () => {
      await read();
      void client.events(new AbortController().signal, () => {
        void refresh();
      });
    },
    fill: () => Promise.resolve(),
    wander: (atOldest) => {
      atOldest();
      return Promise.resolve();
    },
    listed: () => runs.length,
    run: (id) => runs.find((run) => run.id === id),
  };
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const [address] = (await once(process, 'message')) as [ServiceAddress];
const plainClient = createServiceClient(address);
const client = counting(plainClient);
const changes = new Changes();
const configId = (
  await plainClient.call('createTestConfig', {
    name: 'Greeting',
    phoneNumber: number,
    steps: [{ name: 'Greeting', action: { type: 'dial' } }],
  })
).id;
const heapBefore = heapMegabytes();
const subject = process.argv[2] === 'naive' ? naive(client, changes) : ours(client, changes);
const openedAt = performance.now();
await subject.open();
const firstMs = performance.now() - openedAt;
const firstRequests = requests;
const [heapAtFirst, listedAtFirst] = [heapMegabytes(), subject.listed()];
const fillingAt = performance.now();
await subject.fill();
const allMs = firstMs + performance.now() - fillingAt;
const heap = heapMegabytes();
const listed = subject.listed();
const heapPerThousand =
  1000 * (listed > listedAtFirst ? (heap - heapAtFirst) / (listed - listedAtFirst) : (heap - heapBefore) / listed);
let heapAtOldest = 0;
await subject.wander(() => {
  heapAtOldest = heapMegabytes() - heapBefore;
});
await subject.fill();

requests = 0;
drawn = 0;
let cpuMs = 0;
let waitedMs = 0;
for (let round = 0; round < rounds; round += 1) {
  const cpuBefore = process.cpuUsage();
  const launchedAt = performance.now();
  const {
    items: [run],
  } = await plainClient.call('runTest', { configId });
  while (subject.run(run?.id ?? '')?.status !== 'completed') await changes.next();
  waitedMs += performance.now() - launchedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  cpuMs += (user + system) / 1000;
}
const figure: HostListFigure = {
  firstMs,
  firstRequests,
  allMs,
  listed,
  changeMs: waitedMs / rounds,
  changeRequests: requests / rounds,
  rowsDrawn: drawn / rounds,
  changeCpuMs: cpuMs / rounds,
  heapMegabytes: heap - heapBefore,
  heapPerThousand,
  heapAtOldest,
  residentMegabytes: process.memoryUsage().rss / 2 ** 20,
};
process.send?.(figure, () => {
  process.exit(0);
});
