import { limits } from '../../contract/limits.ts';
import type { LineState } from '../../contract/lines.ts';
import { defaultCaller, type CallerProfile } from '../../contract/profiles.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import { runForm, type FormStep, type StepDialogs } from '../basics/dialogs/stepDialogs.ts';
import { choiceStep, numberStep, textStep, withMember } from '../basics/dialogs/textSteps.ts';
import type { L10n } from '../basics/localise.ts';

interface ProfileFormParts {
  readonly dialogs: StepDialogs;
  readonly l10n: L10n;
  readonly lines: readonly Pick<LineState, 'name' | 'address' | 'callerId' | 'callerIds'>[];
}

type Draft = Partial<CallerProfile>;

/**
 * Asks for all properties of a profile, one question per step; the language stays. Returns undefined if the user
 * cancels.
 */
export async function askProfile(parts: ProfileFormParts, before?: CallerProfile): Promise<CallerProfile | undefined> {
  const { name: _name, ...usual } = defaultCaller;
  const draft = await runForm(stepsOf(parts, before), before ?? usual);
  return draft && { ...defaultCaller, ...draft };
}

function stepsOf({ dialogs, l10n, lines }: ProfileFormParts, before: CallerProfile | undefined): FormStep<Draft>[] {
  const title = before ? l10n.t('Edit Profile {0}', before.name) : l10n.t('Add Profile');
  const boxes = { dialogs, l10n, title };
  const {
    profiles: bounds,
    name: { max },
  } = limits;
  const choice = (
    member: 'line' | 'callerId',
    placeHolder: string,
    none: string,
    offered: (draft: Draft) => readonly { readonly label: string; readonly description?: string }[],
  ): FormStep<Draft> => ({
    isAsked: (draft) => offered(draft).length > 0,
    ask: choiceStep<Draft, string>(
      boxes,
      placeHolder,
      (draft) => ({
        choices: [{ label: none, value: '' }, ...offered(draft).map((one) => ({ ...one, value: one.label }))],
        chosen: draft[member] ?? '',
      }),
      (draft, chosen) => withMember(draft, member, chosen === '' ? undefined : chosen),
    ),
  });
  const number = (
    member: 'keyToneMs' | 'keyGapMs' | 'patienceSeconds' | 'concurrency',
    prompt: string,
    placeHolder: string,
    whole = true,
  ): FormStep<Draft> => numberStep<Draft>(boxes, member, prompt, placeHolder, bounds[member], whole);
  /** The current value is offered too, wherever it came from. */
  const callerIds = ({ line, callerId }: Draft): { readonly label: string }[] => {
    const presented = lines
      .filter(({ name }) => line === undefined || name === line)
      .flatMap((one) => [one.callerId, ...(one.callerIds ?? [])]);
    return [...new Set([...presented, callerId])].flatMap((label) => (label === undefined ? [] : [{ label }]));
  };
  const lineNames = ({ line }: Draft): readonly { readonly label: string; readonly description?: string }[] => [
    ...lines.map(({ name, address }) => ({ label: name, description: address })),
    ...(line === undefined || lines.some(({ name }) => name === line) ? [] : [{ label: line }]),
  ];

  return [
    {
      ask: textStep<Draft, 'name'>(boxes, 'name', ({ name = '' }) => ({
        prompt: l10n.t('A name for this profile'),
        value: name,
        check: (typed) =>
          typed === '' || typed.length > max ? l10n.t('Enter a name of 1 to 200 characters.') : undefined,
      })),
    },
    {
      ask: choiceStep<Draft, CallerProfile['voice']>(
        boxes,
        l10n.t('Which voice do you want tests to use?'),
        ({ voice }) => ({ choices: voiceChoices(l10n), chosen: voice }),
        (draft, voice) => ({ ...draft, voice }),
      ),
    },
    number('keyToneMs', l10n.t('Length of each key tone in milliseconds. Leave empty to use 100.'), '100'),
    number('keyGapMs', l10n.t('Silence after each key in milliseconds. Leave empty to use 100.'), '100'),
    number(
      'patienceSeconds',
      l10n.t('Seconds of silence before Dialtree hangs up. Leave empty to use the default for mappings and tests.'),
      '20',
      false,
    ),
    choice(
      'line',
      l10n.t('Which line do you want to use for calls?'),
      l10n.t('The line that serves the number'),
      lineNames,
    ),
    choice(
      'callerId',
      l10n.t('Which number do you want to call from?'),
      l10n.t('The caller ID of the line'),
      callerIds,
    ),
    number('concurrency', l10n.t('Maximum simultaneous calls per run. Leave empty for no limit.'), '4'),
  ];
}

const voiceChoices = (l10n: L10n): Choice<CallerProfile['voice']>[] => [
  { label: 'rms', detail: l10n.t('American man, the clearest voice over the phone'), value: 'rms' },
  { label: 'slt', detail: l10n.t('American woman'), value: 'slt' },
  { label: 'awb', detail: l10n.t('Scottish man'), value: 'awb' },
  { label: 'kal', detail: l10n.t('American man, older technology'), value: 'kal' },
  { label: 'kal16', detail: l10n.t('Like kal, with a wider frequency range'), value: 'kal16' },
];
