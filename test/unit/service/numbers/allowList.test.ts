import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { keyLimitsSchema } from '../../../../src/contract/keyLimits.ts';
import { assertListed } from '../../../../src/service/numbers/allowList.ts';
import type { Dialling } from '../../../../src/service/numbers/dialGate.ts';

const lab = '+12025550101';
const practice = 'sip:harbour-bank@127.0.0.1:40112';
const wayTo = (target: string): Dialling => ({ uri: target, lab: target === practice || target === lab });

describe("a key's list of allowed numbers", () => {
  for (const [numbers, target, allowed] of [
    [['practice'], practice, true],
    [['practice'], lab, false],
    [['practice'], 'sip:600@127.0.0.1:5060', false],
    [['practice'], 'sip:911@127.0.0.1', false],
    [['practice'], 'sip:support@trunk.example.com', false],
    [['+1202*'], lab, true],
    [['+1202*'], '+12125550123', false],
    [[lab], lab, true],
    [[lab], `${lab}0`, false],
    [['+49*', lab], lab, true],
    [['sip:support@trunk.example.com'], 'sip:support@trunk.example.com', true],
    [['sip:support@trunk.example.com'], 'sip:support@trunk.example.com;transport=tcp', false],
    [['sip:support@*'], 'sip:support@trunk.example.com', true],
    [['sip:support@trunk.example.com*'], 'sip:support@trunk.example.com;transport=tcp', true],
    [[], practice, false],
  ] as const) {
    it(`${allowed ? 'lets' : 'keeps'} a key with [${numbers.join(', ')}] ${allowed ? 'call' : 'from calling'} ${target}`, () => {
      const work = (): void => {
        assertListed(target, { numbers: [...numbers] }, wayTo(target));
      };
      if (allowed) work();
      else
        assert.throws(
          work,
          (error) => error instanceof HumanError && error.status === 403 && error.code === 'number_not_allowed',
        );
    });
  }

  it('allows everything if the key has none', () => {
    assertListed(practice, undefined, wayTo(practice));
    assertListed(practice, { callsPerDay: 1 }, wayTo(practice));
  });

  it('says that no practice IVR answers if one was meant', () => {
    assert.throws(
      () => assertListed('sip:bank@localhost:5071', { numbers: ['practice'] }, wayTo('sip:bank@localhost:5071')),
      { code: 'number_not_allowed', message: /No practice IVR answers at localhost:5071/ },
    );
    assertListed('sip:600@127.0.0.1:5060', { numbers: ['sip:600@127.0.0.1:5060'] }, wayTo('sip:600@127.0.0.1:5060'));
  });

  for (const [number, taken] of [
    ['practice', true],
    [lab, true],
    ['+1*', true],
    ['+49301*', true],
    ['sip:support@pbx.example.com', true],
    ['sips:a@b', true],
    ['sip:support@pbx.example.com*', true],
    ['*', false],
    ['+*', false],
    ['+12', false],
    ['12025550101', false],
    ['+1 202', false],
    ['sip:*', false],
    ['sip:a*b@c', false],
    ['sip:a b@c', false],
    ['', false],
    ['Practice', false],
  ] as const) {
    it(`${taken ? 'takes' : 'refuses'} “${number}”`, () =>
      assert.equal(keyLimitsSchema.safeParse({ numbers: [number] }).success, taken));
  }
});
