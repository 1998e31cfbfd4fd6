import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { file, findingOf, folder, found, applyFix } from '../fakeFiles.ts';

const samples = path.resolve(import.meta.dirname, '../../../../../media/samples');
const ivr = (states: string, more = ''): ReturnType<typeof file> =>
  file(
    'a.ivr.json',
    `{
  "name": "Bank", ${more}
  "start": "main",
  "states": {
${states}
  }
}
`,
  );
const main =
  '    "main": { "prompt": "For cards, press 1. To end, press star.", "keys": { "1": "cards", "*": "bye" } },';
const bye = '    "bye": { "prompt": "Goodbye.", "end": "hangup" }';
const cards = '    "cards": { "prompt": "Cards.", "next": "bye" },';

describe('findings in a practice IVR', () => {
  it('report nothing for a complete one', async () =>
    assert.deepEqual(await found(ivr([main, cards, bye].join('\n'))), []));

  it('in the samples are only the intended ones', async () => {
    for (const [name, hidden] of [
      ['bank', ['"0"']],
      ['clinic', []],
      ['utility', ['"0"', '"#"', '"0"']],
    ] as const) {
      const text = await readFile(path.join(samples, `${name}.ivr.json`), 'utf8');
      assert.deepEqual(
        await found(file(`${name}.ivr.json`, text)),
        hidden.map((key) => `information silent-key ${key}`),
        name,
      );
    }
  });

  it('report one wrong name once, and offer the intended name', async () => {
    const wrong = ivr([main, cards.replace('"bye"', '"byee"'), bye].join('\n'));
    assert.deepEqual(await found(wrong), ['error missing-state "byee"']);
    const finding = await findingOf(wrong, 'missing-state');
    assert.equal(finding.message, 'The state "byee" doesn\'t exist. Did you mean "bye"?');
    assert.ok(applyFix(wrong, finding, 'Change to "bye"').includes('"prompt": "Cards.", "next": "bye" }'));
    assert.deepEqual(
      finding.remedies?.().map((remedy) => [remedy.title, remedy.kind === 'edit' && remedy.isPreferred === true]),
      [
        ['Change to "bye"', true],
        ['Create the state "byee"', false],
      ],
    );
  });

  it('offer to add a state, with comments and layout unchanged', async () => {
    const wrong = ivr(`    // The first.\n    "main": { "prompt": "Press 1.", "keys": { "1": "loans" } } // one way`);
    const after = applyFix(wrong, await findingOf(wrong, 'missing-state'), 'Create the state "loans"');
    assert.ok(
      after.includes(
        '    // The first.\n    "main": { "prompt": "Press 1.", "keys": { "1": "loans" } }, // one way\n    "loans": {\n      "prompt": "You have reached loans. Goodbye.",\n      "end": "hangup"\n    }\n  }\n}\n',
      ),
      after,
    );
    assert.deepEqual(await found(file('a.ivr.json', after)), []);
  });

  it('include unreachable states, which can be removed', async () => {
    const wrong = ivr(
      [main, cards, '    // About loans.\n    "loans": { "prompt": "Loans.", "end": "hangup" },', bye].join('\n'),
    );
    assert.deepEqual(await found(wrong), ['error unreachable-state "loans"']);
    const finding = await findingOf(wrong, 'unreachable-state');
    assert.equal(finding.isUnneeded, true);
    assert.equal(
      applyFix(wrong, finding, 'Remove the state "loans"'),
      wrong.text.replace('    "loans": { "prompt": "Loans.", "end": "hangup" },\n', ''),
    );
  });

  it('include a state with an endless path, no exit, or two', async () => {
    const around = '    "main": { "prompt": "Press 1.", "keys": { "1": "main" } }';
    assert.deepEqual(await found(ivr(around)), ['error no-end "main"']);
    assert.deepEqual(await found(ivr('    "main": { "prompt": "Hello." }')), ['error ways-on "main"']);
    assert.deepEqual(await found(ivr('    "main": { "prompt": "Hello.", "end": "hangup", "next": "main" }')), [
      'error ways-on "main"',
    ]);
    assert.deepEqual(await found(ivr('    "main": { "prompt": "Hello.", "keys": {} }')), ['error empty-menu "main"']);
  });

  it('cover start, hours and faults', async () => {
    const wrong = ivr(
      [main, cards, bye].join('\n'),
      '"hours": [{ "from": "18:00", "to": "08:00", "start": "closed" }], "faults": { "deadAirState": "nowhere" },',
    );
    assert.deepEqual(await found(wrong), ['error missing-state "closed"', 'error missing-state "nowhere"']);
  });

  it('include an impossible entry, and a menu without time', async () => {
    const collect = (values: string): string =>
      `    "main": { "prompt": "Number?", "collect": { ${values}, "next": "bye" } },`;
    assert.deepEqual(await found(ivr([collect('"min": 9, "max": 8'), bye].join('\n'))), ['error invalid 9']);
    assert.deepEqual(await found(ivr([collect('"min": 8, "max": 8, "accept": ["12345678", "123"]'), bye].join('\n'))), [
      'warning impossible-entry "123"',
    ]);
    assert.deepEqual(await found(ivr([main.replace('"keys"', '"timeoutMs": 0, "keys"'), cards, bye].join('\n'))), [
      'warning no-time 0',
    ]);
    assert.deepEqual(await found(ivr([main, cards.replace('"Cards."', '""'), bye].join('\n'))), ['error invalid ""']);
    assert.deepEqual(await found(ivr([main, cards, bye.replace('"Goodbye."', '""')].join('\n'))), []);
  });

  it('include a key that no prompt offers, as a digit or a word, here or earlier', async () => {
    const offered = (prompt: string, key: string): Promise<string[]> =>
      found(
        ivr(
          [`    "main": { "prompt": ${JSON.stringify(prompt)}, "keys": { ${JSON.stringify(key)}: "bye" } },`, bye].join(
            '\n',
          ),
        ),
      );
    for (const [prompt, key] of [
      ['Press one.', '1'],
      ['Press 1 or 2.', '2'],
      ['Press star.', '*'],
      ['Press the pound key.', '#'],
      ['Press hash.', '#'],
      ['Press zero for help.', '0'],
    ] as const)
      assert.deepEqual(await offered(prompt, key), [], prompt);
    assert.deepEqual(
      await offered('To talk to someone, wait for help.', '2'),
      ['information silent-key "2"'],
      'the words “to” and “for” are no keys',
    );
    const spokenBefore = ivr(
      [
        '    "main": { "prompt": "For cards, press 1.", "next": "menu" },',
        '    "menu": { "prompt": "Please choose.", "keys": { "1": "bye" } },',
        bye,
      ].join('\n'),
    );
    assert.deepEqual(await found(spokenBefore), []);
    const german = ivr(
      ['    "main": { "prompt": "Für Karten drücken Sie die Eins.", "keys": { "1": "bye" } },', bye].join('\n'),
      '"language": "de-DE",',
    );
    assert.deepEqual(await found(german), []);
  });

  it('follow staying on the line, wrong keys, branches and what follows an end', async () => {
    const states = [
      '    "main": { "prompt": [{ "byTry": ["For cards, press 1.", "Press 1."] }], "keys": { "1": "cards", "4XXX": "bye" }, "stay": "hold", "onKey": { "0": { "next": "zero" } } },',
      '    "cards": { "prompt": "Cards.", "next": "bye", "branches": [{ "callers": ["+1202*"], "next": "known" }] },',
      '    "zero": { "prompt": "Zero.", "next": "main" },',
      '    "known": { "prompt": "Hello.", "next": "bye" },',
      '    "hold": { "prompt": "Hold.", "end": "hold-music", "then": { "afterMs": 9000, "next": "person" } },',
      '    "person": { "prompt": "", "end": "human" },',
      bye,
    ].join('\n');
    assert.deepEqual(await found(ivr(states)), []);
    const wrong = states
      .replace('"stay": "hold"', '"stay": "holt"')
      .replace('"next": "zero"', '"next": "zerro"')
      .replace('"next": "known"', '"next": "knwn"')
      .replace('"next": "person"', '"next": "persom"');
    assert.deepEqual(
      await found(ivr(wrong)),
      ['holt', 'zerro', 'knwn', 'persom'].map((name) => `error missing-state "${name}"`),
    );
  });

  it('include a missing recording of a part', async () => {
    const prompt = '[{ "byCall": ["Hi.", { "wav": "gone.wav", "text": "Hello." }] }]';
    assert.deepEqual(await found(ivr(`    "main": { "prompt": ${prompt}, "end": "hangup" }`)), [
      'error missing-file "gone.wav"',
    ]);
  });

  it('include a missing recording', async () => {
    const wrong = ivr('    "main": { "prompt": { "wav": "prompts/helo.wav", "text": "Hello." }, "end": "hangup" }');
    assert.deepEqual(await found(wrong, folder({ 'prompts/hello.wav': '' })), [
      'error missing-file "prompts/helo.wav"',
    ]);
    assert.match(
      applyFix(
        wrong,
        await findingOf(wrong, 'missing-file', folder({ 'prompts/hello.wav': '' })),
        'Change to "prompts/hello.wav"',
      ),
      /"wav": "prompts\/hello\.wav"/,
    );
    assert.deepEqual(await found(wrong, { ...folder({}), list: () => Promise.reject(new Error('never saved')) }), []);
    for (const out of ['../hello.wav', '/home/ann/hello.wav', 'C:/hello.wav'])
      assert.deepEqual(
        await found(ivr(`    "main": { "prompt": { "wav": "${out}", "text": "Hello." }, "end": "hangup" }`)),
        [`error outside-file "${out}"`],
      );
  });
});
