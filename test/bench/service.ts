import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { heapFlags } from '../../src/editor/host/spawnNode.ts';
import { median } from './median.ts';

const serviceBudget = { firstAnswerMs: 700, residentMegabytes: 250 } as const;

const rounds = 5;
const settleMs = 2000;

/**
 * Measures the built service: `dist/service.js`, or `dist/cli.js serve`. Each ratio is the figure divided by its
 * budget: up to 1 is within.
 */
export async function measureService(): Promise<void> {
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
  const command = existsSync(join(dist, 'service.js')) ? [join(dist, 'service.js')] : [join(dist, 'cli.js'), 'serve'];
  const data = await mkdtemp(join(tmpdir(), 'dialtree-bench-'));
  const answers: number[] = [];
  const residents: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { firstAnswerMs, residentMegabytes } = await measureOnce([...command, '--data', data]);
      answers.push(firstAnswerMs);
      if (residentMegabytes !== undefined) residents.push(residentMegabytes);
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
  const firstAnswerRatio = median(answers) / serviceBudget.firstAnswerMs;
  const residentRatio = residents.length === 0 ? undefined : median(residents) / serviceBudget.residentMegabytes;
  console.log(
    `  first answer ${firstAnswerRatio.toFixed(2)} × budget of ${String(serviceBudget.firstAnswerMs)} ms; memory ${residentRatio?.toFixed(2) ?? '?'} × budget of ${String(serviceBudget.residentMegabytes)} MB`,
  );
}

async function measureOnce(
  args: readonly string[],
): Promise<{ readonly firstAnswerMs: number; readonly residentMegabytes: number | undefined }> {
  const startedAt = performance.now();
  // With the environment that the editor gives it.
  const child = spawn(process.execPath, args, {
    env: { ...heapFlags, ...process.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  try {
    const line = await Promise.race([
      once(createInterface(child.stdout), 'line').then(([text]: unknown[]) => String(text)),
      closed.then(() => undefined),
    ]);
    if (line === undefined) throw new Error('the service ended before it was ready');
    const { mcpUrl, apiKey } = JSON.parse(line) as { mcpUrl: string; apiKey: string };
    const ask = async (method: string, params: object): Promise<void> => {
      const response = await fetch(mcpUrl, {
        method: 'POST',
        headers: {
          'x-api-key': apiKey,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      if (!response.ok) throw new Error(`the service answered ${String(response.status)}`);
      await response.text();
    };
    await ask('tools/list', {});
    const firstAnswerMs = performance.now() - startedAt;
    await ask('tools/call', { name: 'listMappings', arguments: {} });
    // The WebAssembly compiler briefly uses several hundred megabytes; only the rest is measured.
    await delay(settleMs);
    return { firstAnswerMs, residentMegabytes: await residentOf(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}

async function residentOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
