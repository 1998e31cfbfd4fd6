import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { checksIn, probeSchema } from '../../src/contract/probe.ts';
import type { Probe } from '../../src/contract/probe.ts';
import type { CallTestEnd } from '../../src/engine/call/callTestEvent.ts';
import { runProbe } from '../../src/engine/probe/probe.ts';
import { callEnd } from '../support/callEnd.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

const fixtures = path.resolve(import.meta.dirname, '../fixtures/compliance');
const catalogue = path.resolve(import.meta.dirname, '../../media/compliance');
/** Some probes can be judged only at night; the practice IVRs use the same time. */
const atNight = (): Date => new Date(2026, 0, 15, 3);
const probes: Probe[] = [];
for (const file of await readdir(catalogue))
  probes.push(probeSchema.parse(JSON.parse(await readFile(path.join(catalogue, file), 'utf8'))));

/** The kinds of steps and checks of the probes before. */
const kinds = new Set<string>();
/** Returns the tag of a probe: the quick tier runs each kind of step and check once. */
function tagOf({ dialogue: { steps, checks } }: Probe): string {
  const before = kinds.size;
  for (const kind of [...steps.map((step) => step.do), ...checks.flatMap(checksIn).map(({ kind }) => kind)])
    kinds.add(kind);
  return kinds.size > before ? '' : ' @full';
}

/** Runs every probe that calls on its two practice IVRs. */
describe('the compliance catalogue', () => {
  let calls: VirtualCalls;
  before(async () => {
    calls = await VirtualCalls.open('probes');
  });
  after(async () => assert.deepEqual(await calls.close(), []));

  const run = (probe: Probe, kind: 'pass' | 'fail'): Promise<CallTestEnd> =>
    calls.to(
      path.join(fixtures, `${probe.id}.${kind}.ivr.json`),
      (call) => callEnd(runProbe({ ...call, probe, signal: new AbortController().signal, now: atNight })),
      { timeOfDay: atNight },
    );

  for (const probe of probes.filter(({ mode }) => mode !== 'receive')) {
    const tag = tagOf(probe);
    for (const [kind, expected] of [
      ['pass', 'PASS'],
      ['fail', 'FAIL'],
    ] as const)
      it(`${probe.id} ends as ${expected} on its IVR, with the words that show it${tag}`, async () => {
        const { outcome, reason = '', steps, transcript } = await run(probe, kind);
        const said = transcript.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');
        assert.equal(outcome, expected, `${reason}\n${said}`);
        for (const { transcript: quote = '' } of steps.filter((step) => step.outcome === outcome))
          assert.ok(
            transcript.some(({ speaker, text }) => speaker === 'them' && quote !== '' && text.includes(quote)),
            `“${quote}” was not said.\n${said}`,
          );
        assert.doesNotMatch(
          [reason, said, ...steps.map((step) => step.transcript ?? '')].join('\n'),
          /4012|8888|1881|\b739\b/,
          'tells digits',
        );
      });
  }
});
