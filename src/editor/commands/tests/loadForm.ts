import { limits } from '../../../contract/limits.ts';
import { loadStageSchema, runLoadTestSchema, type RunLoadTest } from '../../../contract/loadTests.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { askFields, readTypedNumber, type DraftField } from '../../basics/dialogs/askFields.ts';
import type { L10n } from '../../basics/localise.ts';
import type { LoadSize } from '../../testing/running/runUnderLoad.ts';
import type { Editor } from '../editor.ts';
import { lengthProblem, loadOptionsTable, optionsSchema, type LoadDraft } from './loadOptions.ts';

type FormBasics = Pick<Basics, 'steps' | 'l10n' | 'context'>;

/** Asks what to call, and how often. Returns undefined if the user cancels. */
export async function askForLoad(editor: Editor): Promise<RunLoadTest | undefined> {
  const { pickTarget, l10n } = editor;
  const title = l10n.t('Start Load Test');
  const target = await pickTarget({ title, tests: true });
  const prompt = l10n.t(
    'Hold: seconds to keep all calls connected. Press Enter to start the test, or select the gear icon for more options.',
  );
  const size = target && (await askSize(editor, { title, prompt, usual: 10, isTest: false }));
  return size && runLoadTestSchema.parse({ phoneNumber: target.target, ...size });
}

/** Asks on how many calls to carry out a test. Returns undefined if the user cancels. */
export async function askLoadSize(parts: FormBasics): Promise<LoadSize | undefined> {
  const { l10n } = parts;
  const prompt = l10n.t(
    'Hold: seconds after the ramp until the test ends. It must be longer than one call of the test. Press Enter to start the test, or select the gear icon for more options.',
  );
  return askSize(parts, { title: l10n.t('Run Under Load'), prompt, usual: 120, isTest: true });
}

interface Subject {
  readonly title: string;
  readonly prompt: string;
  readonly usual: number;
  /** The calls carry out a test: they press its keys, and hang up when it ends. */
  readonly isTest: boolean;
}

/** Opening the options offers those of the last load test of the same kind. */
async function askSize(
  { l10n, steps, context: { workspaceState: memory } }: FormBasics,
  { title, prompt, usual, isTest }: Subject,
): Promise<LoadSize | undefined> {
  const parts = { dialogs: steps, l10n, title };
  const key = `dialtree.loadOptions.${isTest ? 'test' : 'calls'}`;
  let isOpened = false;
  const draft = await askFields<LoadDraft>(
    parts,
    (now) => sizeFields(now, { prompt, usual }, l10n),
    {},
    {
      table: (now) => loadOptionsTable(now, parts, isTest),
      opened(now) {
        const remembered = isOpened ? {} : optionsSchema.catch({}).parse(memory.get(key) ?? {});
        isOpened = true;
        return { ...remembered, ...now };
      },
    },
  );
  if (!draft) return undefined;
  if (isOpened) await memory.update(key, optionsSchema.parse(draft));
  const { concurrency = 1, rampSeconds = 0, holdSeconds = usual, ...options } = draft;
  return { concurrency, rampSeconds, holdSeconds, ...options };
}

function sizeFields(
  { concurrency = 10, rampSeconds, holdSeconds }: LoadDraft,
  { prompt, usual }: Pick<Subject, 'prompt' | 'usual'>,
  l10n: L10n,
): readonly DraftField<LoadDraft>[] {
  return [
    {
      member: 'concurrency',
      schema: loadStageSchema.shape.concurrency,
      prompt: l10n.t('Simultaneous calls'),
      text: String(concurrency),
    },
    {
      member: 'rampSeconds',
      schema: loadStageSchema.shape.rampSeconds,
      prompt: l10n.t('Ramp: seconds until all calls have started'),
      text: String(rampSeconds ?? Math.min(limits.loadTest.rampSeconds.max, Math.ceil(concurrency / 10))),
    },
    {
      member: 'holdSeconds',
      schema: runLoadTestSchema.shape.holdSeconds.unwrap(),
      prompt,
      text: String(holdSeconds ?? usual),
      check: (typed, now) => lengthProblem({ ...now, holdSeconds: readTypedNumber(typed) }, l10n),
    },
  ];
}
