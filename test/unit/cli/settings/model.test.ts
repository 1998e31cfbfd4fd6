import assert from 'node:assert/strict';
import { readModel } from '../../../../src/cli/settings/model.ts';

describe('cli: the language model of the environment', () => {
  it('defaults to none', () => {
    assert.equal(readModel({}), undefined);
    assert.equal(readModel({ DIALTREE_MODEL: '' }), undefined);
  });

  it("uses any compatible endpoint, or Anthropic's", () => {
    assert.match(
      readModel({ DIALTREE_MODEL: 'small', DIALTREE_MODEL_URL: 'http://127.0.0.1:11434/v1' })?.name ?? '',
      /small.*127\.0\.0\.1/,
    );
    assert.match(readModel({ DIALTREE_MODEL: 'small', DIALTREE_MODEL_KEY: 'k' })?.name ?? '', /api\.openai\.com/);
    assert.match(
      readModel({ DIALTREE_MODEL: 'small', DIALTREE_MODEL_PROVIDER: 'anthropic', DIALTREE_MODEL_KEY: 'k' })?.name ?? '',
      /anthropic/,
    );
  });

  it('reports what is missing', () => {
    assert.throws(() => readModel({ DIALTREE_MODEL_KEY: 'k' }), /Set it to the name of the model/);
    assert.throws(() => readModel({ DIALTREE_MODEL: 'm', DIALTREE_MODEL_PROVIDER: 'cloud' }), /openai .* or anthropic/);
    assert.throws(
      () => readModel({ DIALTREE_MODEL: 'm', DIALTREE_MODEL_URL: 'https://me:secret@example.com/v1' }),
      (error: Error) => !error.message.includes('secret'),
    );
  });
});
