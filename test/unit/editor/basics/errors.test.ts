import assert from 'node:assert/strict';
import type * as Client from '../../../../src/client/errors.ts';
import type * as Contract from '../../../../src/contract/errors.ts';
import { isCode, isTypedError } from '../../../../src/editor/basics/errors.ts';

/** Loads another copy of a module, as each bundle has. */
const copyOf = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(`../../../../src/${file}?copy`, import.meta.url).href)) as Module;

describe('errors', () => {
  it('keep their codes in a bundle that has its own copies of their classes', async () => {
    const { HumanError } = await copyOf<typeof Contract>('contract/errors.ts');
    const { ConnectionError, errorOf } = await copyOf<typeof Client>('client/errors.ts');
    assert.ok(isCode(new HumanError('m', { status: 400, code: 'bad_code' }), 'bad_code'));
    assert.ok(isCode(errorOf(400, { message: 'm', code: 'bad_code' }, undefined), 'bad_code'));
    assert.ok(isTypedError(new ConnectionError('m', { preFlight: true })));
    assert.ok(!isTypedError(Object.assign(new Error('m'), { code: 'ENOENT' })));
  });
});
