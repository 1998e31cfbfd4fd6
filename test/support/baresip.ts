import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findPackages } from './debianPackages.ts';
import { freeUdpPort } from './freeUdpPort.ts';
import { patienceMs } from './patience.ts';

/** A baresip on 127.0.0.1 that answers calls and plays back what it hears. */
export interface Baresip {
  readonly address: string;
  output(): string;
  readonly stop: () => Promise<void>;
}

/** Returns what starts a baresip, or undefined and prints the reason if its package isn't available. */
export function findBaresip(): ((account: string) => Promise<Baresip>) | undefined {
  const found = findPackages({ name: 'baresip', release: 'bookworm', packages: ['baresip-core=1.0.0-4+b3'] });
  if (!found) return undefined;
  const modules = path.join(found.root, 'usr/lib/baresip/modules');
  return (account) => startBaresip(found.command('usr/bin/baresip'), modules, account);
}

/** @param account parameters of its account, such as `mediaenc=srtp` */
async function startBaresip(
  [program, ...first]: readonly [string, ...string[]],
  modules: string,
  account: string,
): Promise<Baresip> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialtree-baresip-'));
  const at = `127.0.0.1:${String(await freeUdpPort())}`;
  const config = [
    `module_path ${modules}`,
    `sip_listen ${at}`,
    ...['audio_player aubridge,echo', 'audio_source aubridge,echo'],
    // Accounts can name only what is loaded before.
    ...['g711', 'srtp', 'aubridge', 'menu', 'account'].map((name) => `module ${name}.so`),
  ];
  await writeFile(path.join(folder, 'config'), `${config.join('\n')}\n`);
  await writeFile(path.join(folder, 'accounts'), `<sip:echo@${at}>;regint=0;answermode=auto;${account}\n`);
  await writeFile(path.join(folder, 'contacts'), '');
  const child = spawn(program, [...first, '-f', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  // If the test process breaks off, nothing calls `stop`.
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + patienceMs;
  while (!output.includes('baresip is ready')) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`baresip didn't start:\n${output}`);
    }
    await setTimeout(50);
  }
  return { address: `sip:echo@${at}`, output: () => output, stop };
}
