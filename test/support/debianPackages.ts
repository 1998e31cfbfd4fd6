import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/** What signs Debian's packages, on each machine that uses them. */
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** How Debian names the folders of libraries, by processor. */
const triplets: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};

interface Packages {
  /** Names the folder in the cache. */
  readonly name: string;
  readonly release: string;
  /** `NAME=VERSION`. */
  readonly packages: readonly string[];
  /** Adds what the programs need to the folder, whose `root` has the unpacked files. */
  readonly arrange?: (folder: string) => void;
}

/** Unpacked packages that aren't installed. */
export interface Unpacked {
  readonly folder: string;
  readonly root: string;
  /** The folder of the release's libraries. */
  readonly libraries: string;
  /** Returns the command that runs this program: its own loader finds the libraries of its release. */
  readonly command: (program: string, libraries?: readonly string[]) => readonly [string, ...string[]];
}

/**
 * Returns these packages of Debian with what they depend on, from a cache folder. The first time, apt fetches them from
 * this machine's mirror with an apt folder that is separate from the system's, so nothing is installed and root isn't
 * needed. Returns undefined and prints the reason if they aren't available.
 */
export function findPackages(wanted: Packages): Unpacked | undefined {
  try {
    const triplet = process.platform === 'linux' ? triplets[process.arch] : undefined;
    if (triplet === undefined) throw new Error(`Debian has none for ${process.platform} on ${process.arch}`);
    const caches = process.env['XDG_CACHE_HOME'] ?? path.join(userInfo().homedir, '.cache');
    const version = wanted.packages[0]?.split('=')[1] ?? '';
    // A colon can't be in a path of libraries.
    const folder = path.join(caches, `dialtree-${wanted.name}-${version.replace(':', '-')}`);
    if (!existsSync(folder)) fetchInto(folder, wanted);
    return unpackedIn(folder, triplet);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);
    console.warn(`    skipped: ${wanted.name} is not available: ${reason}`);
    return undefined;
  }
}

function unpackedIn(folder: string, triplet: string): Unpacked {
  const root = path.join(folder, 'root');
  const own = path.join(root, 'lib', triplet);
  const loader = readdirSync(own).find((file) => /^ld-(?:linux|\d).*\.so(?:\.\d)?$/.test(file));
  if (loader === undefined) throw new Error(`${own} has no loader`);
  const libraries = path.join(root, 'usr/lib', triplet);
  return {
    folder,
    root,
    libraries,
    command: (program, more = []) => [
      path.join(own, loader),
      '--library-path',
      [libraries, own, path.join(root, 'usr/lib'), ...more].join(':'),
      path.join(root, program),
    ],
  };
}

/** Downloads and unpacks everything beside `folder`, which exists only when it is complete. */
function fetchInto(folder: string, { release, packages, arrange }: Packages): void {
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
    for (const file of readdirSync(path.join(apt, 'archives')).filter((name) => name.endsWith('.deb')))
      run('dpkg', ['-x', path.join(apt, 'archives', file), path.join(work, 'root')]);
    arrange?.(work);
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
