import assert from 'node:assert/strict';
import { askAccepted } from '../../../../src/editor/testing/askAccepted.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import { english } from '../fakes.ts';

describe('askAccepted', () => {
  const found = { step: 0, expected: 'Press 1 for sales, 2 for service.', heard: 'Press 3 for sales, 4 for help.' };

  it('asks about each number that changed, and keeps what is refused', async () => {
    const dialogs = new FakeDialogs({ pick: 'Keep “1”' }, { pick: 'Accept “4”' });
    assert.equal(await askAccepted(found, dialogs, english), 'Press 1 for sales, 4 for help.');
    dialogs.done();
    assert.match(dialogs.shown.join('\n'), /Expected “1”, heard “3”/);
  });

  it('asks nothing about other words', async () =>
    assert.equal(
      await askAccepted({ ...found, heard: 'Press 1 for sales, 2 for help.' }, new FakeDialogs(), english),
      'Press 1 for sales, 2 for help.',
    ));

  it('changes nothing if the user cancels or refuses everything', async () => {
    const heard = 'Press 3 for sales, 2 for service.';
    assert.equal(await askAccepted({ ...found, heard }, new FakeDialogs({ pick: undefined }), english), undefined);
    assert.equal(await askAccepted({ ...found, heard }, new FakeDialogs({ pick: 'Keep “1”' }), english), undefined);
  });
});
