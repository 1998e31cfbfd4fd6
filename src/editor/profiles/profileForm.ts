import type { LineState } from '../../contract/lines.ts';
import { createProfileSchema, defaultCaller, type CallerProfile } from '../../contract/profiles.ts';
import { askFields, type DraftField, type FormParts } from '../basics/dialogs/askFields.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';

interface ProfileFormParts extends Omit<FormParts, 'title'> {
  readonly lines: readonly Pick<LineState, 'name' | 'address' | 'callerId' | 'callerIds'>[];
}

type Draft = Partial<CallerProfile>;

/**
 * Asks for all properties of a profile, one question per step; the language stays. Returns undefined if the user
 * cancels.
 */
export async function askProfile(parts: ProfileFormParts, before?: CallerProfile): Promise<CallerProfile | undefined> {
  const { l10n, lines } = parts;
  const { name: _name, ...usual } = defaultCaller;
  const title = before ? l10n.t('Edit Profile {0}', before.name) : l10n.t('Add Profile');
  const table = (draft: Draft): readonly DraftField<Draft>[] => fieldsOf(draft, lines, l10n);
  const draft = await askFields<Draft>({ ...parts, title }, table, before ?? usual);
  return draft && { ...defaultCaller, ...draft };
}

const { shape } = createProfileSchema;

function fieldsOf(
  { line, callerId }: Draft,
  lines: ProfileFormParts['lines'],
  l10n: L10n,
): readonly DraftField<Draft>[] {
  const choice = (value: string | undefined, description?: string): Choice<string>[] =>
    value === undefined ? [] : [{ label: value, value, ...(description !== undefined && { description }) }];
  /** The current values are offered too, wherever they came from. */
  const lineNames = [
    ...lines.flatMap(({ name, address }) => choice(name, address)),
    ...(lines.some(({ name }) => name === line) ? [] : choice(line)),
  ];
  const presented = lines
    .filter(({ name }) => line === undefined || name === line)
    .flatMap((one) => [one.callerId, ...(one.callerIds ?? [])]);
  const callerIds = [...new Set([...presented, callerId])].flatMap((one) => choice(one));

  return [
    {
      member: 'name',
      schema: shape.name,
      prompt: l10n.t('A name for this profile'),
      advice: l10n.t('Enter a name of 1 to 200 characters.'),
    },
    {
      member: 'voice',
      schema: shape.voice,
      prompt: l10n.t('Which voice do you want tests to use?'),
      choices: voiceChoices(l10n),
    },
    {
      member: 'keyToneMs',
      schema: shape.keyToneMs,
      prompt: l10n.t('Length of each key tone in milliseconds. Leave empty to use 100.'),
      placeHolder: '100',
    },
    {
      member: 'keyGapMs',
      schema: shape.keyGapMs,
      prompt: l10n.t('Silence after each key in milliseconds. Leave empty to use 100.'),
      placeHolder: '100',
    },
    {
      member: 'patienceSeconds',
      schema: shape.patienceSeconds,
      prompt: l10n.t(
        'Seconds of silence before Dialtree hangs up. Leave empty to use the default for mappings and tests.',
      ),
      placeHolder: '20',
    },
    {
      member: 'line',
      schema: shape.line,
      isAsked: lineNames.length > 0,
      prompt: l10n.t('Which line do you want to use for calls?'),
      choices: [{ label: l10n.t('The line that serves the number'), value: '' }, ...lineNames],
    },
    {
      member: 'callerId',
      schema: shape.callerId,
      isAsked: callerIds.length > 0,
      prompt: l10n.t('Which number do you want to call from?'),
      choices: [{ label: l10n.t('The caller ID of the line'), value: '' }, ...callerIds],
    },
    {
      member: 'concurrency',
      schema: shape.concurrency,
      prompt: l10n.t('Maximum simultaneous calls per run. Leave empty for no limit.'),
      placeHolder: '4',
    },
  ];
}

const voiceChoices = (l10n: L10n): Choice<CallerProfile['voice']>[] => [
  { label: 'rms', detail: l10n.t('American man, the clearest voice over the phone'), value: 'rms' },
  { label: 'slt', detail: l10n.t('American woman'), value: 'slt' },
  { label: 'awb', detail: l10n.t('Scottish man'), value: 'awb' },
  { label: 'kal', detail: l10n.t('American man, older technology'), value: 'kal' },
  { label: 'kal16', detail: l10n.t('Like kal, with a wider frequency range'), value: 'kal16' },
];
