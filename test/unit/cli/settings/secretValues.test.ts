import assert from 'node:assert/strict';
import { secretValues } from '../../../../src/cli/settings/secretValues.ts';

describe('the secrets of a command', () => {
  it('come from its environment, its lines and its database', () => {
    assert.deepEqual(
      secretValues(
        { DIALTREE_MODEL_KEY: 'm', DIALTREE_API_KEY: '', DIALTREE_TWILIO_AUTH_TOKEN: 't', HOME: '/home/ann' },
        { linePasswords: { main: 'p' }, databaseUrl: 'postgres://user:p%40ss@db/dialtree' },
      ),
      ['m', 't', 'p', 'p%40ss', 'p@ss'],
    );
    assert.deepEqual(secretValues({}, { databaseUrl: 'no address' }), []);
    assert.deepEqual(secretValues({ DIALTREE_SMTP_URL: 'smtps://ann:m%2Fail@mail.example.com' }), ['m%2Fail', 'm/ail']);
  });
});
