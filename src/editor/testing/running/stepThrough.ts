import type { RunResults } from '../../../contract/testRuns.ts';
import type { StepAction, TestStep } from '../../../contract/testConfigs.ts';
import { followRun, launchOf, type Ending, type RunnerParts, type TestToRun } from '../../../runner/runTest.ts';
import { secretColumns, textsOf } from '../../../model/secrets/secretSteps.ts';
import { columnsIn } from '../../../model/tests/columnUse.ts';
import { uuidOf } from '../../../runner/testId.ts';
import { HumanError } from '../../../contract/errors.ts';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import { isCode } from '../../basics/errors.ts';
import type { L10n } from '../../basics/localise.ts';
import type { WithConsent } from '../../calls/consent.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';

/** What to do next: the steps to give, or the end of the call. */
type Choice = { readonly give: readonly TestStep[]; readonly own: number } | 'press' | 'say' | 'hangUp';

interface StepThroughParts extends Pick<RunnerParts, 'client'> {
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  readonly l10n: L10n;
  readonly withConsent: WithConsent;
  readonly dialogs: Pick<Dialogs, 'pick' | 'ask'>;
}

/**
 * Carries out a scripted test on one call, and asks before each step what to do: this step, the rest, other keys, other
 * words, or hang up. Returns undefined if the user declines or stops it.
 */
export async function stepThrough(
  { client, feed, l10n, withConsent, dialogs }: StepThroughParts,
  toRun: TestToRun,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (results: RunResults) => void },
): Promise<Ending | undefined> {
  const { test } = launchOf(toRun);
  if (!test)
    throw new HumanError(l10n.t('Only scripted tests can be run step by step. A mission decides its own steps.'));
  const { rows, id: _id, fromFile: _fromFile, ...content } = test;
  const [row = {}] = toRun.rows ?? rows ?? [];
  const secret = secretColumns(test.steps);
  const [first, ...rest] = test.steps.map((step) => withValues(step, row, secret));
  if (!first) return undefined;
  // A separate test, so that it changes neither the saved test nor its history.
  const begun = { ...content, name: l10n.t('{0}, step by step', test.name.slice(0, 150)), steps: [first] };
  const configId = uuidOf(`stepThrough:${toRun.id}`);
  const launched = await withConsent({ test: begun, guided: true }, () =>
    client.call('runTest', { configId, test: begun, guided: true }),
  );
  const runId = launched?.items[0]?.id;
  if (runId === undefined) return undefined;

  let ended = 0;
  let over = false;
  let wake: () => void = () => undefined;
  const following = followRun(
    { client, follow: feed.follow },
    runId,
    (results) => {
      ended = results.steps.length;
      over = results.status === 'completed';
      onRead(results);
      wake();
    },
    signal,
  ).finally(() => {
    over = true;
    wake();
  });
  /** Resolves when this many steps, or the call, have ended. */
  const untilEnded = async (steps: number): Promise<void> => {
    while (ended < steps && !over)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  try {
    let given = 1;
    for (let own = 0; ;) {
      await untilEnded(given);
      if (over || signal.aborted) break;
      const choice = await askNext(rest.slice(own), { l10n, dialogs });
      if (signal.aborted) break;
      const steps = typeof choice === 'object' ? choice.give : await stepOf(choice, { l10n, dialogs });
      own += typeof choice === 'object' ? choice.own : 0;
      for (const step of steps) await client.call('guideTestRun', { runId, step });
      given += steps.length;
      if (choice === 'hangUp') break;
    }
  } catch (error) {
    if (!isCode(error, 'already_ended')) {
      following.catch(() => undefined);
      await client.call('cancelTestRun', { runId });
      throw error;
    }
  }
  try {
    return await following;
  } catch (error) {
    if (!signal.aborted) throw error;
    await client.call('cancelTestRun', { runId });
    return undefined;
  }
}

async function askNext(
  rest: readonly TestStep[],
  { l10n, dialogs }: Pick<StepThroughParts, 'l10n' | 'dialogs'>,
): Promise<Choice> {
  const [next] = rest;
  const choices: { readonly label: string; readonly description?: string; readonly value: Choice }[] = [
    ...(next
      ? [
          { label: l10n.t('Next: {0}', next.name), description: wordsOf(next), value: { give: [next], own: 1 } },
          { label: l10n.t('Run the rest'), value: { give: rest, own: rest.length } },
        ]
      : []),
    { label: l10n.t('Press other keys…'), value: 'press' },
    { label: l10n.t('Say something else…'), value: 'say' },
    { label: l10n.t('Hang up'), value: 'hangUp' },
  ];
  const chosen = await dialogs.pick(choices, {
    title: l10n.t('The call waits'),
    placeHolder: l10n.t('What is the next step? The transcript is in the test results.'),
    ignoreFocusOut: true,
  });
  return chosen ?? 'hangUp';
}

/** Returns the step that the user describes, or none if they change their mind. */
async function stepOf(
  choice: 'press' | 'say' | 'hangUp',
  { l10n, dialogs }: Pick<StepThroughParts, 'l10n' | 'dialogs'>,
): Promise<readonly TestStep[]> {
  const step = (action: StepAction): TestStep[] => [{ name: nameOf(action), action, passThreshold: 0.8 }];
  if (choice === 'hangUp') return step({ type: 'hangUp' });
  if (choice === 'press') {
    const keys = await dialogs.ask({
      title: l10n.t('Press other keys…'),
      prompt: l10n.t('Keys are 0-9, * and #; a comma pauses for half a second'),
      check: (text) => (/^[0-9*#,]{1,64}$/.test(text) ? undefined : l10n.t('Keys are 0-9, * and #')),
    });
    return keys === undefined ? [] : step({ type: 'press', keys });
  }
  const text = await dialogs.ask({ title: l10n.t('Say something else…'), prompt: l10n.t('Words to say') });
  return text === undefined || text.trim() === '' ? [] : step({ type: 'say', text });
}

const nameOf = (action: StepAction): string =>
  [action.type, action.type === 'press' ? action.keys : action.type === 'say' ? action.text : ''].join(' ').trim();

const wordsOf = ({ action, secret }: TestStep): string => (secret === true ? action.type : nameOf(action));

/**
 * Returns the step with the values of a row. The service learns from each step alone what is secret, so a step that uses
 * a secret column is secret too. It would show the words that a step expects, so they accept any value there.
 */
function withValues(step: TestStep, row: Readonly<Record<string, string>>, secret: ReadonlySet<string>): TestStep {
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, column: string) => row[column] ?? whole);
  const { action, expectedTranscript } = step;
  const open = expectedTranscript?.replaceAll(/\{(\w+)\}/g, (whole, column: string) =>
    secret.has(column) ? '*' : whole,
  );
  return {
    ...step,
    ...(textsOf(action)
      .flatMap(columnsIn)
      .some((column) => secret.has(column)) && { secret: true }),
    ...(open !== undefined && { expectedTranscript: filled(open) }),
    action:
      action.type === 'press'
        ? { ...action, keys: filled(action.keys) }
        : action.type === 'say'
          ? { ...action, text: filled(action.text) }
          : action,
  };
}
