import assert from 'node:assert/strict';
import { ApiKeys } from '../../../../../src/editor/host/apiKeys.ts';
import { LogTail } from '../../../../../src/editor/basics/log/logTail.ts';
import { KnownSecrets, createLogger, mask } from '../../../../../src/editor/basics/log/log.ts';
import { LinePasswords } from '../../../../../src/editor/host/linePasswords.ts';
import { fakeSecrets } from '../../agents/fakeAgents.ts';
import { FakeClock } from '../../fakes.ts';

describe('the log', () => {
  for (const [text, logged] of [
    ['No route leads to +12025550101.', 'No route leads to [redacted].'],
    ['calls +49 (0)30 123-456', 'calls [redacted]'],
    ['sip:+12025550101@trunk.example.com refused', 'sip:[redacted]@trunk.example.com refused'],
    ['key dt_abcd1234_Zz09 refused, and dt_half too', 'key dt_abcd1234_[redacted] refused, and dt_[redacted] too'],
    ['sk-ant-api03-0123456789 refused', 'sk-[redacted] refused'],
    ['Code 486, 3 calls in 12 s', 'Code 486, 3 calls in 12 s'],
    ['at open (service.js:120:15)', 'at open (service.js:120:15)'],
  ] as const) {
    it(`writes “${text}” as “${logged}”`, () => assert.equal(mask(text), logged));
  }

  it('omits the secrets that this window has read or kept, including replaced ones', async () => {
    const written: string[] = [];
    const write = (text: string): number => written.push(text);
    const tail = new LogTail(new FakeClock());
    const known = new KnownSecrets();
    const storage = fakeSecrets();
    storage.held.set('dialtree.modelKey https://model.example', 'plain-looking');
    const log = createLogger({ debug: write, info: write, warn: write, error: write }, tail, known.hide);
    const passwords = new LinePasswords(known.over(storage));
    await passwords.store('main', 'autumn leaves');
    await passwords.store('main', 'winter');
    await new ApiKeys(known.over(storage), 'modelKey').read('https://model.example/v1');
    for (const secret of ['autumn leaves', 'winter', 'plain-looking'])
      log.error(`401 for ${secret}, sent as ${encodeURIComponent(secret)} or {"password":${JSON.stringify(secret)}}`);
    log.info('wintertime');
    const all = [...written, ...tail.lines].join('\n');
    for (const secret of ['autumn leaves', 'autumn%20leaves', 'winter"', 'for winter', 'plain-looking'])
      assert.ok(!all.includes(secret), secret);
    assert.ok(all.includes('wintertime'));
    assert.deepEqual(await passwords.read('main'), 'winter');
  });
});
