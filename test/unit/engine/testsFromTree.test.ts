import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { IvrFile } from '../../../src/contract/ivrFile.ts';
import type { TestStep } from '../../../src/contract/testConfigs.ts';
import type { CallTestEnd } from '../../../src/engine/call/callTestEvent.ts';
import { runScript } from '../../../src/engine/script/script.ts';
import { testsFromTree } from '../../../src/model/tests/testsFromTree.ts';
import { parseIvr } from '../../../src/practice/ivrSource.ts';
import { callEnd } from '../../support/callEnd.ts';
import { mapIvr } from '../../support/crawlTree.ts';
import { simulatedDialer } from '../../support/simulatedDialer.ts';
import { VirtualClock } from '../../support/virtualClock.ts';

async function run(ivr: IvrFile, steps: readonly TestStep[]): Promise<CallTestEnd> {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  return clock.run(
    callEnd(runScript({ target: 'sip:x', steps, dialer: simulatedDialer({ ivr, clock }), clock, signal })),
  );
}

/** Typical changes of an IVR: another state for a key, other words, another end. */
const changes: Readonly<Record<string, (ivr: IvrFile) => IvrFile>> = {
  'an end that is another': (ivr) => ({
    ...ivr,
    states: Object.fromEntries(
      Object.entries(ivr.states).map(([name, state]) => [
        name,
        state.end === undefined ? state : { ...state, end: state.end === 'hangup' ? 'hold-music' : 'hangup' },
      ]),
    ),
  }),
  'other words at the ends': (ivr) => ({
    ...ivr,
    states: Object.fromEntries(
      Object.entries(ivr.states).map(([name, state]) => [
        name,
        state.end === undefined
          ? state
          : { ...state, prompt: 'We have moved to another city and left this number behind.' },
      ]),
    ),
  }),
};

describe('engine: tests generated from a mapped tree', () => {
  for (const sample of ['bank', 'clinic', 'utility']) {
    describe(sample, () => {
      let ivr: IvrFile, tests: ReturnType<typeof testsFromTree>;
      before(async () => {
        const file = path.resolve(import.meta.dirname, `../../../media/samples/${sample}.ivr.json`);
        ivr = parseIvr(await readFile(file, 'utf8'), file);
        const { tree } = await mapIvr(ivr, { config: { maxDepth: 8, maxCalls: 200 } });
        assert.ok(tree.tree);
        tests = testsFromTree(tree.tree, ivr.name);
      });

      it('pass against the mapped IVR, for every path', async () => {
        assert.deepEqual(tests.skipped, []);
        assert.ok(tests.tests.length >= 9);
        for (const { slug, steps } of tests.tests) {
          const { outcome, reason } = await run(ivr, steps);
          assert.deepEqual([slug, outcome, reason], [slug, 'PASS', undefined]);
        }
      });

      for (const [change, apply] of Object.entries(changes)) {
        it(`find ${change}`, async () => {
          const changed = apply(ivr);
          const atEnds = tests.tests.filter(({ steps }) => steps.at(-1)?.expectedEnd !== undefined);
          assert.ok(atEnds.length >= 3);
          for (const { slug, steps } of atEnds)
            assert.deepEqual([slug, (await run(changed, steps)).outcome], [slug, 'FAIL']);
        });
      }
    });
  }
});
