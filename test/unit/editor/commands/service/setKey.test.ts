import assert from 'node:assert/strict';
import { ConnectionError, errorOf } from '../../../../../src/client/errors.ts';
import { setKey } from '../../../../../src/editor/commands/service/setKey.ts';
import type { ServiceAddress } from '../../../../../src/editor/host/serviceClient.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import type { Answer } from '../../fakeDialogs.ts';
import { fakeEditor } from '../../fakeEditor.ts';
import { FakeClient } from '../../fakes.ts';

const url = 'https://dialtree.example.com/v1';
const refused = errorOf(401, { message: 'The key is unknown.', code: 'unauthorized', requestId: 'r' }, undefined);

describe('setting a key', () => {
  let tried: ServiceAddress[], stored: string[], changes: number, dialogs: FakeDialogs;

  /** The service answers each try with one of `errors`, or with success. */
  const act = async (answers: Answer[], errors: (Error | undefined)[]): Promise<void> => {
    tried = [];
    stored = [];
    changes = 0;
    dialogs = new FakeDialogs(...answers);
    const client = new FakeClient();
    client.answers.listMappings = () => {
      const error = errors.shift();
      if (error) throw error;
      return { items: [] };
    };
    await setKey(
      fakeEditor({
        createClient: (address) => {
          tried.push(address);
          return client;
        },
        keys: {
          store: async (_url, key) => {
            stored.push(key);
          },
        },
        connection: { reset: () => (changes += 1) },
        dialogs,
      }),
      url,
    );
    dialogs.done();
  };

  it('keeps a key that the service accepts', async () => {
    await act([' dt_AAAAAAAA_good '], [undefined]);
    assert.deepEqual(tried, [{ baseUrl: url, apiKey: 'dt_AAAAAAAA_good' }]);
    assert.deepEqual([stored, changes], [['dt_AAAAAAAA_good'], 1]);
  });

  it('says that a key is rejected, and asks again', async () => {
    await act(['dt_AAAAAAAA_bad', 'dt_AAAAAAAA_good'], [refused, undefined]);
    assert.match(dialogs.shown[1]!, /dialtree\.example\.com refused this key/);
    assert.deepEqual([stored, changes], [['dt_AAAAAAAA_good'], 1]);
  });

  it('keeps nothing if the person cancels', async () => {
    await act(['dt_AAAAAAAA_bad', { type: undefined }], [refused]);
    assert.deepEqual([stored, changes], [[], 0]);
    await act(['  '], []);
    assert.deepEqual([tried, stored], [[], []]);
  });

  it("keeps a key that can't be tried now, or that has fewer scopes", async () => {
    for (const error of [
      new ConnectionError('Cannot be reached.', { preFlight: true }),
      errorOf(403, { message: 'Scope.', code: 'missing_scope', requestId: 'r' }, undefined),
    ]) {
      await act(['dt_AAAAAAAA_good'], [error]);
      assert.deepEqual([stored, changes], [['dt_AAAAAAAA_good'], 1]);
    }
  });
});
