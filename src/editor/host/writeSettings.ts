import { ConfigurationTarget, workspace } from 'vscode';
import type { Line } from '../../contract/lines.ts';
import type { ModelSettings } from '../basics/settings.ts';

/** Writes the user's settings: what is about calls and endpoints is never a workspace's. */

export async function saveModel({ provider, name, url }: ModelSettings): Promise<void> {
  const configuration = workspace.getConfiguration('dialtree');
  await configuration.update('model.name', name === '' ? undefined : name, ConfigurationTarget.Global);
  await configuration.update('model.url', url, ConfigurationTarget.Global);
  await configuration.update('model.provider', provider, ConfigurationTarget.Global);
}

/** What stands beside them in the settings stays as it is, also what is no line; undefined takes a line away. */
export async function saveLines(changed: Readonly<Record<string, Line | undefined>>): Promise<void> {
  const configuration = workspace.getConfiguration('dialtree');
  const kept = Object.entries({ ...configuration.inspect<object>('telephony.lines')?.globalValue, ...changed }).filter(
    ([, line]) => line !== undefined,
  );
  await configuration.update(
    'telephony.lines',
    kept.length === 0 ? undefined : Object.fromEntries(kept),
    ConfigurationTarget.Global,
  );
}
