import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folders of one VS Code user, all inside one temporary folder. */
export interface Profile {
  folder: string;
  /** The user's home for the editor and all its children. */
  home: string;
  /** Their temporary folder. */
  temporary: string;
  serverData: string;
  extensions: string;
  userData: string;
  settingsFile: string;
  /** The folder that the first window opens. */
  workspace: string;
}

export type Settings = Record<string, unknown>;

/**
 * A quiet editor: nothing opens, updates, or reports by itself. The settings have their newest names, because an editor
 * that migrates an old one writes the file itself, which would conflict with a test's changes.
 */
const quietSettings: Settings = {
  'workbench.startupEditor': 'none',
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'telemetry.telemetryLevel': 'off',
  'window.autoDetectHighContrast': false,
  'workbench.colorTheme': 'Dark Modern',
};

/** Creates a new profile. `workspace` is copied, so that tests can write into it. The caller removes it. */
export async function createProfile(options: { workspace?: string; settings?: Settings } = {}): Promise<Profile> {
  // Short, because the editor's sockets are inside and their paths are limited to 107 bytes.
  const folder = await mkdtemp(path.join(tmpdir(), 'dialtree-host-'));
  const profile: Profile = {
    folder,
    home: path.join(folder, 'home'),
    temporary: path.join(folder, 'tmp'),
    serverData: path.join(folder, 'data'),
    extensions: path.join(folder, 'data/ext'),
    userData: path.join(folder, 'data/ud'),
    settingsFile: path.join(folder, 'data/ud/User/settings.json'),
    workspace: path.join(folder, 'workspace'),
  };
  await mkdir(profile.home);
  await mkdir(profile.temporary);
  await mkdir(profile.extensions, { recursive: true });
  await mkdir(path.dirname(profile.settingsFile), { recursive: true });
  await writeFile(profile.settingsFile, JSON.stringify({ ...quietSettings, ...options.settings }, undefined, 2));
  if (options.workspace !== undefined && existsSync(options.workspace)) {
    await cp(options.workspace, profile.workspace, { recursive: true });
  } else {
    await mkdir(profile.workspace);
  }
  return profile;
}

/** Changes user settings on disk. `undefined` removes a setting. */
export async function changeSettings(profile: Profile, changes: Settings): Promise<void> {
  const settings = JSON.parse(await readFile(profile.settingsFile, 'utf8')) as Settings;
  await writeFile(profile.settingsFile, JSON.stringify({ ...settings, ...changes }, undefined, 2));
}

export async function removeProfile(profile: Profile): Promise<void> {
  await rm(profile.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
