import type { LineCheck, LineState } from '../../contract/lines.ts';
import type { L10n } from '../localise.ts';
import { escapeMarkdown, markdownLines } from '../views/rowModel.ts';
import type { RowModel } from '../views/rowModel.ts';

/** A line as it is shown; commands take it as their argument. */
export interface LineElement {
  readonly name: string;
}

/** What is known of a line: as its service tells it, or as the settings have it while no service runs. */
export interface ShownLine extends LineElement {
  readonly state: LineState;
  /** Set up in the settings of this editor. */
  readonly isOwn: boolean;
  readonly isBusy: boolean;
}

/** What stands in the settings under this name and is no line. */
export interface WrongLine extends LineElement {
  readonly problem: string;
}

export interface LineWords {
  readonly l10n: L10n;
  readonly moment: (iso: string) => string;
}

const icons = {
  ok: { id: 'pass', color: 'testing.iconPassed' },
  warning: { id: 'warning', color: 'list.warningForeground' },
  failed: { id: 'error', color: 'testing.iconFailed' },
} as const;

export function lineRow({ name, state, isOwn, isBusy }: ShownLine, { l10n, moment }: LineWords): RowModel {
  const {
    address,
    transport = 'udp',
    numbers,
    callerId,
    callsPerSecond,
    concurrentCalls,
    costPerMinute,
    login,
    callsNow,
    lastCheck,
  } = state;
  const missing = login === 'missing';
  const parts = [
    address,
    transport === 'udp' ? undefined : transport.toUpperCase(),
    missing ? l10n.t('password missing') : undefined,
    lastCheck?.roundTripMs === undefined ? undefined : l10n.t('{0} ms', lastCheck.roundTripMs),
    callsNow === 0 ? undefined : callsNow === 1 ? l10n.t('1 call now') : l10n.t('{0} calls now', callsNow),
  ].filter((part) => part !== undefined);
  const described = parts.join(' · ');
  return {
    id: name,
    label: name,
    description: described,
    tooltip: markdownLines([
      `**${escapeMarkdown(name)}** ${escapeMarkdown(kindWord(state.kind, l10n))}`,
      escapeMarkdown(l10n.t('{0} over {1}', address, transport.toUpperCase())),
      numbers.length === 0 ? undefined : escapeMarkdown(l10n.t('Serves {0}', shortList(numbers))),
      callerId === undefined ? undefined : escapeMarkdown(l10n.t('Calls come from {0}', callerId)),
      callsPerSecond === undefined ? undefined : escapeMarkdown(l10n.t('{0} calls a second at most', callsPerSecond)),
      concurrentCalls === undefined ? undefined : escapeMarkdown(l10n.t('{0} calls at once at most', concurrentCalls)),
      costPerMinute === undefined ? undefined : escapeMarkdown(l10n.t('{0} a minute', costPerMinute)),
      missing
        ? escapeMarkdown(l10n.t('The password is missing. Set it with “Dialtree: Set Line Password…”.'))
        : undefined,
      lastCheck ? escapeMarkdown(`${moment(lastCheck.at)}: ${lastCheck.message}`) : undefined,
    ]),
    icon: isBusy
      ? { id: 'sync~spin' }
      : missing
        ? { id: 'key', color: 'list.warningForeground' }
        : lastCheck
          ? icons[lastCheck.state]
          : { id: 'plug' },
    contextValue: ['line', ...(isOwn ? ['own'] : []), ...(login === 'none' ? [] : ['login'])].join(' '),
    children: 'none',
    command: 'dialtree.line.check',
    accessibilityLabel: [name, kindWord(state.kind, l10n), described, lastCheck && checkWord(lastCheck.state, l10n)]
      .filter((part) => part !== undefined)
      .join(', '),
  };
}

export const wrongRow = ({ name, problem }: WrongLine, { l10n }: Pick<LineWords, 'l10n'>): RowModel => ({
  id: `wrong ${name}`,
  label: name,
  description: l10n.t('is no line'),
  tooltip: escapeMarkdown(problem),
  icon: { id: 'error', color: 'testing.iconFailed' },
  contextValue: 'wrong own',
  children: 'none',
  command: 'dialtree.line.showInSettings',
  accessibilityLabel: `${name}, ${problem}`,
});

export function kindWord(kind: LineState['kind'], l10n: L10n): string {
  switch (kind) {
    case 'trunk':
      return l10n.t('SIP trunk');
    case 'pbx':
      return l10n.t('Lab PBX');
    case 'uri':
      return l10n.t('One SIP address');
  }
}

function checkWord(state: LineCheck['state'], l10n: L10n): string {
  switch (state) {
    case 'ok':
      return l10n.t('works');
    case 'warning':
      return l10n.t('needs a look');
    case 'failed':
      return l10n.t('does not work');
  }
}

const shownNumbers = 8;
const shortList = (numbers: readonly string[]): string =>
  [...numbers.slice(0, shownNumbers), ...(numbers.length > shownNumbers ? ['…'] : [])].join(', ');
