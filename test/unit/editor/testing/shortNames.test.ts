import assert from 'node:assert/strict';
import { shortNames } from '../../../../src/editor/testing/explorer/shortNames.ts';

describe('the labels of tests', () => {
  it('leave out the subject that others share', () =>
    assert.deepEqual(
      shortNames([
        'Harbour Bank: balance',
        'Harbour Bank: transfers',
        'Clinic – refill',
        'Clinic – hours',
        'Opening: now',
      ]),
      ['balance', 'transfers', 'refill', 'hours', 'Opening: now'],
    ));

  it('differ, and are never empty', () =>
    assert.deepEqual(shortNames(['Bank: hours', 'Bank: cards', 'Clinic: hours', 'Clinic: refill', 'Bank: ', 'Bank:']), [
      'Bank: hours',
      'cards',
      'Clinic: hours',
      'refill',
      'Bank: ',
      'Bank:',
    ]));

  it('keep what a name says about the path', () =>
    assert.deepEqual(shortNames(['Bank: accounts > 1', 'Bank: accounts > 2', 'sip:600@pbx', 'sip:601@pbx']), [
      'accounts > 1',
      'accounts > 2',
      'sip:600@pbx',
      'sip:601@pbx',
    ]));
});
