import { escapeMarkdown } from '../../base/escape.ts';
import type { LineCheck, LineState } from '../../contract/lines.ts';
import type { L10n } from '../basics/localise.ts';
import { joined, markdownLines } from '../basics/words/markdownText.ts';
import type { RowModel } from '../views/rowModel.ts';

/** A row of the view; commands accept it as their argument. */
interface LineElement {
  readonly name: string;
}

/** What is known of a line: from its service, or from the settings while no service runs. */
export interface ShownLine extends LineElement {
  readonly state: LineState;
  /** From the settings of this editor. */
  readonly isOwn: boolean;
  readonly isBusy: boolean;
  /** The practice IVR that answers its calls. */
  readonly answeredBy?: string | undefined;
  /** The running service doesn't use the line, or not with these settings, until it is restarted. */
  readonly waits: boolean;
}

/** An invalid line in the settings. */
export interface WrongLine extends LineElement {
  readonly problem: string;
}

interface LineWords {
  readonly l10n: L10n;
  readonly moment: (iso: string) => string;
}

const icons = {
  ok: { id: 'pass', color: 'testing.iconPassed' },
  warning: { id: 'warning', color: 'list.warningForeground' },
  failed: { id: 'error', color: 'testing.iconFailed' },
} as const;

export function lineRow(line: ShownLine, words: LineWords): RowModel {
  const { name, state, isOwn } = line;
  const { l10n } = words;
  const description = joined(' · ', [
    line.waits ? l10n.t('not in use yet') : undefined,
    registrationWord(state, words),
    describe(line.answeredBy, (ivr) => l10n.t('answered by {0}', ivr)),
    descriptionOf(state, l10n),
  ]);
  const check = state.lastCheck && checkWord(state.lastCheck.state, l10n);
  return {
    id: name,
    label: name,
    description,
    tooltip: tooltipOf(line, words),
    icon: iconOf(line),
    contextValue: [
      'line',
      ...(isOwn ? ['own'] : []),
      ...(line.waits ? ['waiting'] : []),
      ...(state.login === 'none' ? [] : ['login']),
      ...(line.answeredBy === undefined ? [] : ['answered']),
    ].join(' '),
    children: 'none',
    command: 'dialtree.line.check',
    accessibilityLabel: joined(', ', [name, kindWord(state.kind, l10n), description, check]),
  };
}

function descriptionOf({ address, transport = 'udp', login, lastCheck, callsNow }: LineState, l10n: L10n): string {
  return joined(' · ', [
    address,
    transport === 'udp' ? undefined : transport.toUpperCase(),
    login === 'missing' ? l10n.t('password missing') : undefined,
    describe(lastCheck?.roundTripMs, (ms) => l10n.t('{0} ms', ms)),
    callsNow === 0 ? undefined : callsWord(callsNow, l10n),
  ]);
}

function registrationWord({ registration }: LineState, { l10n, moment }: LineWords): string | undefined {
  const { state, since, until } = registration ?? {};
  switch (state) {
    case 'registered':
      return since === undefined || until === undefined
        ? undefined
        : l10n.t('registered since {0}, until {1}', moment(since), moment(until));
    case 'registering':
      return l10n.t('registering…');
    case 'failed':
      return l10n.t('not registered');
    default:
      return undefined;
  }
}

const callsWord = (calls: number, l10n: L10n): string =>
  calls === 1 ? l10n.t('1 call in progress') : l10n.t('{0} calls in progress', calls);

function tooltipOf({ name, state, waits, answeredBy }: ShownLine, { l10n, moment }: LineWords): string {
  const { address, transport = 'udp', numbers } = state;
  const facts = [
    waits
      ? l10n.t(
          'The service takes in this line when the runs in progress end. To use it now, choose “Restart Service”, which ends these runs.',
        )
      : undefined,
    l10n.t('{0} over {1}', address, transport.toUpperCase()),
    state.registration?.message,
    describe(answeredBy, (ivr) => l10n.t('The practice IVR {0} answers calls to this line', ivr)),
    numbers.length === 0 ? undefined : l10n.t('Serves {0}', shortList(numbers)),
    describe(state.callerId, (caller) => l10n.t('Calls come from {0}', caller)),
    describe(state.callsPerSecond, (most) => l10n.t('Maximum calls per second: {0}', most)),
    describe(state.concurrentCalls, (most) => l10n.t('Maximum simultaneous calls: {0}', most)),
    describe(state.ringSeconds, (seconds) => l10n.t('A mapping lets calls ring for up to {0} s', seconds)),
    describe(state.costPerMinute, (cost) => l10n.t('{0} per minute', cost)),
    state.login === 'missing'
      ? l10n.t('The password is missing. Set it with “Dialtree: Set Line Password…”.')
      : undefined,
    describe(state.lastCheck, ({ at, message }) => `${moment(at)}: ${message}`),
  ];
  return markdownLines([
    `**${escapeMarkdown(name)}** ${escapeMarkdown(kindWord(state.kind, l10n))}`,
    ...facts.map((fact) => describe(fact, escapeMarkdown)),
  ]);
}

const describe = <Value>(value: Value | undefined, words: (value: Value) => string): string | undefined =>
  value === undefined ? undefined : words(value);

function iconOf({ state: { login, lastCheck }, isBusy, waits }: ShownLine): NonNullable<RowModel['icon']> {
  if (isBusy) return { id: 'sync~spin' };
  if (waits) return { id: 'history' };
  if (login === 'missing') return { id: 'key', color: 'list.warningForeground' };
  return lastCheck ? icons[lastCheck.state] : { id: 'plug' };
}

export const wrongRow = ({ name, problem }: WrongLine, { l10n }: Pick<LineWords, 'l10n'>): RowModel => ({
  id: `wrong ${name}`,
  label: name,
  description: l10n.t('not a valid line'),
  tooltip: escapeMarkdown(problem),
  icon: { id: 'error', color: 'testing.iconFailed' },
  contextValue: 'wrong own',
  children: 'none',
  command: 'dialtree.line.showInSettings',
  accessibilityLabel: `${name}, ${problem}`,
});

export function kindWord(kind: LineState['kind'], l10n: L10n): string {
  return {
    trunk: l10n.t('SIP trunk'),
    pbx: l10n.t('Office extension'),
    uri: l10n.t('One SIP address'),
  }[kind];
}

function checkWord(state: LineCheck['state'], l10n: L10n): string {
  return {
    ok: l10n.t('works'),
    warning: l10n.t('needs attention'),
    failed: l10n.t("doesn't work"),
  }[state];
}

const shownNumbers = 8;
const shortList = (numbers: readonly string[]): string =>
  [...numbers.slice(0, shownNumbers), ...(numbers.length > shownNumbers ? ['…'] : [])].join(', ');
