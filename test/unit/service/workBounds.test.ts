import assert from 'node:assert/strict';
import { limits, serverLimits } from '../../../src/contract/limits.ts';
import { operations, type OperationName } from '../../../src/contract/operations.ts';
import type { TestStep } from '../../../src/contract/testConfigs.ts';
import type { RunResults } from '../../../src/contract/testRuns.ts';
import { withoutMarks } from '../../../src/model/dataMark.ts';
import { heardInstead } from '../../../src/model/tests/heardInstead.ts';
import { readTestFile, type TestFile } from '../../../src/model/tests/testFile.ts';
import { buildTree } from '../../../src/model/tree/treeBuild.ts';
import { silentLog } from '../../../src/service/basics/log.ts';
import { parseJson } from '../../../src/service/http/body.ts';
import { describeFailure } from '../../../src/service/http/errors.ts';
import { parseArguments } from '../../../src/service/http/issueWords.ts';
import { markedError } from '../../../src/service/http/markedText.ts';
import { risksAlong } from '../../../src/service/planning/planRisks.ts';
import { pressedByPlans } from '../../../src/service/testing/planKeys.ts';
import { assertColumns, assertValues } from '../../../src/service/testing/planValues.ts';
import { launchBudget, plansOf, textsOfPlans } from '../../../src/service/testing/testPlan.ts';

/** What a stranger can make the service do, at the limits, and plain input of as many bytes. */
interface Work {
  readonly title: string;
  readonly atLimits: () => unknown;
  readonly plain: () => unknown;
}

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
/** Returns as many items as fit into a request, with `room` left. */
const filling = <Item>(item: (index: number) => Item, room = 200_000): Item[] =>
  times(Math.floor((serverLimits.bodyBytes - room) / (JSON.stringify(item(10_000)).length + 1)), item);

const step = (action: TestStep['action'], more: Partial<TestStep> = {}): TestStep => ({
  name: 'Step',
  action,
  passThreshold: 0.8,
  ...more,
});
const testOf = (steps: readonly object[], rows?: readonly object[]): object => ({
  name: 'A',
  phoneNumber: '+12025550101',
  steps,
  ...(rows && { rows }),
});
const plainTest = testOf([step({ type: 'dial' })]);

/** Answers a request as the doors do, up to its handler. A refusal becomes the answer of a tool. */
function answer(operation: OperationName, text: string): string {
  try {
    const input = parseArguments(operations[operation].input, withoutMarks(parseJson(text))) as Parameters<
      typeof assertColumns
    >[0];
    if (operation === 'createTestConfig') assertColumns(input);
    return JSON.stringify(input);
  } catch (error) {
    const { status, body } = describeFailure(error, 'request', silentLog);
    return JSON.stringify(body) + markedError({ ...body, status }, '0123456789abcdef01234567');
  }
}

/** A request of as many bytes whose rows are valid. */
function plainRequest(bytes: number): string {
  const rows = times(Math.min(limits.rows.max, Math.ceil(bytes / 500)), () => ({ a: 'x'.repeat(480) }));
  return JSON.stringify({ ...plainTest, rows }).padEnd(bytes);
}
function request(title: string, input: object): Work {
  const text = JSON.stringify(input);
  assert.ok(text.length <= serverLimits.bodyBytes, `${title}: ${String(text.length)} bytes`);
  const plain = plainRequest(text.length);
  return {
    title: `a request with ${title}`,
    atLimits: () => answer('createTestConfig', text),
    plain: () => answer('createTestConfig', plain),
  };
}

const columns = (count: number): string[] => times(count, (index) => `column_with_a_long_name_${String(index)}`);
const names = (count: number, from: number): string =>
  times(count, (index) => `{column_with_a_lung_name_${String(from + index)}x}`).join(' ');

/** Reads a launch as planCalls does. */
function plan(steps: readonly TestStep[], rows: readonly Record<string, string>[]): unknown {
  const plans = plansOf({ steps: [...steps], rows: [...rows] });
  textsOfPlans(plans);
  assertValues(plans);
  return [pressedByPlans(plans, '9'), launchBudget(plans), risksAlong(plans, options)];
}
const options = times(limits.tree.steps, (index) => ({
  keys: [...String(index)],
  label: 'Pay the balance of your account now',
}));

const read = (test: object): Promise<TestFile | object> =>
  readTestFile(JSON.stringify(test), 'a.calltest.json', () => Promise.reject(new Error('none')));
const runWith = (expectedTranscript: string): Pick<RunResults, 'steps'> => ({
  steps: [{ name: 'Step', outcome: 'FAIL', similarity: 0.1, expectedTranscript, transcript: 'Good day.' }],
});
const words = (count: number): string => times(count, () => 'a').join(' ');

describe('the work for what a stranger sends', () => {
  const expecting = async (expectedTranscript: string): Promise<TestFile> => {
    const file = await read(testOf([step({ type: 'dial' }, { expectedTranscript })]));
    return file as TestFile;
  };
  const longText = limits.missionText.max / 2;
  const treeSteps = (kind: 'linked' | 'explored') =>
    times(limits.tree.steps, (index) => ({
      stepId: String(index),
      ...(index > 0 && { parentId: String(Math.floor((index - 1) / 9)) }),
      digit: '1',
      status: index > 1 && index % 2 === 1 ? kind : ('explored' as const),
      ...(kind === 'linked' && { linksTo: String(index + 1) }),
    }));

  const works: (() => Promise<Work> | Work)[] = [
    () =>
      request('unknown members', {
        ...plainTest,
        ...Object.fromEntries(filling((index) => [`“${String(index)}” a`, 1], 300_000)),
      }),
    () =>
      request('columns with a wrong name', {
        ...plainTest,
        rows: [Object.fromEntries(filling((index) => [`a ${String(index)}”`, ''], 300_000))],
      }),
    () => request('wrong steps', { ...plainTest, steps: times(serverLimits.bodyValues - 40, () => 0) }),
    () => request('steps of text', { ...plainTest, steps: filling((index) => `{"name":${String(index)}}`) }),
    () =>
      request(
        'unknown names',
        testOf(
          times(limits.steps.max, (index) =>
            step({ type: 'dial' }, { expectedTranscript: names(limits.steps.names, index * limits.steps.names) }),
          ),
          times(50, () => Object.fromEntries(columns(limits.rows.columns).map((name) => [name, '1']))),
        ),
      ),
    () => {
      const rows = times(limits.rows.max, (index) =>
        Object.fromEntries(times(20, (column) => [`c${String(column)}`, String(index)])),
      );
      const keys = times(20, (column) => `{c${String(column)}}`).join('');
      const pay = (index: number): TestStep => step({ type: 'press', keys }, { name: `Pay the bill ${String(index)}` });
      const most = times(limits.steps.max, pay).slice(0, 140);
      const bytes = JSON.stringify(plansOf({ steps: most, rows })).length;
      const long = step({ type: 'say', text: 'Hello' }, { expectedTranscript: words(longText) });
      const each = JSON.stringify(plansOf({ steps: [long], rows: [{ a: '' }] })).length;
      const plainRows = times(limits.rows.max, () => ({ a: '' }));
      return {
        title: 'a plan of many steps and rows',
        atLimits: () => plan(most, rows),
        plain: () =>
          plan(
            times(Math.floor(bytes / each / limits.rows.max), () => long),
            plainRows,
          ),
      };
    },
    () => {
      const filled = step({ type: 'press', keys: '{key}' }, { expectedTranscript: `{a} ${'. '.repeat(longText - 8)}` });
      const said = step({ type: 'press', keys: '{key}' }, { expectedTranscript: words(longText) });
      const rows = times(limits.rows.max, (index) => ({ a: `yes ${String(index)}`, key: '12,'.repeat(160) }));
      return {
        title: 'rows for long texts',
        atLimits: () => plan([filled, filled, filled], rows),
        plain: () => plan([said, said, said], rows),
      };
    },
    async () => {
      const wild = await expecting(
        times(longText, () => '*')
          .join(' ')
          .slice(0, -2) + ' z',
      );
      const plain = await expecting(words(longText));
      const heard = words(longText * 2);
      return {
        title: 'accepting words for many placeholders',
        atLimits: () => heardInstead(wild, runWith(heard), 0),
        plain: () => [heardInstead(plain, runWith(heard), 0), JSON.parse(JSON.stringify(heard))],
      };
    },
    () => {
      const wrong = {
        ...plainTest,
        ...Object.fromEntries(times(20_000, (index) => [`member ${String(index)}`, 1])),
      };
      const rows = times(1000, () => ({ a: 'x'.repeat(JSON.stringify(wrong).length / 1000) }));
      return {
        title: 'a file with unknown members',
        atLimits: () => read(wrong),
        plain: () => read({ ...plainTest, rows }),
      };
    },
    () => ({
      title: 'a stored tree of links',
      atLimits: () => buildTree(treeSteps('linked')),
      plain: () => buildTree(treeSteps('explored')),
    }),
  ];

  it('takes less than a multiple of the processor time of plain input of as many bytes', async () => {
    const slow: string[] = [];
    for (const make of works) {
      const { title, atLimits, plain } = await make();
      const [most, least] = [await cpuMs(atLimits), await cpuMs(plain)];
      if (process.env['DIALTREE_TEST_TABLE'] !== undefined)
        console.log(`${title}: ${most.toFixed(1)} ms, plain ${least.toFixed(1)} ms`);
      if (most > mostTimes * (least + negligibleMs)) slow.push(`${title}: ${String(most)} of ${String(least)} ms`);
    }
    assert.deepEqual(slow, []);
  });
});

/** Each of many wrong values costs about 50 times as much as its bytes; a quadratic way costs thousands of times. */
const mostTimes = 100;
const negligibleMs = 2;

/** Returns the lowest processor time of three. */
async function cpuMs(work: () => unknown): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    all.push((user + system) / 1000);
  }
  return Math.min(...all);
}
