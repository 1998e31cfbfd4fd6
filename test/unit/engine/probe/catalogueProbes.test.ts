import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeSchema } from '../../../../src/contract/probe.ts';
import type { Probe } from '../../../../src/contract/probe.ts';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { evaluate } from '../../../../src/language/checks/evaluate.ts';
import { hearCall } from '../../../../src/language/checks/heardCall.ts';
import type { IvrFile } from '../../../../src/contract/ivrFile.ts';
import { callProbe, type ProbedEnd } from './callProbe.ts';

const catalogue = fileURLToPath(new URL('../../../../media/compliance', import.meta.url));
const fixtures = fileURLToPath(new URL('../../../fixtures/compliance', import.meta.url));
const jsonOf = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const probes: Probe[] = readdirSync(catalogue)
  .sort()
  .map((name) => probeSchema.parse(jsonOf(catalogue, name)));
const ivrOf = (id: string, kind: 'pass' | 'fail'): IvrFile =>
  ivrFileSchema.parse(jsonOf(fixtures, `${id}.${kind}.ivr.json`));

describe('the probes in the catalogue', () => {
  it('have two practice IVRs each', () => {
    assert.ok(probes.length >= 32);
    assert.deepEqual(
      readdirSync(fixtures).sort(),
      probes.flatMap(({ id }) => [`${id}.fail.ivr.json`, `${id}.pass.ivr.json`]).sort(),
    );
  });

  for (const probe of probes) {
    it(`${probe.id} passes its positive example`, async () => {
      const ended = await callProbe(probe, ivrOf(probe.id, 'pass'));
      assert.equal(ended.outcome, 'PASS', ended.reason);
      assert.deepEqual(
        ended.steps.map(({ name }) => name),
        probe.dialogue.checks.map(({ name }) => name),
      );
      for (const step of ended.steps) assertQuoted(step, ended.transcript);
    });

    it(`${probe.id} fails its negative example`, async () => {
      const ended = await callProbe(probe, ivrOf(probe.id, 'fail'));
      assert.equal(ended.outcome, 'FAIL', ended.reason);
      const failed = ended.steps.filter(({ outcome }) => outcome === 'FAIL');
      assert.ok(failed.length > 0);
      for (const step of failed) assertQuoted(step, ended.transcript);
    });
  }
});

describe('the probes in the catalogue, on a line without content', () => {
  const lines: Readonly<Record<string, object>> = {
    'is hung up at once': { main: { prompt: 'Goodbye.', end: 'hangup' } },
    'says nothing more': { main: { prompt: 'Mm.', end: 'dead-air' } },
  };
  for (const [name, states] of Object.entries(lines)) {
    it(`that ${name}: none passes, and only those that must hear something fail`, async () => {
      const failed: string[] = [];
      for (const probe of probes.filter(({ mode }) => mode !== 'receive')) {
        const { outcome, reason } = await callProbe(probe, ivrFileSchema.parse({ name, start: 'main', states }));
        assert.ok(outcome === 'INCONCLUSIVE' || outcome === 'FAIL', `${probe.id}: ${outcome} ${reason ?? ''}`);
        if (outcome === 'FAIL') failed.push(probe.id);
      }
      assert.deepEqual(
        failed,
        name === 'is hung up at once'
          ? []
          : [
              'ai-disclose-start',
              'eaa-support',
              'es-human-3min',
              'human-option',
              'lep-1557',
              'psd2-lost-card',
              'tcpa-optout-tollfree',
              'tsr-optout-automatic',
            ],
      );
    });
  }
});

describe('the words of the probes', () => {
  /** Returns whether the first check of a probe finds its words, wherever they stand. */
  const isFound = (id: string, text: string): boolean => {
    const check = probes.find((probe) => probe.id === id)?.dialogue.checks[0];
    assert.ok(check);
    const call = hearCall({ turns: [{ speaker: 'them', text }], isWhole: true });
    const [result] = evaluate([{ ...check, when: undefined, within: undefined }], call);
    return result?.verdict === (check.kind === 'neverSays' ? 'fail' : 'pass');
  };
  const cases: readonly { readonly id: string; readonly are: readonly string[]; readonly areNot: readonly string[] }[] =
    [
      {
        id: 'ai-disclose-start',
        are: [
          'hello this is the automated assistant of northwind for bookings press one',
          "i'm an ai assistant",
          'you are speaking with a robot',
          'this call is answered by a computer',
        ],
        areNot: [
          'for computer support, press 1',
          'for the automated payment service, press 2',
          'your washing machine is ready',
          'this is emma',
        ],
      },
      {
        id: 'rec-finance',
        are: [
          'this call may be recorded',
          'calls are recorded for training',
          'we record all conversations',
          'you are being recorded',
        ],
        areNot: [
          'please leave your record number',
          'for medical records, press 2',
          'our recorded history began in 1900',
        ],
      },
      {
        id: 'emerg-redirect',
        are: ['if this is an emergency, hang up and dial 911', 'in a life-threatening situation call 112'],
        areNot: ['for our emergency department, press 3'],
      },
      {
        id: 'fdcpa-third-party',
        are: ['it is about a debt', 'he owes us money', 'the account is past due'],
        areNot: ['it is a personal matter', 'please ask him to call back'],
      },
    ];
  for (const { id, are, areNot } of cases) {
    it(`${id}: find their words, and nothing else`, () => {
      for (const text of are) assert.ok(isFound(id, text), text);
      for (const text of areNot) assert.ok(!isFound(id, text), text);
    });
  }
});

/** The quote is part of what they said, and its time is within that turn. */
function assertQuoted(
  { name, transcript: quote, startMs, endMs }: ProbedEnd['steps'][number],
  turns: ProbedEnd['transcript'],
): void {
  assert.ok(quote !== undefined && quote !== '' && startMs !== undefined && endMs !== undefined, `${name}: no quote`);
  const turn = turns.find(
    ({ speaker, text, startMs: from = Infinity, endMs: to = 0 }) =>
      speaker === 'them' && text.includes(quote) && startMs >= from && endMs <= to,
  );
  assert.ok(turn, `${name}: “${quote}” stands in no turn of theirs`);
}
