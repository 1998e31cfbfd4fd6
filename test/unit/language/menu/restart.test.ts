import assert from 'node:assert/strict';
import { withoutRestart } from '../../../../src/language/menu/restart.ts';

const round = 'Welcome to the north side clinic. For appointments, press 1. For billing, press 2.';
const alike =
  'If you are calling about a bill, press 1. If you are calling about a repair, press 2. If you are calling about a move, press 3.';

describe('a prompt that repeats', () => {
  it('ends before its second round', () => assert.equal(withoutRestart(`${round} ${round}`), round));

  it('ends before a second round that has only begun', () =>
    assert.equal(withoutRestart(`${round} Welcome to the north side clinic. For`), round));

  it('ends before the sentence that leads into its second round', () =>
    assert.equal(withoutRestart(`${round} I did not hear you. ${round}`), round));

  it('stays whole if its options begin like the prompt itself', () => {
    assert.equal(withoutRestart(alike), alike);
    assert.equal(withoutRestart(`${alike} ${alike}`), alike);
  });

  it('stays whole if its first word was lost, so that only its second round can be read', () => {
    const lost = '1. To keep the message, or 2. To send it. Press 1 to keep the message, or 2 to send it.';
    assert.equal(withoutRestart(lost), lost);
  });

  it('stays whole if the next option has only begun', () => {
    const begun = 'If you are calling about a bill, press 1. If you are calling about a move';
    assert.equal(withoutRestart(begun), begun);
  });

  it('loses its second round even if it offers nothing', () => {
    const notice = 'Our office is closed for the holiday today.';
    assert.equal(withoutRestart(`${notice} ${notice}`), notice);
  });
});
