import { readdir } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { Counter, Histogram, Registry } from 'prom-client';
import type { Store } from '../store/store.ts';

export type StoreState = 'closed' | 'open' | 'failed';

/** The sources of a service's metrics. None may reveal anything about a workspace. */
interface MetricSources {
  readonly openRequests: () => number;
  readonly connections: () => Promise<number>;
  readonly droppedConnections: () => number;
  readonly eventStreams: () => number;
  readonly store: () => StoreState;
  /** Runs in progress in this process. */
  readonly runs: () => number;
  /** Runs that no process has begun; undefined if the store isn't open. */
  readonly waitingRuns: () => Promise<number | undefined>;
  readonly calls: () => number;
}

export async function countWaitingRuns({ db }: Store): Promise<number> {
  const { count } = await db
    .selectFrom('mapping_runs')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('status', '=', 'running')
    .where('attempts', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface Series {
  readonly registry: Registry;
  readonly requests: Counter<'method' | 'route' | 'status'>;
  readonly durations: Histogram<'method' | 'route'>;
}

/** Reading a menu takes milliseconds, passwords take a tenth of a second, text messages up to ten seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const storeStates: readonly StoreState[] = ['closed', 'open', 'failed'];

/**
 * The metrics for Prometheus, in its text format 0.0.4. Loading the library takes 50 to 100 ms, so it is loaded at the
 * first request for metrics, and requests count from then on. A service without such requests, as in an editor, pays
 * nothing. The library's own process metrics aren't used, because they start a garbage collection observer and a 10 ms
 * timer that nothing stops. The metrics here have the same names and are read on demand.
 */
export class Metrics {
  readonly #sources: MetricSources;
  #loading: Promise<Series> | undefined;
  #series: Series | undefined;

  constructor(sources: MetricSources) {
    this.#sources = sources;
  }

  /** `route` is a template of the service, never a requested address. */
  observe(method: string, route: string, status: number, seconds: number): void {
    this.#series?.requests.inc({ method, route, status: String(status) });
    this.#series?.durations.observe({ method, route }, seconds);
  }

  async read(): Promise<{ readonly contentType: string; readonly text: string }> {
    const { registry } = await (this.#loading ??= this.#load());
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  async #load(): Promise<Series> {
    const library = await import('prom-client');
    const registry = new library.Registry();
    const registers = [registry];
    addProcess([library, registry]);
    addService([library, registry], this.#sources);
    return (this.#series = {
      registry,
      requests: new library.Counter({
        name: 'dialtree_http_requests_total',
        help: 'Requests answered.',
        labelNames: ['method', 'route', 'status'],
        registers,
      }),
      durations: new library.Histogram({
        name: 'dialtree_http_request_duration_seconds',
        help: 'Time from a request to the start of its answer.',
        labelNames: ['method', 'route'],
        buckets: durationBuckets,
        registers,
      }),
    });
  }
}

type Library = typeof import('prom-client');
type Registers = readonly [library: Library, registry: Registry];
type Read = () => number | undefined | Promise<number | undefined>;
type Described<Value> = Readonly<Record<string, readonly [help: string, read: Value]>>;

function addGauges([library, registry]: Registers, gauges: Described<Read>): void {
  for (const [name, [help, read]] of Object.entries(gauges))
    new library.Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
}

/** Adds counters whose values are kept elsewhere. */
function addCounters([library, registry]: Registers, counters: Described<() => number>): void {
  for (const [name, [help, read]] of Object.entries(counters))
    new library.Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
}

function addService(registers: Registers, sources: MetricSources): void {
  addGauges(registers, {
    dialtree_http_requests_open: ['Requests in progress, including event streams.', sources.openRequests],
    dialtree_http_connections: ['Open connections.', sources.connections],
    dialtree_event_streams: ['Open event streams.', sources.eventStreams],
    dialtree_runs_in_flight: ['Runs in progress in this process.', sources.runs],
    dialtree_runs_waiting: ['Runs waiting for a process.', sources.waitingRuns],
    dialtree_calls_in_flight: ['Answered calls in progress.', sources.calls],
  });
  addCounters(registers, {
    dialtree_http_connections_dropped_total: [
      'Connections closed because too many were open.',
      sources.droppedConnections,
    ],
  });
  const [library, registry] = registers;
  new library.Gauge({
    name: 'dialtree_store_state',
    help: '1 for the current state of the store.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of storeStates) this.set({ state }, sources.store() === state ? 1 : 0);
    },
  });
}

function addProcess(registers: Registers): void {
  const started = Date.now() / 1000 - process.uptime();
  let before = performance.eventLoopUtilization();
  const cpuSeconds = (...kinds: readonly ('user' | 'system')[]): number => {
    const usage = process.cpuUsage();
    return kinds.reduce((sum, kind) => sum + usage[kind], 0) / 1e6;
  };
  addCounters(registers, {
    process_cpu_user_seconds_total: ['User CPU time.', () => cpuSeconds('user')],
    process_cpu_system_seconds_total: ['System CPU time.', () => cpuSeconds('system')],
    process_cpu_seconds_total: ['User and system CPU time.', () => cpuSeconds('user', 'system')],
  });
  addGauges(registers, {
    process_start_time_seconds: ['Start time of the process, since the epoch.', () => started],
    process_resident_memory_bytes: ['Resident memory.', () => process.memoryUsage.rss()],
    process_open_fds: [
      'Open file descriptors, if the system reports them.',
      () =>
        readdir('/proc/self/fd').then(
          (names) => names.length,
          () => undefined,
        ),
    ],
    nodejs_heap_size_total_bytes: ['Size of the heap.', () => process.memoryUsage().heapTotal],
    nodejs_heap_size_used_bytes: ['Used part of the heap.', () => process.memoryUsage().heapUsed],
    nodejs_external_memory_bytes: [
      'Memory outside the heap, for buffers and WebAssembly.',
      () => process.memoryUsage().external,
    ],
    nodejs_eventloop_utilization: [
      'Share of time that the event loop was busy since the last scrape.',
      () => {
        const now = performance.eventLoopUtilization();
        const { utilization } = performance.eventLoopUtilization(now, before);
        before = now;
        return utilization;
      },
    ],
  });
}
