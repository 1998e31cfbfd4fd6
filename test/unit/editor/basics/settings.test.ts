import assert from 'node:assert/strict';
import { callsFromHere, readEditorSettings, serviceUrl } from '../../../../src/editor/basics/settings.ts';

const read = (values: Record<string, unknown>): ReturnType<typeof readEditorSettings> =>
  readEditorSettings({ get: (key) => values[key] });

describe('settings', () => {
  it('fall back to the defaults if a value is invalid', () => {
    const defaults = {
      service: { mode: 'embedded', url: undefined },
      routes: {},
      lines: {},
      wrongLines: [],
      mapping: {
        maxDepth: 5,
        maxCalls: 60,
        maxCallSeconds: 600,
        concurrency: 4,
        allowedLabels: [],
        pressUnsure: false,
      },
      model: { provider: 'rules', name: '', url: undefined },
      agents: { enabled: true },
    };
    assert.deepEqual(read({}), defaults);
    assert.deepEqual(
      read({
        'service.mode': 'both',
        'service.url': 7,
        'telephony.routes': { '+1': 4 },
        'mapping.maxDepth': 99,
        'mapping.maxCalls': 'many',
        'mapping.maxCallSeconds': 1,
        'mapping.concurrency': 0,
        'mapping.allowedLabels': ['*', 7],
        'mapping.pressUnsure': 'yes',
      }),
      defaults,
    );
  });

  it('keep the valid lines, and say why the others are invalid', () => {
    const lab = { kind: 'pbx', host: '10.0.0.5', numbers: ['+49*'] };
    const { lines, wrongLines } = read({
      'telephony.lines': {
        lab,
        Bad: lab,
        other: { kind: 'pbx', host: '10.0.0.6', register: true },
        trunk: { kind: 'trunk', host: 'x' },
        seven: 7,
        fine: { kind: 'uri', uri: 'sip:a@b' },
      },
    });
    assert.deepEqual(lines, { lab, fine: { kind: 'uri', uri: 'sip:a@b', numbers: [] } });
    assert.deepEqual(
      wrongLines.map(({ name }) => name),
      ['Bad', 'other', 'trunk', 'seven'],
    );
    assert.match(wrongLines[1]?.problem ?? '', /A line that registers needs a user/);
    assert.deepEqual(read({ 'telephony.lines': 'x' }).lines, {});
  });

  it('accept a route with a rate, and omit invalid routes', () => {
    const rated = { uri: 'sip:{number}@t.example.com', costPerMinute: 0.02 };
    assert.deepEqual(
      read({
        'telephony.routes': {
          '+49*': rated,
          '+1*': 'sip:{number}@t.example.com',
          '+2*': 4,
          '+3*': 'trunk',
          '+4*': { ...rated, costPerMinute: -1 },
          '+5*': { costPerMinute: 1 },
          anything: 'sip:x@127.0.0.1',
        },
      }).routes,
      { '+49*': rated, '+1*': 'sip:{number}@t.example.com' },
    );
    assert.deepEqual(read({ 'telephony.routes': 'sip:x@127.0.0.1' }).routes, {});
  });

  it('keep valid values', () =>
    assert.deepEqual(
      read({
        'service.mode': 'remote',
        'service.url': 'https://dialtree.example.com/',
        'telephony.routes': { '+49*': 'sip:{number}@t.example.com' },
        'mapping.maxDepth': 3,
        'mapping.maxCalls': 9,
        'mapping.maxCallSeconds': 90,
        'mapping.concurrency': 1,
        'mapping.allowedLabels': ['check in*', '*'],
        'mapping.pressUnsure': true,
      }),
      {
        service: { mode: 'remote', url: 'https://dialtree.example.com/v1' },
        routes: { '+49*': 'sip:{number}@t.example.com' },
        lines: {},
        wrongLines: [],
        mapping: {
          maxDepth: 3,
          maxCalls: 9,
          maxCallSeconds: 90,
          concurrency: 1,
          allowedLabels: ['check in*'],
          pressUnsure: true,
        },
        model: { provider: 'rules', name: '', url: undefined },
        agents: { enabled: true },
      },
    ));

  for (const [typed, meant] of [
    ['https://dialtree.example.com', 'https://dialtree.example.com/v1'],
    ['https://dialtree.example.com/v1/', 'https://dialtree.example.com/v1'],
    ['https://example.com:8443/dialtree/v1?x=1#y', 'https://example.com:8443/dialtree/v1'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/v1'],
    ['http://localhost:4000/v1', 'http://localhost:4000/v1'],
    ['http://[::1]:4000', 'http://[::1]:4000/v1'],
    ['http://dialtree.example.com', undefined],
    ['http://127.0.0.1.example.com', undefined],
    ['https://user:secret@example.com', undefined],
    ['file:///etc/passwd', undefined],
    ['dialtree.example.com', undefined],
    ['', undefined],
  ] as const) {
    it(`read “${typed}” as ${meant ?? 'no address'}`, () => assert.equal(serviceUrl(typed), meant));
  }

  it('use no model at all if its address is invalid', () => {
    const model = (url: unknown): unknown =>
      read({ 'model.provider': 'openai', 'model.name': 'llama', 'model.url': url }).model;
    for (const url of ['localhost:11434/v1', 'http://user:secret@127.0.0.1/v1', 'half'])
      assert.deepEqual(model(url), { provider: 'rules', name: 'llama', url: undefined }, url);
    for (const url of ['', undefined, 7])
      assert.deepEqual(model(url), { provider: 'openai', name: 'llama', url: undefined });
    assert.deepEqual(model(' http://127.0.0.1:11434/v1 '), {
      provider: 'openai',
      name: 'llama',
      url: 'http://127.0.0.1:11434/v1',
    });
  });

  it('know whether the service can call loopback addresses of this machine', () => {
    for (const [mode, url, here] of [
      ['embedded', undefined, true],
      ['embedded', 'https://dialtree.example.com/v1', true],
      ['remote', 'http://127.0.0.1:4000/v1', true],
      ['remote', 'https://dialtree.example.com/v1', false],
    ] as const) {
      assert.equal(callsFromHere({ mode, url }), here, `${mode} ${url ?? ''}`);
    }
  });
});
