import { workspace } from 'vscode';
import type { Lines } from '../../contract/lines.ts';
import type { HandlersOf } from '../basics/commandTable.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import { openSetting } from '../basics/openSetting.ts';
import type { Host } from '../host/createHost.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { saveLines } from '../host/writeSettings.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import { lineCommands } from './lineCommands.ts';
import { LineList } from './lineList.ts';
import { LinesView } from './linesView.ts';

interface LinesParts extends Basics, Pick<Host, 'connection' | 'linePasswords' | 'restart'> {
  readonly client: ServiceClient;
  readonly feed: WorkspaceFeed;
}

export function createLines(
  parts: LinesParts,
  held: DisposableStore,
): { readonly list: LineList; readonly commands: HandlersOf<'line'> } {
  const { linePasswords: passwords, restart, feed, settings } = parts;
  const lines = (): Lines => settings().lines;
  const list = held.add(
    new LineList({
      ...parts,
      lines,
      wrongLines: () => settings().wrongLines,
      passwords,
      onDidChange: feed.onDidChange,
    }),
  );
  held.add(new LinesView(list));
  const commands = lineCommands({
    ...parts,
    list,
    lines,
    names: () => Object.keys(workspace.getConfiguration('dialtree').get<object>('telephony.lines') ?? {}),
    passwords,
    save: saveLines,
    apply: () => restart.now(),
    openSettings: openSetting,
  });
  return { list, commands };
}
