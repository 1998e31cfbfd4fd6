import { allowedTargetSchema, keyLimitsSchema, practiceTargets, type KeyLimits } from '../../contract/keyLimits.ts';
import { askScopes } from '../basics/dialogs/askScopes.ts';
import type { Choice } from '../basics/dialogs/dialogs.ts';
import type { L10n } from '../basics/localise.ts';
import { agentKeyNameOn, agentScopes } from '../agents/agentKey.ts';
import { clientConfig, mcpClients, otherClient, type McpClient } from '../agents/clientConfig.ts';
import type { Editor } from './editor.ts';

type Step = 'on' | 'off' | 'numbers' | 'calls' | 'minutes' | 'copy' | 'guide';

/** Shows what agents may do, and lets the user change it repeatedly. */
export async function configure(editor: Editor): Promise<void> {
  const { agents, settings, workbench, dialogs, run, l10n } = editor;
  const title = l10n.t('Let Agents Use Dialtree');
  for (;;) {
    const limits = settings().agents.enabled ? await limitsOf(agents) : undefined;
    const step = await dialogs.pick<Step>(
      limits
        ? stepsOf(limits, l10n)
        : [
            {
              label: `$(circle-slash) ${l10n.t("Agents can't use Dialtree")}`,
              detail: l10n.t(
                'Turn on to give agents a limited key. With this key, they can read trees and tests, and call the numbers that you allow.',
              ),
              value: 'on',
            },
            guide(l10n),
          ],
      { title, placeHolder: l10n.t('What do you want to change?') },
    );
    if (step === undefined) return;
    if (step === 'guide') {
      await run('dialtree.guide.open', { slug: 'agents' });
      return;
    }
    if (step === 'copy') {
      await copyConfig(editor);
      return;
    }
    if (step === 'on') await workbench.enableAgents(true);
    else if (step === 'off') await turnOff(editor);
    else if (limits) {
      const changed =
        step === 'numbers' ? await changeNumbers(limits, editor) : await changeBudget(step, limits, editor);
      if (changed) await agents.key.changeLimits(changed);
    }
  }
}

/** Clients with their own keys are agents too. The user decides whether to revoke these keys as well. */
async function turnOff({ agents: { access, key }, workbench, dialogs, l10n }: Editor): Promise<void> {
  const others = await key.others();
  const answer = await dialogs.pick<'keep' | 'own' | 'all'>(
    [
      { label: l10n.t('Keep agents on'), value: 'keep' },
      {
        label: l10n.t('Turn off and revoke the key'),
        detail: l10n.t('Agents of this editor lose their tools, and their calls end.'),
        value: 'own',
      },
      ...(others.length === 0
        ? []
        : [
            {
              label: l10n.t('Turn off, and revoke the keys of other clients too'),
              detail: others.map(({ name, keyPrefix }) => `${name} (${keyPrefix})`).join(', '),
              value: 'all' as const,
            },
          ]),
    ],
    { title: l10n.t('Turn Off Agents'), placeHolder: l10n.t('Do you want to turn agents off?') },
  );
  if (answer === undefined || answer === 'keep') return;
  await workbench.enableAgents(false);
  await access.settle();
  if (answer === 'all') await key.revokeOthers(others);
}

/** Creates the key if there is none. The service stores its limits. */
async function limitsOf({ access, key }: Editor['agents']): Promise<KeyLimits> {
  await access.endpoint();
  return (await key.find())?.limits ?? {};
}

function stepsOf({ numbers, callsPerDay, secondsPerDay }: KeyLimits, l10n: L10n): Choice<Step>[] {
  const unbounded = l10n.t('no limit');
  return [
    {
      label: `$(call-outgoing) ${l10n.t('Numbers that agents can call')}`,
      value: 'numbers',
      description: numbers ? numbers.map((number) => numberWord(number, l10n)).join(', ') || l10n.t('none') : unbounded,
      detail: l10n.t('Dialtree asks you before agents call any other number'),
    },
    {
      label: `$(graph) ${l10n.t('Calls per day')}`,
      description: callsPerDay === undefined ? unbounded : String(callsPerDay),
      detail: l10n.t('For all agents combined. The day starts at midnight UTC.'),
      value: 'calls',
    },
    {
      label: `$(clock) ${l10n.t('Minutes per day')}`,
      description: secondsPerDay === undefined ? unbounded : String(secondsPerDay / 60),
      detail: l10n.t('For all agents combined. The day starts at midnight UTC.'),
      value: 'minutes',
    },
    {
      label: `$(copy) ${l10n.t('Copy MCP Configuration…')}`,
      detail: l10n.t('For Claude, Cursor and other MCP clients, with a separate key'),
      value: 'copy',
    },
    guide(l10n),
    {
      label: `$(circle-slash) ${l10n.t('Turn Off…')}`,
      detail: l10n.t("Agents can use Dialtree. Turn off to revoke the agents' key and remove their tools."),
      value: 'off',
    },
  ];
}

const guide = (l10n: L10n): Choice<Step> => ({ label: `$(book) ${l10n.t('How agents use Dialtree')}`, value: 'guide' });
const numberWord = (number: string, l10n: L10n): string =>
  number === practiceTargets ? l10n.t('practice IVRs on this machine') : number;

/**
 * Applies to the limits at the time of the change, because an agent may have been allowed to call another number in the
 * meantime.
 */
type Change = (limits: KeyLimits) => KeyLimits;

async function changeNumbers(limits: KeyLimits, { dialogs, l10n }: Editor): Promise<Change | undefined> {
  const title = l10n.t('Numbers That Agents Can Call');
  const { numbers = [practiceTargets] } = limits;
  const chosen = await dialogs.pick<string>(
    [
      { label: `$(add) ${l10n.t('Allow a number…')}`, value: '' },
      ...(numbers.includes(practiceTargets)
        ? []
        : [{ label: `$(add) ${l10n.t('Allow practice IVRs on this machine')}`, value: practiceTargets }]),
      ...numbers.map((number) => ({
        label: `$(close) ${numberWord(number, l10n)}`,
        group: l10n.t('Choose a number to remove it'),
        value: number,
      })),
    ],
    { title, placeHolder: l10n.t('Allow a number, or remove one') },
  );
  if (chosen === undefined) return undefined;
  if (numbers.includes(chosen))
    return ({ numbers: now = numbers, ...rest }) => ({ ...rest, numbers: now.filter((number) => number !== chosen) });
  const typed =
    chosen === practiceTargets
      ? chosen
      : await dialogs.ask({
          title,
          prompt: l10n.t(
            'A number or SIP address that agents can call without asking you. To enter a prefix, end it with *.',
          ),
          placeHolder: '+12025550101',
          check: (text) =>
            allowedTargetSchema.safeParse(text.trim()).error?.issues[0]?.message ?? tooMany([...numbers, text.trim()]),
        });
  return typed === undefined
    ? undefined
    : ({ numbers: now = numbers, ...rest }) => ({ ...rest, numbers: [...new Set([...now, typed.trim()])] });
}

const tooMany = (numbers: readonly string[]): string | undefined =>
  keyLimitsSchema.safeParse({ numbers }).error?.issues[0]?.message;

async function changeBudget(
  step: 'calls' | 'minutes',
  limits: KeyLimits,
  { dialogs, l10n }: Editor,
): Promise<Change | undefined> {
  const [member, unit] = step === 'calls' ? (['callsPerDay', 1] as const) : (['secondsPerDay', 60] as const);
  const changed = (text: string, { [member]: _before, ...rest }: KeyLimits): KeyLimits =>
    text.trim() === '' ? rest : { ...rest, [member]: Number(text.trim().replace(',', '.')) * unit };
  const before = limits[member];
  const typed = await dialogs.ask({
    title: step === 'calls' ? l10n.t('Calls per day') : l10n.t('Minutes per day'),
    value: before === undefined ? '' : String(before / unit),
    prompt:
      step === 'calls'
        ? l10n.t("Maximum calls per day (UTC) for all agents combined. Leave empty to use the workspace's limit.")
        : l10n.t(
            "Maximum call minutes per day (UTC) for all agents combined. Leave empty to use the workspace's limit.",
          ),
    check: (text) => {
      const { error } = keyLimitsSchema.safeParse(changed(text, limits));
      return (
        error &&
        (error.issues[0]?.message ?? l10n.t("This value isn't valid. Enter another value, or leave the field empty."))
      );
    },
  });
  return typed === undefined ? undefined : (then) => changed(typed, then);
}

/**
 * Copies what another MCP client needs: the address, or the command that starts the embedded service, and the client's
 * own key with the limits of agents, or a placeholder.
 */
export async function copyConfig(editor: Editor): Promise<void> {
  const { agents, mcpCommand, settings, clock, dialogs, l10n } = editor;
  const { access, key } = agents;
  const title = l10n.t('Copy MCP Configuration');
  const client = await dialogs.pick<McpClient>(
    [...mcpClients, otherClient(l10n.t('Another client'))].map((one) => ({
      label: one.label,
      detail: one.file,
      value: one,
    })),
    { title, placeHolder: l10n.t('Which client do you want to configure?') },
  );
  if (!client) return;
  const { mcpUrl } = await access.endpoint();
  const withKey = await dialogs.pick<boolean>(
    [
      {
        label: l10n.t('With a new key'),
        detail: l10n.t(
          "The configuration contains a new key with the same limits as the agents' key. To revoke the new key, run “Dialtree: Open Account Page”.",
        ),
        value: true,
      },
      {
        label: l10n.t('Without a key'),
        detail: l10n.t('The configuration contains the word KEY instead of a key.'),
        value: false,
      },
    ],
    { title, placeHolder: l10n.t('Do you want to create a key for this client?') },
  );
  if (withKey === undefined) return;
  const scopes = withKey ? await askScopes(agentScopes, title, dialogs, l10n) : [];
  if (scopes === undefined) return;
  const newKey = withKey
    ? await key.create(agentKeyNameOn(new Date(clock.now()), client.label), (await key.find())?.limits, scopes)
    : undefined;
  const isRemote = settings().service.mode === 'remote';
  // The embedded service gets another port at each start, and ends when it is idle.
  const text = clientConfig(client, isRemote ? { mcpUrl } : mcpCommand, newKey?.apiKey ?? 'KEY');
  await dialogs.copy(text);
  const copied = newKey
    ? l10n.t("Copied the configuration with the key {0}. Dialtree won't show the key again.", newKey.keyPrefix)
    : l10n.t('Copied the configuration. Replace KEY with an API key.');
  await dialogs.tell(
    isRemote
      ? copied
      : `${copied} ${l10n.t('The command starts the service if necessary, also while this editor is closed. Copy the configuration again after an update of Dialtree.')}`,
    { title: l10n.t('Copy Again'), run: () => dialogs.copy(text) },
  );
}
