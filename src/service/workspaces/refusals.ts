import { HumanError } from '../../contract/errors.ts';
import type { Quota } from '../../contract/limits.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { BudgetName } from '../../contract/workspaceSettings.ts';
import { dayOf, freeOf, rounding } from './account.ts';
import type { LimitOwner, MinutesAdvice, Reading, Workspace } from './account.ts';
import { grantsMinutes } from './operatorContact.ts';

const poolNames: Readonly<Record<Pool, string>> = {
  testing: 'tests',
  loadTesting: 'load tests',
  mapping: 'mapping',
  s2s: 'speech to speech',
  s2stest: 'speech-to-speech tests',
};

export const claimLink = { method: 'POST', path: '/claim', tool: 'getClaimLink' } as const;

export function minutesExhausted(
  { kind, claimed_at: claimedAt, tier }: Workspace,
  pool: Pool,
  { contact, sendsCodes = false }: MinutesAdvice,
): HumanError {
  const unclaimed = kind === 'agent' && !claimedAt;
  const verify =
    sendsCodes && tier === 'free'
      ? " Verify a person's mobile number (requestAnchorCode) to get free minutes, once per number."
      : '';
  const claim = unclaimed ? ' A person can claim the workspace (getClaimLink).' : '';
  return new HumanError(
    `This workspace has no minutes left for ${poolNames[pool]}. The key stays valid.${verify}${claim} ${grantsMinutes(contact)}`,
    {
      status: 402,
      code: 'capacity_exhausted',
      ...(unclaimed && { claim: claimLink }),
    },
  );
}

/** For a run that will fit once active runs release what they don't use. */
export const minutesHeld = (pool: Pool): HumanError =>
  new HumanError(
    `The remaining minutes for ${poolNames[pool]} are reserved for runs in progress. Wait for one to end.`,
    {
      status: 429,
      code: 'concurrency_ceiling',
    },
  );

export const tooManyRuns = (limit: number): HumanError =>
  new HumanError(
    `This workspace has ${String(limit)} runs in progress, which is the maximum for its tier. Wait for one to end.`,
    { status: 429, code: 'concurrency_ceiling' },
  );

const units: Readonly<Record<Exclude<BudgetName, 'costPerDay'>, string>> = {
  secondsPerRun: 's of call time',
  secondsPerDay: 's of call time',
  callsPerDay: 'calls',
  tokensPerDay: 'tokens of the language model',
};
const owners: Readonly<Record<LimitOwner, string>> = {
  workspace: 'workspace',
  key: 'API key',
  tier: "workspace's tier",
};

/** Which budget refuses. A daily one is renewed at the end of the UTC day. */
interface BudgetRow {
  readonly of: LimitOwner;
  readonly name: BudgetName;
  readonly window: 'run' | 'day';
}

export function budgetExceeded(
  { of, name, window }: BudgetRow,
  reading: Reading,
  wanted: number,
  { currency, now }: { readonly currency: string; readonly now: Date },
): HumanError {
  const { limit, used, held } = reading;
  const left = freeOf(reading);
  const amount = (value: number): string => {
    const shown = Math.round(value * 100) / 100;
    const unit = name === 'costPerDay' ? currency : units[name];
    return `${String(shown)} ${shown === 1 ? unit.replace(/^(call|token)s/, '$1') : unit}`;
  };
  const tomorrow = new Date(dayOf(now).getTime() + 86_400_000);
  const daily = window === 'day';
  const places = name === 'costPerDay' ? 100 : 1;
  const ways = [
    ...(held > 0 && wanted <= limit - used ? ['wait for runs in progress to end'] : []),
    ...(daily && wanted <= limit ? ['try again tomorrow'] : []),
    of === 'tier'
      ? 'ask the operator of this server for another tier'
      : `${of === 'key' ? 'ask the person responsible for its calls to ' : ''}raise the budget to ${amount(Math.ceil((used + held + wanted - rounding) * places) / places)} or more (${of === 'key' ? 'updateApiKey' : 'updateWorkspaceSettings'})`,
  ];
  const message = `${
    daily
      ? `This request may use up to ${amount(wanted)}, but the budget ${name} of this ${owners[of]} (${amount(limit)}) has only ${amount(left)} left: ${amount(used)} used today (UTC), ${amount(held)} reserved for runs in progress.`
      : `A run may use up to ${amount(wanted)}, but the budget ${name} of this workspace is ${amount(limit)}.`
  } You can ${ways.join(', or ')}.`;
  return new HumanError(message, {
    status: 402,
    code: 'budget_exceeded',
    details: {
      of,
      budget: name,
      limit,
      used,
      setAside: held,
      left,
      wanted,
      ...(daily && { renewedAt: tomorrow.toISOString() }),
    },
  });
}

/** Its name, and how to free space. */
const storedThings: Readonly<Record<Quota, readonly [what: string, room: string]>> = {
  mappings: ['mapping jobs', 'Delete jobs that you no longer need (deleteMapping).'],
  mappingRuns: ['mapping runs', 'Delete jobs that you no longer need, with their runs (deleteMapping).'],
  missionTests: ['mission tests', 'Delete tests that you no longer need (deleteMissionTestConfig).'],
  tests: ['scripted tests', 'Delete tests that you no longer need (deleteTestConfig).'],
  testBytes: ['steps and rows of scripted tests', 'Delete or shorten tests (deleteTestConfig, updateTestConfig).'],
  testRuns: ['test runs', 'Delete runs that you no longer need (deleteTestRun).'],
  loadTests: ['load tests', 'Delete load tests that you no longer need (deleteLoadTest).'],
  recordingBytes: [
    'recordings',
    'Delete mapping jobs, test runs or load tests (deleteMapping, deleteTestRun, deleteLoadTest), or set recordingDays to delete old recordings (updateWorkspaceSettings).',
  ],
  consents: ['numbers with consent', 'Ask the operator of this service for a higher tier.'],
  answers: ['responses stored for Idempotency-Key', 'Leave out the header, or wait: responses are kept for a day.'],
  answerBytes: ['responses stored for Idempotency-Key', 'Leave out the header, or wait: responses are kept for a day.'],
};

export function quotaExceeded(quota: Quota, { used, limit }: Reading, wanted: number): HumanError {
  const [what, room] = storedThings[quota];
  const isBytes = quota.endsWith('Bytes');
  const amount = (value: number): string => (isBytes ? `${(value / 1e6).toFixed(2)} MB` : String(value));
  const more = wanted > 0 ? ` This request would add ${amount(wanted)}.` : '';
  return new HumanError(
    `This workspace has ${amount(used)}${isBytes ? ' of' : ''} ${what}. Its tier allows up to ${amount(limit)}.${more} ${room}`,
    { status: 409, code: 'quota_exceeded', details: { quota, used, limit, ...(wanted > 0 && { wanted }) } },
  );
}
