import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findPackages } from './debianPackages.ts';
import { startForeign, type ForeignProcess } from './foreignProcess.ts';
import { freeUdpPort } from './freeUdpPort.ts';

/** A baresip on 127.0.0.1 that answers calls and plays back what it hears. */
export interface Baresip extends ForeignProcess {
  readonly address: string;
}

/**
 * Returns what starts a baresip with these parameters of its account, such as `mediaenc=srtp`, or undefined and prints
 * the reason if its package isn't available.
 */
export function findBaresip(): ((account: string) => Promise<Baresip>) | undefined {
  const found = findPackages({ name: 'baresip', release: 'bookworm', packages: ['baresip-core=1.0.0-4+b3'] });
  if (!found) return undefined;
  return async (account) => {
    const at = `127.0.0.1:${String(await freeUdpPort())}`;
    const config = [
      `module_path ${path.join(found.root, 'usr/lib/baresip/modules')}`,
      `sip_listen ${at}`,
      ...['audio_player aubridge,echo', 'audio_source aubridge,echo'],
      // Accounts can name only what is loaded before.
      ...['g711', 'srtp', 'aubridge', 'menu', 'account'].map((name) => `module ${name}.so`),
    ];
    const running = await startForeign(
      'baresip',
      async (folder) => {
        await writeFile(path.join(folder, 'config'), `${config.join('\n')}\n`);
        await writeFile(path.join(folder, 'accounts'), `<sip:echo@${at}>;regint=0;answermode=auto;${account}\n`);
        await writeFile(path.join(folder, 'contacts'), '');
        return [...found.command('usr/bin/baresip'), '-f', folder];
      },
      (output) => output.includes('baresip is ready'),
    );
    return { ...running, address: `sip:echo@${at}` };
  };
}
