import type { BrowserContext } from 'playwright-core';
import { patienceMs } from '../support/patience.ts';
import { launchBrowser } from './browser.ts';
import type { Cleanup } from './cleanup.ts';
import { withCleanup } from './cleanup.ts';
import { installServer } from './install.ts';
import { createProfile, removeProfile } from './profile.ts';
import type { Profile, Settings } from './profile.ts';
import { installExtension, startServer } from './server.ts';
import type { RunningServer } from './server.ts';
import { Workbench } from './workbench.ts';

export interface VsixOptions {
  /** The first window opens a copy of this folder; by default an empty folder. */
  workspace?: string;
  /** User settings in addition to those of a quiet editor. */
  settings?: Settings;
  /** For the extension host. */
  env?: Record<string, string>;
  /** The size of each window; default 1400 × 900. */
  viewport?: { width: number; height: number };
}

/** An editor with the packed extension, as after a user's installation. */
export interface InstalledEditor {
  /** The first window. */
  workbench: Workbench;
  profile: Profile;
}

/**
 * Installs a `.vsix` into a new profile and opens the editor with it, not under test: dialogs and toasts are real.
 * Everything is closed and removed when `scenario` ends, however it ends, and on a signal.
 */
export async function withVsix<T>(
  vsix: string,
  scenario: (editor: InstalledEditor) => Promise<T>,
  options: VsixOptions = {},
): Promise<T> {
  return withCleanup(async (cleanup) => scenario(await openEditor(vsix, options, cleanup)));
}

async function openEditor(vsix: string, options: VsixOptions, cleanup: Cleanup): Promise<InstalledEditor> {
  const installed = await installServer();
  const profile = await createProfile(options);
  cleanup.add(() => removeProfile(profile));
  await installExtension(installed, profile, vsix);
  const server = await startServer(installed, { ...options, profile });
  cleanup.add(() => server.stop());
  const browser = await launchBrowser({ closesOnSignal: false });
  cleanup.add(() => browser.close());

  // The windows of one context share the browser's storage, where the web workbench has its secrets.
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await keepSecretsReadable(context);
  return { workbench: await openWorkbench(context, server, profile, profile.workspace), profile };
}

/** The server would give each load of a page a new key, which can't decrypt earlier secrets. */
async function keepSecretsReadable(context: BrowserContext): Promise<void> {
  const key = Buffer.alloc(32, 'dialtree');
  await context.route('**/mint-key', (route) => route.fulfill({ body: key, contentType: 'application/octet-stream' }));
}

async function openWorkbench(
  context: BrowserContext,
  server: RunningServer,
  profile: Profile,
  folder: string,
): Promise<Workbench> {
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(`${server.origin}/?${new URLSearchParams({ folder }).toString()}`);
  const workbench = new Workbench(page, profile);
  await workbench.shown();
  return workbench;
}
