import { ConfigurationTarget, workspace } from 'vscode';
import type { Line } from '../../contract/lines.ts';
import type { ModelSettings } from '../basics/settings.ts';

/** Writes user settings. Settings about calls and endpoints never belong to a workspace. */

export async function saveModel({ provider, name, url }: ModelSettings): Promise<void> {
  const configuration = workspace.getConfiguration('dialtree');
  await configuration.update('model.name', name === '' ? undefined : name, ConfigurationTarget.Global);
  await configuration.update('model.url', url, ConfigurationTarget.Global);
  await configuration.update('model.provider', provider, ConfigurationTarget.Global);
}

export async function enableAgents(on: boolean): Promise<void> {
  await workspace.getConfiguration('dialtree').update('agents.enabled', on, ConfigurationTarget.Global);
}

/** Keeps other values in the setting, including invalid lines. Undefined removes a line. */
export async function saveLines(changed: Readonly<Record<string, Line | undefined>>): Promise<void> {
  const configuration = workspace.getConfiguration('dialtree');
  const remainingLines = Object.entries({
    ...configuration.inspect<object>('telephony.lines')?.globalValue,
    ...changed,
  }).filter(([, line]) => line !== undefined);
  await configuration.update(
    'telephony.lines',
    remainingLines.length === 0 ? undefined : Object.fromEntries(remainingLines),
    ConfigurationTarget.Global,
  );
}
