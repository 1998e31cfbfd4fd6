import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServiceAddress } from '../../src/editor/host/serviceClient.ts';
import type { HostListFigure } from './hostList.ts';
import { measureMappingRows } from './mappingRows.ts';

const RUNS = 50_000;

/**
 * Measures what the views cost the extension host: the runs view over a real service with 50,000 runs, beside a list
 * that reads them all, each in a separate process; and the mappings view with a tree of 10,000 nodes. Takes about two
 * minutes.
 */
export async function measureHost(): Promise<void> {
  measureMappingRows();
  const [server, address] = await startChild<ServiceAddress>('hostServer.ts', [String(RUNS)]);
  try {
    const ours = await measureList('ours', address);
    const naive = await measureList('naive', address);
    const ratios = {
      firstRows: ours.firstMs / naive.firstMs,
      heap: ours.heapMegabytes / naive.heapMegabytes,
      changeTime: ours.changeMs / naive.changeMs,
      changeRequests: ours.changeRequests / naive.changeRequests,
      rowsDrawn: ours.rowsDrawn / naive.rowsDrawn,
    };
    for (const [name, of] of Object.entries({ ours, naive })) {
      console.log(
        `${name}: first rows after ${of.firstMs.toFixed(0)} ms and ${String(of.firstRequests)} requests; ${String(of.listed)} of ${String(RUNS)} listed after ${of.allMs.toFixed(0)} ms; heap +${of.heapMegabytes.toFixed(1)} MB, ${(of.heapPerThousand * 1024).toFixed(0)} kB per 1,000 listed, +${of.heapAtOldest.toFixed(1)} MB at the oldest run; process ${of.residentMegabytes.toFixed(0)} MB`,
      );
      console.log(
        `${name}: a test from its launch to its end in the list ${of.changeMs.toFixed(0)} ms, ${of.changeRequests.toFixed(1)} requests, ${of.rowsDrawn.toFixed(1)} rows drawn, ${of.changeCpuMs.toFixed(0)} ms of CPU`,
      );
    }
    console.log(
      `ours over naive: ${Object.entries(ratios)
        .map(([name, ratio]) => `${name} ${ratio.toPrecision(2)}`)
        .join(', ')}`,
    );
  } finally {
    server.disconnect();
    await once(server, 'exit');
  }
}

async function measureList(kind: 'ours' | 'naive', address: ServiceAddress): Promise<HostListFigure> {
  const child = fork(fileURLToPath(new URL('hostList.ts', import.meta.url)), [kind], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(address);
  return await messageOf<HostListFigure>(child);
}

async function startChild<Message>(file: string, args: readonly string[]): Promise<[ChildProcess, Message]> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return [child, await messageOf<Message>(child)];
}

async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('a process of the bench ended before it told anything');
    }),
  ])) as [Message];
  return message;
}
