import { limits } from '../../contract/limits.ts';
import { lineNameSchema, lineSchema } from '../../contract/lines.ts';
import type { FormParts, Option } from '../basics/dialogs/askFields.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';
import { carrierOptions } from './carrierOptions.ts';
import { freeLineName } from './lineAddress.ts';
import { lineShape, type LineDraft, type LineOption } from './lineDraft.ts';

export interface LineFormParts extends Omit<FormParts, 'title'> {
  /** Names that the line can't have. */
  readonly taken: readonly string[];
}

/** What a line can do without. */
export function optionsOf(draft: LineDraft, { l10n, taken }: LineFormParts): readonly Option<LineDraft>[] {
  const { kind, transport } = draft;
  const shape = kind === 'trunk' ? lineSchema.options[0].shape : lineShape;
  // A single address has no registrar, and only TLS asks for a certificate.
  const misfits = [kind === 'uri' ? 'register' : '', transport === 'tls' ? '' : 'clientCertificate'];
  const options = [...callOptions(draft, l10n), ...carrierOptions(draft, l10n)];
  return [
    {
      label: l10n.t('Name'),
      member: 'name',
      schema: lineNameSchema,
      prompt: l10n.t('A name for this line'),
      text: lineName(draft, taken),
      advice: l10n.t('Use lower-case letters, digits and single hyphens, such as main-trunk.'),
      check: (typed) =>
        taken.includes(typed) ? l10n.t('A line called {0} already exists. Choose another name.', typed) : undefined,
    },
    ...options
      .filter(({ member }) => !misfits.includes(member))
      .map((option) => ({ ...option, schema: shape[option.member] })),
  ];
}

function callOptions(draft: LineDraft, l10n: L10n): readonly LineOption[] {
  const advice = l10n.t('Enter a number such as +12025550100, or an extension such as 600.');
  return [
    {
      label: l10n.t('Transport'),
      member: 'transport',
      prompt: l10n.t('Which transport do you want to use for SIP?'),
      choices: transportChoices(l10n),
    },
    {
      label: l10n.t('Caller ID'),
      member: 'callerId',
      prompt: l10n.t(
        'Caller ID: the number or extension that calls come from. Leave empty if the trunk or PBX sets the caller ID.',
      ),
      placeHolder: '+12025550100',
      advice,
    },
    {
      label: l10n.t('Other caller IDs'),
      member: 'callerIds',
      prompt: l10n.t('Other numbers that profiles can use as the caller ID. Leave empty if you have none.'),
      placeHolder: '+12025550111, 601',
      advice,
    },
    {
      label: l10n.t('Numbers'),
      member: 'numbers',
      prompt:
        draft.kind === 'trunk'
          ? l10n.t('Numbers and prefixes to call over this line. +* means all numbers.')
          : l10n.t('Numbers to call over this line. Leave empty to call only the address of the line.'),
      placeHolder: '+1*, +49*',
      text: lineNumbers(draft).join(', '),
      advice: l10n.t(
        'Enter up to {0} numbers such as +12025550100, or prefixes such as +49*. +* means all numbers.',
        limits.lines.numbers,
      ),
    },
    {
      label: l10n.t('Calls per second'),
      member: 'callsPerSecond',
      prompt: l10n.t('Maximum calls per second that the trunk or PBX allows. Leave empty for no limit.'),
      placeHolder: '1',
    },
    {
      label: l10n.t('Simultaneous calls'),
      member: 'concurrentCalls',
      prompt: l10n.t('Maximum simultaneous calls that the trunk or PBX allows. Leave empty for no limit.'),
      placeHolder: '10',
    },
    {
      label: l10n.t('Ringing time'),
      member: 'ringSeconds',
      prompt: l10n.t(
        'Seconds that a mapping lets a call ring before it gives up. Leave empty for {0} s.',
        limits.ringSeconds.default,
      ),
      placeHolder: String(limits.ringSeconds.default),
    },
    {
      label: l10n.t('Cost per minute'),
      member: 'costPerMinute',
      prompt: l10n.t("Cost per minute, for plans and budgets. Leave empty if you don't know the cost."),
      placeHolder: '0.01',
    },
  ];
}

/** A trunk serves all numbers unless the user limits it. */
export const lineNumbers = ({ numbers = [], kind }: LineDraft): readonly string[] =>
  numbers.length === 0 && kind === 'trunk' ? ['+*'] : numbers;
export const lineName = ({ name, kind = 'pbx', address = '' }: LineDraft, taken: readonly string[]): string =>
  name ?? freeLineName(kind, address, taken);

/** UDP is the default, which the settings leave out. */
const transportChoices = (l10n: L10n): Choice<string>[] => [
  { label: 'UDP', detail: l10n.t('Used by most trunks and PBXs'), value: '' },
  {
    label: 'TCP',
    detail: l10n.t('One connection for all calls. Useful on networks that block UDP.'),
    value: 'tcp',
  },
  {
    label: 'TLS',
    detail: l10n.t(
      'Like TCP, but encrypted, with a certificate that Dialtree checks. “Audio encryption” is another option.',
    ),
    value: 'tls',
  },
];
