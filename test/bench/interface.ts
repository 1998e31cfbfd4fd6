import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { sendHttp } from '../support/sendHttp.ts';

/** The minimum of Dialtree's calls per second over those of the bare server with the same work. */
const BUDGET = 0.7;
const CALLERS = 16;
const ROUNDS = 5;
const WARM_UP_MS = 1500;
const ROUND_MS = 2000;

const subjects = [
  { name: 'ours', server: 'ours', tool: 'listMappings', label: 'ours, listMappings (reads the store)' },
  { name: 'ours without store', server: 'ours', tool: 'listGuides', label: 'ours, listGuides (reads no store)' },
  { name: 'lean', server: 'lean', tool: 'listMappings', label: 'bare SDK, tool table made once' },
  {
    name: 'example',
    server: 'example',
    tool: 'listMappings',
    label: 'bare SDK, all tools registered for each request (its stateless example)',
  },
] as const;
type Subject = (typeof subjects)[number];

interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Measures `tools/call` of a cheap read-only tool over HTTP on loopback, with 16 callers on kept connections: Dialtree
 * beside bare SDK servers with the same tools and schemas. Each server is a separate process; rounds alternate, so that
 * other load affects all. Takes about a minute.
 */
export async function measureInterface(): Promise<void> {
  const children = new Map<string, ChildProcess>();
  const addresses = new Map<string, Address>();
  const rates = new Map<string, number[]>();
  const waits = new Map<string, number[]>();
  try {
    for (const server of new Set(subjects.map((subject) => subject.server))) {
      const child = fork(fileURLToPath(new URL('interfaceServer.ts', import.meta.url)), [server], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.set(server, child);
      const [address] = (await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => {
          throw new Error(`the server ${server} ended before it listened`);
        }),
      ])) as [Address];
      addresses.set(server, address);
    }
    for (const { server, tool } of subjects) await callFor(WARM_UP_MS, addresses.get(server)!, tool);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { name, server, tool } of subjects) {
        const { rate, waitsMs } = await callFor(ROUND_MS, addresses.get(server)!, tool);
        rates.set(name, [...(rates.get(name) ?? []), rate]);
        waits.set(name, [...(waits.get(name) ?? []), ...waitsMs]);
      }
    }
  } finally {
    await Promise.all(
      [...children.values()].map(async (child) => {
        if (child.exitCode !== null) return;
        const ended = once(child, 'exit');
        child.disconnect();
        await ended;
      }),
    );
  }
  const figures = Object.fromEntries(
    subjects.map(({ name }) => [
      name,
      { callsPerSecond: quantile(rates.get(name) ?? [], 0.5), p99Ms: quantile(waits.get(name) ?? [], 0.99) },
    ]),
  ) as Record<Subject['name'], { readonly callsPerSecond: number; readonly p99Ms: number }>;
  for (const { name, label } of subjects) {
    const { callsPerSecond, p99Ms } = figures[name];
    console.log(`  ${label}: ${callsPerSecond.toFixed(0)} calls a second, p99 ${p99Ms.toFixed(1)} ms`);
  }
  const over = (one: Subject['name'], other: Subject['name']): number =>
    figures[one].callsPerSecond / figures[other].callsPerSecond;
  for (const { name, label } of subjects.slice(2))
    console.log(
      `  over ${label}: listMappings ${over('ours', name).toFixed(2)}, listGuides ${over('ours without store', name).toFixed(2)}`,
    );
  const ratios = { interface: over('ours without store', 'lean'), withStore: over('ours', 'example') };
  console.log(
    `the interface itself: ${ratios.interface.toFixed(2)} of a bare SDK server whose tool table is made once (budget: at least ${String(BUDGET)})`,
  );
  console.log(
    `with a question to the store: ${ratios.withStore.toFixed(2)} of a bare SDK server as in its stateless example (budget: at least ${String(BUDGET)})`,
  );
}

/** Calls without a pause, `CALLERS` at a time. Rejects if a response isn't the tool's. */
async function callFor(
  ms: number,
  { url, headers }: Address,
  tool: string,
): Promise<{ readonly rate: number; readonly waitsMs: readonly number[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } });
  const waitsMs: number[] = [];
  const startedAt = performance.now();
  const caller = async (): Promise<void> => {
    while (performance.now() - startedAt < ms) {
      const askedAt = performance.now();
      const text = await post(agent, url, headers, body);
      waitsMs.push(performance.now() - askedAt);
      if (!text.includes('"structuredContent"') || text.includes('"isError":true'))
        throw new Error(`the server answered ${text.slice(0, 300)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return { rate: (waitsMs.length * 1000) / (performance.now() - startedAt), waitsMs };
  } finally {
    agent.destroy();
  }
}

async function post(agent: Agent, url: string, headers: Readonly<Record<string, string>>, body: string) {
  const { status, text } = await sendHttp(url, {
    agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      'content-length': Buffer.byteLength(body),
      ...headers,
    },
    body,
  });
  if (status !== 200) throw new Error(`the server answered ${String(status)}: ${text.slice(0, 300)}`);
  return text;
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;
