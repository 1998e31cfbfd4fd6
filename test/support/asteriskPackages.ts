import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/**
 * Debian's Asterisk, its English prompts and its music on hold. Debian 11 is the last release that has Asterisk. With
 * Asterisk 16 and its libraries, these are 92 MB to download and 270 MB on disk.
 */
const release = 'bullseye';
const asteriskVersion = '1:16.28.0~dfsg-0+deb11u4';
const packages = [
  ...['asterisk', 'asterisk-modules', 'asterisk-voicemail', 'asterisk-config'].map(
    (name) => `${name}=${asteriskVersion}`,
  ),
  'asterisk-core-sounds-en=1.6.1-1',
  'asterisk-core-sounds-en-wav=1.6.1-1',
  'asterisk-moh-opsound-gsm=2.03-1.1',
];

/** What signs Debian's packages, on each machine that uses them. */
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** How Debian names the folders of libraries, by processor. */
const triplets: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};

/** The files of an Asterisk that isn't installed. */
export interface AsteriskFiles {
  /** The command that runs it, with its first arguments: its own loader finds the libraries of its release. */
  readonly command: readonly [string, ...string[]];
  readonly modules: string;
  /** What `astdatadir` names: documentation, keys, and prompts in `sounds`. */
  readonly data: string;
  readonly music: string;
  /** The configuration that Debian ships. */
  readonly configuration: string;
}

/**
 * Returns Asterisk, from a cache folder. The first time, apt fetches it from this machine's mirror with an apt folder
 * that is separate from the system's, so nothing is installed and root isn't needed. Returns undefined and prints the
 * reason if it isn't available.
 */
export function findAsterisk(): AsteriskFiles | undefined {
  try {
    const triplet = process.platform === 'linux' ? triplets[process.arch] : undefined;
    if (triplet === undefined) throw new Error(`Debian has none for ${process.platform} on ${process.arch}`);
    const caches = process.env['XDG_CACHE_HOME'] ?? path.join(userInfo().homedir, '.cache');
    // A colon can't be in a path of libraries.
    const folder = path.join(caches, `dialtree-asterisk-${asteriskVersion.replace(':', '-')}`);
    if (!existsSync(folder)) fetchInto(folder);
    return filesIn(folder, triplet);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);
    console.warn(`    skipped: Asterisk is not available: ${reason}`);
    return undefined;
  }
}

function filesIn(folder: string, triplet: string): AsteriskFiles {
  const root = path.join(folder, 'root');
  const libraries = path.join(root, 'lib', triplet);
  const loader = readdirSync(libraries).find((file) => /^ld-\d.*\.so$/.test(file));
  if (loader === undefined) throw new Error(`${libraries} has no loader`);
  const modules = path.join(root, 'usr/lib/asterisk/modules');
  const searched = [path.join(root, 'usr/lib', triplet), libraries, path.join(root, 'usr/lib'), modules];
  return {
    command: [path.join(libraries, loader), '--library-path', searched.join(':'), path.join(root, 'usr/sbin/asterisk')],
    modules,
    data: path.join(folder, 'data'),
    music: path.join(root, 'usr/share/asterisk/moh'),
    configuration: path.join(root, 'etc/asterisk'),
  };
}

/** Downloads and unpacks everything beside `folder`, which exists only when it is complete. */
function fetchInto(folder: string): void {
  if (!existsSync(keyring)) throw new Error(`${keyring} doesn't exist, so Debian's packages can't be verified`);
  mkdirSync(path.dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    const apt = path.join(work, 'apt');
    for (const part of ['lists/partial', 'archives/partial']) mkdirSync(path.join(apt, part), { recursive: true });
    writeFileSync(path.join(apt, 'status'), '');
    writeFileSync(path.join(apt, 'sources.list'), `deb [signed-by=${keyring}] ${debianMirror()} ${release} main\n`);
    const options = Object.entries({
      'Dir::Etc::SourceList': path.join(apt, 'sources.list'),
      'Dir::Etc::SourceParts': '-',
      'Dir::Etc::Preferences': '-',
      'Dir::Etc::PreferencesParts': '-',
      'Dir::State': apt,
      'Dir::State::Status': path.join(apt, 'status'),
      'Dir::Cache': apt,
      'Acquire::Languages': 'none',
      // Another user can't write to this folder.
      'APT::Sandbox::User': userInfo().username,
    }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    run('apt-get', ['-q', ...options, 'update']);
    run('apt-get', ['-q', ...options, 'install', '-y', '--download-only', '--no-install-recommends', ...packages]);
    const root = path.join(work, 'root');
    for (const file of readdirSync(path.join(apt, 'archives')).filter((name) => name.endsWith('.deb')))
      run('dpkg', ['-x', path.join(apt, 'archives', file), root]);
    const shipped = path.join(root, 'usr/share/asterisk');
    const data = path.join(work, 'data');
    for (const part of ['documentation', 'rest-api'])
      cpSync(path.join(shipped, part), path.join(data, part), { recursive: true });
    mkdirSync(path.join(data, 'keys'));
    mkdirSync(path.join(data, 'sounds'));
    symlinkSync('../../root/usr/share/asterisk/sounds/en_US_f_Allison', path.join(data, 'sounds/en'));
    rmSync(apt, { recursive: true });
    renameSync(work, folder);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    // Another process was first.
    if (!existsSync(folder)) throw error;
  }
}

/** Returns the mirror from which apt on this machine gets its packages. */
function debianMirror(): string {
  const mirrors = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']).split('\n');
  const mirror = mirrors.find((address) => /\/debian\/?$/.test(address));
  if (mirror === undefined) throw new Error("apt on this machine doesn't use a mirror of Debian");
  return mirror;
}

/** Runs a program to its end, for up to three minutes. */
const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, {
    stdio: 'pipe',
    timeout: 180_000,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
