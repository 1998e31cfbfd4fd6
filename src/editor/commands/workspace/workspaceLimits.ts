import type { Budgets, UpdateWorkspaceSettings, WorkspaceSettings } from '../../../contract/workspaceSettings.ts';
import { updateWorkspaceSettingsSchema } from '../../../contract/workspaceSettings.ts';
import type { Choice } from '../../basics/dialogs/dialogs.ts';
import type { L10n } from '../../basics/localise.ts';
import type { Editor } from '../editor.ts';

/**
 * One setting: its name, its current value, and the change that a typed text makes. Undefined means the text isn't
 * valid.
 */
interface Limit {
  readonly label: string;
  readonly now: string | undefined;
  readonly prompt: string;
  readonly change: (text: string) => UpdateWorkspaceSettings;
}

export async function setWorkspaceLimits({ client, dialogs, l10n }: Editor): Promise<void> {
  for (let settings = await client.call('getWorkspaceSettings', {}); ;) {
    const title = l10n.t('Budgets and Retention');
    const limit = await dialogs.pick(
      limitsOf(settings, l10n).map((one): Choice<Limit> => ({
        label: one.label,
        description: one.now ?? l10n.t('not set'),
        detail: one.prompt,
        value: one,
      })),
      { title, placeHolder: l10n.t('What do you want to change for this workspace?') },
    );
    if (!limit) return;
    const read = (text: string): ReturnType<typeof updateWorkspaceSettingsSchema.safeParse> =>
      updateWorkspaceSettingsSchema.safeParse(limit.change(text.trim()));
    const typed = await dialogs.ask({
      title,
      prompt: l10n.t('{0} Leave empty to remove the setting.', limit.prompt),
      value: limit.now ?? '',
      check: (text) => {
        const { error } = read(text);
        return (
          error &&
          (error.issues[0]?.message ?? l10n.t("This value isn't valid. Enter another value, or leave the field empty."))
        );
      },
    });
    if (typed !== undefined) settings = await client.call('updateWorkspaceSettings', read(typed).data ?? {});
  }
}

function limitsOf({ budgets, recordingDays, forbiddenKeys, currency }: WorkspaceSettings, l10n: L10n): Limit[] {
  const number = (text: string): number | null => (text === '' ? null : Number(text.replace(',', '.')));
  /** `perUnit`: the user's unit in units of the service. */
  const budget = (name: keyof Budgets, label: string, prompt: string, perUnit = 1): Limit => {
    const value = budgets[name];
    return {
      label,
      prompt,
      now: value === undefined ? undefined : String(value / perUnit),
      change: (text) => {
        const typed = number(text);
        return { budgets: { [name]: typed === null ? null : typed * perUnit } };
      },
    };
  };
  return [
    budget('secondsPerRun', l10n.t('Minutes per run'), l10n.t('Maximum call minutes per run.'), 60),
    budget('secondsPerDay', l10n.t('Minutes per day'), l10n.t('Maximum call minutes per day (UTC).'), 60),
    budget('callsPerDay', l10n.t('Calls per day'), l10n.t('Maximum calls per day (UTC).')),
    budget(
      'costPerDay',
      l10n.t('Cost per day'),
      l10n.t('Maximum cost per day (UTC) in {0}, based on the rates in the dial plan.', currency),
    ),
    budget(
      'tokensPerDay',
      l10n.t('Model tokens per day'),
      l10n.t('Maximum tokens of the language model per day (UTC).'),
    ),
    {
      label: l10n.t('Currency'),
      prompt: l10n.t('The currency of the rates in the dial plan, such as USD.'),
      now: currency,
      change: (text) => ({ currency: text === '' ? null : text.toUpperCase() }),
    },
    {
      label: l10n.t('Forbidden keys'),
      prompt: l10n.t(
        'Keys that Dialtree never presses on the public network. For example, enter 9* to forbid the keys 9 and *.',
      ),
      now: forbiddenKeys === '' ? undefined : forbiddenKeys,
      change: (text) => ({ forbiddenKeys: text === '' ? null : text }),
    },
    {
      label: l10n.t('Days to keep recordings'),
      prompt: l10n.t('The service deletes recordings after this number of days.'),
      now: recordingDays === undefined ? undefined : String(recordingDays),
      change: (text) => ({ recordingDays: number(text) }),
    },
  ];
}
