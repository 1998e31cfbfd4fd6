import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { findPackages } from './debianPackages.ts';

const asteriskVersion = '1:16.28.0~dfsg-0+deb11u4';

/** The files of an Asterisk that isn't installed. */
export interface AsteriskFiles {
  /** The command that runs it, with its first arguments. */
  readonly command: readonly [string, ...string[]];
  readonly modules: string;
  /** What `astdatadir` names: documentation, keys, and prompts in `sounds`. */
  readonly data: string;
  readonly music: string;
  /** The configuration that Debian ships. */
  readonly configuration: string;
}

/**
 * Returns Debian's Asterisk, its English prompts and its music on hold. Debian 11 is the last release that has
 * Asterisk. With Asterisk 16 and its libraries, these are 92 MB to download and 270 MB on disk.
 */
export function findAsterisk(): AsteriskFiles | undefined {
  const found = findPackages({
    name: 'asterisk',
    release: 'bullseye',
    packages: [
      ...['asterisk', 'asterisk-modules', 'asterisk-voicemail', 'asterisk-config'].map(
        (name) => `${name}=${asteriskVersion}`,
      ),
      'asterisk-core-sounds-en=1.6.1-1',
      'asterisk-core-sounds-en-wav=1.6.1-1',
      'asterisk-moh-opsound-gsm=2.03-1.1',
    ],
    arrange: (folder) => {
      const shipped = path.join(folder, 'root/usr/share/asterisk');
      const data = path.join(folder, 'data');
      for (const part of ['documentation', 'rest-api'])
        cpSync(path.join(shipped, part), path.join(data, part), { recursive: true });
      mkdirSync(path.join(data, 'keys'));
      mkdirSync(path.join(data, 'sounds'));
      symlinkSync('../../root/usr/share/asterisk/sounds/en_US_f_Allison', path.join(data, 'sounds/en'));
    },
  });
  if (!found) return undefined;
  const { folder, root } = found;
  const modules = path.join(root, 'usr/lib/asterisk/modules');
  return {
    command: found.command('usr/sbin/asterisk', [modules]),
    modules,
    data: path.join(folder, 'data'),
    music: path.join(root, 'usr/share/asterisk/moh'),
    configuration: path.join(root, 'etc/asterisk'),
  };
}
