import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { cachedFolder } from './cache.ts';
import { runToEnd } from './childProcess.ts';

export interface BrowserProgram {
  executable: string;
  env: NodeJS.ProcessEnv;
}

/** No network except this machine; no sandbox, because containers and root have none. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/**
 * Returns the Chromium for tests: `CHROME_PATH` if set, otherwise the one in the package `@sparticuz/chromium` (Linux
 * x64), with its libraries if the machine has none, and its fonts in addition to the machine's.
 */
export async function findBrowser(): Promise<BrowserProgram> {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (!existsSync(chosen)) {
      throw new Error(`CHROME_PATH names a file that does not exist: ${chosen}`);
    }
    return { executable: chosen, env: process.env };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `No Chromium is packaged for ${process.platform} ${process.arch}: set CHROME_PATH to a Chrome or Chromium of this machine.`,
    );
  }
  return packagedBrowser();
}

/**
 * Starts a headless Chromium, which the caller closes. `closesOnSignal: false` leaves signals to the caller, which may
 * have other things to close.
 */
export async function launchBrowser({ closesOnSignal = true } = {}): Promise<Browser> {
  const { executable, env } = await findBrowser();
  return chromium.launch({
    executablePath: executable,
    args: flags,
    env: definedOnly(env),
    handleSIGINT: closesOnSignal,
    handleSIGTERM: closesOnSignal,
    handleSIGHUP: closesOnSignal,
  });
}

async function packagedBrowser(): Promise<BrowserProgram> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packageFolder = path.resolve(path.dirname(entry), '..');
  const { version } = createRequire(import.meta.url)(path.join(packageFolder, 'package.json')) as { version: string };
  const folder = await cachedFolder(`chromium-${version}`, (staging) =>
    unpack(entry, path.join(packageFolder, 'bin'), staging),
  );
  const executable = path.join(folder, 'chromium');

  const env: NodeJS.ProcessEnv = { ...process.env, FONTCONFIG_FILE: await writeFontConfig(folder) };
  const withLibraries = {
    ...env,
    LD_LIBRARY_PATH: [path.join(folder, 'al2023/lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':'),
  };
  if (await starts(executable, env)) {
    return { executable, env };
  }
  await runToEnd(executable, ['--version'], {
    env: withLibraries,
    advice: 'The packaged Chromium does not start on this machine. Set CHROME_PATH to a Chrome or Chromium that does.',
  });
  return { executable, env: withLibraries };
}

/** The package unpacks into the system's temporary folder, which TMPDIR changes for a child process. */
async function unpack(entry: string, archives: string, staging: string): Promise<void> {
  const script = `
    const chromium = await import(${JSON.stringify(entry)});
    await chromium.default.executablePath();
    await chromium.inflate(${JSON.stringify(path.join(archives, 'al2023.tar.br'))});`;
  await runToEnd(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: staging },
  });
}

/**
 * Fonts of the machine and of the package, so that letters are visible on a machine without fonts. Monospaced fonts are
 * found by name, because the machine's configuration doesn't say.
 */
async function writeFontConfig(folder: string): Promise<string> {
  const file = path.join(folder, 'fonts.conf');
  await writeFile(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(folder, 'fonts/fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(folder, 'fonts-cache')}</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family><family>Liberation Mono</family><family>Noto Sans Mono</family></prefer></alias>
</fontconfig>
`,
  );
  return file;
}

async function starts(executable: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return runToEnd(executable, ['--version'], { env }).then(
    () => true,
    () => false,
  );
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
