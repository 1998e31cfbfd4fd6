import assert from 'node:assert/strict';
import { targetChoices } from '../../../../../src/editor/commands/targets/targetChoices.ts';
import { english } from '../../fakes.ts';

describe('the targets to choose from', () => {
  const others = [
    { label: '$(beaker) +12025550101', description: 'Opening hours', value: 'test' },
    { label: '$(call-incoming) Harbour Bank', description: 'sample', group: 'Practice IVRs', value: 'bank' },
  ];
  const enter = '$(edit) Enter a number or SIP address…';
  const choose = (typed: string) =>
    targetChoices(typed, others, { use: (target) => target, ask: (text) => `ask ${text}` }, english);
  const labels = (typed: string): string[] => choose(typed).map(({ label }) => label);

  it('begin with the box for a number', () =>
    assert.deepEqual(labels(' '), [enter, ...others.map(({ label }) => label)]));

  for (const [typed, target] of [
    [' +1 (202) 555-0101', '+12025550101'],
    ['+1202555010', '+1202555010'],
    ['sip:office@pbx.example.com', 'sip:office@pbx.example.com'],
  ] as const)
    it(`begin with ${typed}, as it is typed`, () => {
      const [first] = choose(typed);
      assert.deepEqual([first?.label, first?.value], [`$(call-outgoing) ${target}`, target]);
    });

  it('keep those that contain the typed words, in any order', () => {
    assert.deepEqual(labels('bank HARB'), ['$(call-incoming) Harbour Bank', enter]);
    assert.deepEqual(labels('hours'), ['$(beaker) +12025550101', enter]);
  });

  it('hand other text to the box, which says what is wrong with it', () =>
    assert.deepEqual(
      choose('0301234').map(({ value }) => value),
      ['ask 0301234'],
    ));
});
