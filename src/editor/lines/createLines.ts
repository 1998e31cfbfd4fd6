import type { Lines } from '../../contract/lines.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { Host } from '../host/createHost.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import { LineList } from './lineList.ts';
import { LinesView } from './linesView.ts';

interface LinesParts extends Basics, Pick<Host, 'connection' | 'linePasswords'> {
  readonly feed: WorkspaceFeed;
}

export function createLines(parts: LinesParts, held: DisposableStore): LineList {
  const { linePasswords: passwords, feed, settings } = parts;
  const list = held.add(
    new LineList({
      ...parts,
      lines: (): Lines => settings().lines,
      wrongLines: () => settings().wrongLines,
      passwords,
      onDidChange: feed.onDidChange,
    }),
  );
  held.add(new LinesView(list));
  return list;
}
