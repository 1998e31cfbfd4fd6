import * as z from 'zod';
import { limits } from '../../../contract/limits.ts';
import { runLoadTestSchema } from '../../../contract/loadTests.ts';
import type { LoadTest, RunLoadTest } from '../../../contract/loadTests.ts';
import { readArgument } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { Dialogs, Question } from '../../basics/dialogs/dialogs.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import { loadStatusWord } from '../../basics/words/outcomeWords.ts';
import type { WithConsent } from '../../calls/consent.ts';
import { startLoad } from '../../calls/startLoad.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { TestNames } from '../../testing/testNames.ts';
import type { Target, TargetQuestion } from '../targets/pickTarget.ts';
import { askLoadOptions, readNumber } from './loadOptions.ts';
import type { LoadOptions } from './loadOptions.ts';

interface LoadCommandParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly names: TestNames;
  readonly dialogs: Pick<Dialogs, 'ask' | 'askOrMore' | 'pick' | 'tell' | 'confirm'>;
  readonly pickTarget: (question: TargetQuestion) => Promise<Target | undefined>;
  /** Asks for consent if the service requires it. */
  readonly withConsent: WithConsent;
  readonly openReport: (loadTestId: string) => void;
  readonly l10n: L10n;
  readonly formats: Formats;
}

/** A row of the runs view also matches. */
const loadPlaceSchema = z.object({ loadTestId: z.uuid() });
const maxOffered = 50;

export function loadCommands(parts: LoadCommandParts): HandlersOf<'load'> {
  const { client, names, dialogs, openReport, l10n, formats } = parts;

  const pickLoad = async (placeHolder: string, status?: LoadTest['status']): Promise<string | undefined> => {
    const { items } = await client.call('listLoadTests', { limit: maxOffered, ...(status && { status }) });
    if (items.length === 0) {
      await dialogs.tell(l10n.t("This command doesn't apply to any of your load tests. Start a load test first."));
      return undefined;
    }
    await names.learn(items);
    return dialogs.pick(
      items.map((test) => ({
        label: names.of(test),
        value: test.id,
        detail: formats.moment(test.startedAt),
        description: [l10n.t('{0} simultaneous calls', test.concurrency), loadStatusWord(test.status, l10n)].join(', '),
      })),
      { title: l10n.t('Load Tests'), placeHolder },
    );
  };

  return {
    /** Returns the id of the load test. */
    'dialtree.load.start': async (value) => {
      const wanted = readArgument(runLoadTestSchema, value) ?? (await askForLoad(parts));
      return wanted && startLoad(parts, wanted);
    },
    'dialtree.load.cancel': async (value) => {
      const id =
        readArgument(loadPlaceSchema, value)?.loadTestId ??
        (await pickLoad(l10n.t('Which load test do you want to cancel?'), 'running'));
      if (id !== undefined) await client.call('cancelLoadTest', { id });
    },
    'dialtree.load.openReport': async (value) => {
      const id =
        readArgument(loadPlaceSchema, value)?.loadTestId ??
        (await pickLoad(l10n.t('Which load test do you want to open?')));
      if (id !== undefined) openReport(id);
    },
  };
}

async function askForLoad({ dialogs, pickTarget, l10n }: LoadCommandParts): Promise<RunLoadTest | undefined> {
  const title = l10n.t('Start Load Test');
  const target = await pickTarget({ title, named: false, tests: true });
  if (!target) return undefined;
  const question = (
    prompt: string,
    value: number,
    { min, max }: { readonly min: number; readonly max: number },
    whole = false,
  ): Question => ({
    title,
    prompt,
    value: String(value),
    check: (text) =>
      readNumber(text) >= min && readNumber(text) <= max && (!whole || Number.isInteger(readNumber(text)))
        ? undefined
        : whole
          ? l10n.t('Enter a whole number from {0} to {1}.', min, max)
          : l10n.t('Enter a number from {0} to {1}.', min, max),
  });
  const { calls, rampSeconds: ramps, holdSeconds: holds } = limits.loadTest;
  const wanted = await dialogs.ask(question(l10n.t('Simultaneous calls'), 10, calls, true));
  if (wanted === undefined) return undefined;
  const concurrency = readNumber(wanted);
  const ramp = await dialogs.ask(
    question(
      l10n.t('Ramp: seconds until all calls have started'),
      Math.min(ramps.max, Math.ceil(concurrency / 10)),
      ramps,
    ),
  );
  if (ramp === undefined) return undefined;
  // Few users need more options, so they are behind a button of the last question.
  const hold = await dialogs.askOrMore(
    question(
      l10n.t(
        'Hold: seconds to keep all calls connected. Press Enter to start the test, or select the gear icon for more options.',
      ),
      10,
      holds,
    ),
    l10n.t('More options…'),
  );
  if (!hold) return undefined;
  const options: LoadOptions | undefined = hold.more ? await askLoadOptions({ dialogs, l10n, title }) : {};
  return (
    options &&
    runLoadTestSchema.parse({
      phoneNumber: target.target,
      concurrency,
      rampSeconds: readNumber(ramp),
      holdSeconds: readNumber(hold.text),
      ...options,
    })
  );
}
