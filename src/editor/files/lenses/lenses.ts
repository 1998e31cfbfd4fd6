import type { CommandId } from '../../basics/commandId.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import { outcomeWord } from '../../basics/words/outcomeWords.ts';
import { nodeAt, type ParsedFile } from '../../folders/parsedFile.ts';
import type { LastRun } from './lastRuns.ts';

interface Lens {
  readonly title: string;
  readonly tooltip?: string;
  readonly command?: CommandId;
  readonly argument?: unknown;
}

export interface LensState {
  /** Its path on this machine, or undefined if the file can't be run: in Restricted Mode, or if it isn't on a disk. */
  readonly path: string | undefined;
  readonly last: LastRun | undefined;
  /** The address of the practice IVR that plays this file. */
  readonly playedAt: string | undefined;
  readonly now: number;
  readonly formats: Formats;
}

export const lensOffset = ({ root }: ParsedFile): number => root?.offset ?? 0;

export function lensesOf(file: ParsedFile, state: LensState, l10n: L10n): Lens[] {
  if (file.root?.type !== 'object') return [];
  switch (file.kind) {
    case 'mission':
      return [...run('dialtree.test.runMission', state, l10n), ...result(state, l10n)];
    case 'probe':
    case 'calltest':
      return [...run('dialtree.test.run', state, l10n), ...result(state, l10n)];
    case 'ivr':
      return practice(state, l10n);
    case 'calltree':
      return tree(file, state, l10n);
  }
}

function run(command: CommandId, { path }: LensState, l10n: L10n): Lens[] {
  return path === undefined
    ? []
    : [
        {
          title: `$(play) ${l10n.t('Run')}`,
          tooltip: l10n.t('Place the call and check what Dialtree hears'),
          command,
          argument: { file: path },
        },
      ];
}

const signs = { PASS: '$(pass)', FAIL: '$(error)', ERROR: '$(warning)', INCONCLUSIVE: '$(question)' } as const;

function result({ last, now, formats }: LensState, l10n: L10n): Lens[] {
  if (!last) return [];
  const { outcome, runs, passed, endedAt, seconds, runId } = last;
  const word = runs > 1 && passed < runs ? l10n.t('{0} of {1} passed', passed, runs) : outcomeWord(outcome, l10n);
  return [
    {
      title: `${signs[outcome]} ${word} ${formats.ago(now - endedAt)} · ${l10n.t('{0} s', formats.number(Math.round(seconds)))}`,
      tooltip: formats.moment(new Date(endedAt).toISOString()),
    },
    { title: l10n.t('Open Report'), command: 'dialtree.test.openReport', argument: { runId } },
  ];
}

function practice({ path, playedAt }: LensState, l10n: L10n): Lens[] {
  if (path === undefined) return [];
  const argument = { file: path };
  return [
    playedAt === undefined
      ? {
          title: `$(play) ${l10n.t('Start')}`,
          tooltip: l10n.t('Let this IVR answer calls on this machine'),
          command: 'dialtree.practice.start',
          argument,
        }
      : { title: `$(debug-stop) ${l10n.t('Stop')}`, tooltip: playedAt, command: 'dialtree.practice.stop', argument },
    {
      title: `$(type-hierarchy-sub) ${l10n.t('Map')}`,
      tooltip: l10n.t('Call this IVR and draw its menu tree'),
      command: 'dialtree.practice.map',
      argument,
    },
  ];
}

function tree(file: ParsedFile, { path }: LensState, l10n: L10n): Lens[] {
  if (path === undefined || !nodeAt(file.root, ['tree'])) return [];
  const argument = { file: path };
  return [
    {
      title: `$(diff) ${l10n.t('Compare with a Run…')}`,
      tooltip: l10n.t('Show what has changed since this tree was mapped'),
      command: 'dialtree.tree.compare',
      argument,
    },
    {
      title: `$(checklist) ${l10n.t('Coverage…')}`,
      tooltip: l10n.t('Show which branches no test covers, and generate tests for them'),
      command: 'dialtree.coverage.generate',
      argument,
    },
  ];
}
