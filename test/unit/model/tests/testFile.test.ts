import assert from 'node:assert/strict';
import { withId } from '../../../../src/model/files/fileId.ts';
import { problemText } from '../../../../src/model/files/fileProblem.ts';
import type { ReadBeside } from '../../../../src/model/tests/environment.ts';
import { readTestFile } from '../../../../src/model/tests/testFile.ts';

const none: ReadBeside = (name) => Promise.reject(new Error(`${name} is not there.`));
const csv =
  (text: string): ReadBeside =>
  (file) =>
    Promise.resolve({ text, file });

async function problems(text: string, readBeside = none, file = 'a.calltest.json'): Promise<string[]> {
  const found = await readTestFile(text, file, readBeside);
  return 'problems' in found ? found.problems.map(problemText) : [];
}
const callTest = (steps: object[], rest: object = {}): string =>
  JSON.stringify({ name: 'n', phoneNumber: '+12025550101', ...rest, steps });
const dial = { name: 'Call', action: { type: 'dial' } };
const expecting = (expectedTranscript: string): object => ({
  name: 'Hear',
  action: { type: 'expect' },
  expectedTranscript,
});

describe('a test file', () => {
  it('allows comments, and has defaults and positions', async () => {
    const file = await readTestFile(
      '{\n  // who\n  "name": "n", "phoneNumber": "+12025550101",\n  "steps": [\n    { "name": "Call", "action": { "type": "dial" } },\n  ],\n}\n',
      'a.calltest.json',
      none,
    );
    assert.ok('kind' in file && file.kind === 'calltest');
    assert.deepEqual(file.test, {
      name: 'n',
      phoneNumber: '+12025550101',
      steps: [{ name: 'Call', action: { type: 'dial' }, passThreshold: 0.8 }],
    });
    assert.deepEqual(
      [file.placeOf(['steps', 0]), file.placeOf(['steps', 0, 'expectedTranscript']), file.placeOf(['id'])],
      [
        { line: 5, column: 5 },
        { line: 5, column: 5 },
        { line: 1, column: 1 },
      ],
    );
  });

  it('counts as a mission by its name, and not as a test by any other', async () => {
    const mission = JSON.stringify({
      $schema: 's',
      name: 'n',
      ivr: '../bank.ivr.json',
      mission: 'Ask',
      acceptance: 'Told',
    });
    const file = await readTestFile(mission, 'a.mission.json', none);
    assert.ok('kind' in file && file.kind === 'mission');
    assert.deepEqual(file.test, { name: 'n', ivr: '../bank.ivr.json', mission: 'Ask', acceptance: 'Told' });
    assert.deepEqual(await problems(mission, none, 'a.json'), [
      'a.json:1:1: The name of a test file ends with .calltest.json or .mission.json or .probe.json.',
    ]);
    assert.match((await problems(mission)).join('\n'), /The member "mission"/);
  });

  for (const [what, text, wanted] of [
    [
      'nothing',
      '',
      '1:1: The file is empty. "name" is missing. "steps" is missing. The number is missing. Add phoneNumber, or add ivr with the path of a practice IVR.',
    ],
    ['a comma left out', '{\n  "name": "x"\n  "steps": []\n}', '3:3: Not valid JSON. A comma is missing before this.'],
    ['a text left open', '{"name":"a}', "1:9: Not valid JSON. This text isn't closed. Add a double quote at its end."],
    ['names without quotes', '{ name: 1 }', "1:3: Not valid JSON. This isn't a JSON value. Put text in double quotes."],
    ['a member twice', '{ "name": "x",\n "name": "y" }', '2:2: "name" occurs twice in the same object. Remove one.'],
    ['a list', '[]', '1:1: This is a list, but must be an object in { }.'],
    ['two objects', '{}{}', '1:3: Not valid JSON. There is content after the end of the JSON. Remove it.'],
  ] as const)
    it(`with ${what} is rejected at the place of the error`, async () =>
      assert.deepEqual(await problems(text), [`a.calltest.json:${wanted}`]));

  it('reports unknown members and actions with a suggestion', async () => {
    const text =
      '{\n"name": "n", "phoneNumbr": "+12025550101",\n"colour": 1,\n"steps": [\n{ "name": "a", "action": { "type": "prss" } },\n{ "name": "b", "action": { "type": "press", "key": "1" } } ] }';
    assert.deepEqual(await problems(text), [
      'a.calltest.json:2:14: The member "phoneNumbr" isn\'t allowed here. Did you mean "phoneNumber"?',
      'a.calltest.json:3:1: The member "colour" isn\'t allowed here. Allowed: "id", "name", "description", "phoneNumber", "language", "steps", "rows", "profileId", "tags", "$schema", "ivr", "rowsFile".',
      'a.calltest.json:5:36: steps.1.action.type: This must be one of "dial", "press", "say", "wait", "expect", "collect", "hangUp". Did you mean "press"?',
      'a.calltest.json:6:45: steps.2.action: The member "key" isn\'t allowed here. Did you mean "keys"?',
    ]);
    assert.match((await problems('{"__proto__":{}}')).join('\n'), /The member "__proto__"/);
  });

  it('says what a value must be', async () => {
    const found = await problems(
      JSON.stringify(
        {
          name: '',
          id: 'x',
          phoneNumber: '12',
          tags: 'a',
          steps: [
            { action: {} },
            { name: 'b', action: { type: 'press', keys: 'a' }, passThreshold: 3 },
            { name: 'c', action: { type: 'collect', name: 'a b', pattern: 'x' } },
            4,
          ],
        },
        null,
        1,
      ),
    );
    assert.deepEqual(
      found.map((line) => line.replace(/^a\.calltest\.json:\d+:\d+: /, '')),
      [
        'name: This is empty. Fill it in.',
        "id: This isn't a UUID, such as 7d1f2c1e-8f7b-4b1e-9a39-0d2c5f6a1b3c.",
        'phoneNumber: Give an E.164 number such as +12025550101, or a SIP URI such as sip:practice@127.0.0.1:5070.',
        'tags: This is text, but must be a list in [ ].',
        'steps.1.name: "name" is missing.',
        'steps.1.action.type: "type" is missing. Give one of "dial", "press", "say", "wait", "expect", "collect", "hangUp".',
        'steps.2.action.keys: Keys are 0-9, * and #; a comma pauses for half a second; {column} stands for a value of the row.',
        'steps.2.passThreshold: This is too large. The maximum is 1.',
        'steps.3.action.name: A name has 1 to 40 letters, digits and underscores.',
        'steps.4: This is a number, but must be an object in { }.',
      ],
    );
    assert.deepEqual(await problems(callTest([])), ['a.calltest.json:1:42: steps: This is empty. Fill it in.']);
  });

  it('rejects expectations of a step that hangs up', async () => {
    const bye = { name: 'Bye', action: { type: 'hangUp' } };
    assert.deepEqual(await problems(callTest([dial, bye])), []);
    const found = await problems(
      callTest([dial, { ...bye, expectedTranscript: 'Goodbye' }, { ...bye, expectedEnd: 'hangup' }]),
    );
    assert.equal(found.length, 2);
    assert.match(
      found[0] ?? '',
      /steps\.2\.expectedTranscript: This step hangs up, so nothing is heard after it\. .*"expect" step/,
    );
    assert.match(
      found[1] ?? '',
      /steps\.3\.expectedEnd: This step hangs up, .*Move the expectation to an earlier step/,
    );
  });

  it('rejects an empty expectation, an unused time limit, and languages other than English', async () => {
    const told = async (step: object, rest: object = {}): Promise<string[]> =>
      (await problems(callTest([{ ...dial, ...step }], rest))).map((line) =>
        line.replace(/^a\.calltest\.json:\d+:\d+: /, ''),
      );
    for (const expectedTranscript of [' ', '...', '-', '"…"'])
      assert.match(
        (await told({ expectedTranscript })).join(),
        /^steps\.1\.expectedTranscript: This has no words\. .*"\*" for any words/,
      );
    for (const expectedTranscript of ['*', '{x} *', '#', 'Ja', '12'])
      assert.deepEqual(await told({ expectedTranscript }, { rows: [{ x: 'y' }] }), []);
    const heardBeforeAnswer = 'Not in service.';
    assert.deepEqual(await told({ heardBeforeAnswer }), []);
    for (const [wrong, why] of [
      [{ action: { type: 'expect' }, heardBeforeAnswer }, /^steps\.1\.heardBeforeAnswer: Only the first step/],
      [{ expectedTranscript: 'Hello', heardBeforeAnswer }, /^steps\.1\.heardBeforeAnswer: .* needs its own step/],
    ] as const)
      assert.match((await told(wrong)).join(), why);
    assert.match(
      (await told({ action: { type: 'expect' }, timing: { answerWithinSeconds: 3 } })).join(),
      /^steps\.1\.timing\.answerWithinSeconds: Only a dial step can be answered/,
    );
    assert.match(
      (await told({ action: { type: 'hangUp' }, timing: { promptWithinSeconds: 3, silenceAtMostSeconds: 3 } })).join(),
      /promptWithinSeconds: This step hangs up.*,steps\.1\.timing\.silenceAtMostSeconds: This step doesn't listen/,
    );
    assert.match(
      (await told({ timing: { silenceAtMostSeconds: 3 } })).join(),
      /silenceAtMostSeconds: This step doesn't listen/,
    );
    assert.deepEqual(
      await told({
        timing: { answerWithinSeconds: 3, promptWithinSeconds: 3, silenceAtMostSeconds: 3 },
        expectedTranscript: 'Hello',
      }),
      [],
    );
    assert.deepEqual(await told({ action: { type: 'press', keys: '1' }, timing: { promptWithinSeconds: 3 } }), []);
    assert.match((await told({ language: 'de-DE' })).join(), /^steps\.1\.language: .*only English/);
    assert.match((await told({}, { language: 'fr' })).join(), /^language: .*only English/);
    for (const language of ['en', 'en-GB']) assert.deepEqual(await told({ language }, { language }), []);
  });

  it("rejects row values that can't be pressed or expected", async () => {
    const steps = [dial, { name: 'Key', action: { type: 'press', keys: '1{key}' } }, expecting('{prompt}')];
    assert.deepEqual(
      await problems(
        callTest(steps, {
          rows: [
            { key: '2', prompt: 'Hello' },
            { key: '', prompt: '*' },
          ],
        }),
      ),
      [],
    );
    const found = await problems(
      callTest(steps, {
        rows: [
          { key: '2', prompt: 'Hello' },
          { key: '12a', prompt: ' ' },
        ],
      }),
    );
    assert.match(
      found[0] ?? '',
      /^a\.calltest\.json:1:\d+: rows\.2\.key: Row 2, column “key”: this value contains characters other than keys .*, so it can't be pressed in step “Key”\.$/,
    );
    assert.match(
      found[1] ?? '',
      /rows\.2\.prompt: Row 2, column “prompt”: this value leaves no words to expect in step “Hear”\.$/,
    );
    assert.deepEqual(
      await problems(callTest(steps, { rowsFile: 'r.csv' }), csv('key,prompt\n1,Hello\n12a,Hello\n2,\n')),
      [
        "r.csv:3:1: Row 2, column “key”: this value contains characters other than keys (0-9, *, # and commas), so it can't be pressed in step “Key”.",
        'r.csv:4:1: Row 3, column “prompt”: this value leaves no words to expect in step “Hear”.',
      ],
    );
    assert.ok(!found.join().includes('12a'), 'a value may be secret');
  });

  it('calls one number, or one practice IVR in the same folder', async () => {
    assert.match((await problems(JSON.stringify({ name: 'n', steps: [dial] }))).join('\n'), /The number is missing/);
    assert.match(
      (await problems(callTest([dial], { ivr: 'a.ivr.json' }))).join('\n'),
      /ivr: Use either phoneNumber or ivr, not both/,
    );
    for (const ivr of ['/etc/a.ivr.json', 'C:/a.ivr.json', 'a\\b.ivr.json', 'a.json'])
      assert.match(
        (await problems(JSON.stringify({ name: 'n', ivr, steps: [dial] }))).join('\n'),
        /ivr: Give the path of an \*\.ivr\.json file/,
        ivr,
      );
    for (const rowsFile of ['/etc/passwd', '/a.csv', 'a.txt'])
      assert.match(
        (await problems(callTest([dial], { rowsFile }))).join('\n'),
        /rowsFile: Give the path of a \*\.csv file/,
        rowsFile,
      );
  });

  it('takes its rows from a file', async () => {
    const file = await readTestFile(
      callTest([dial, expecting('{city}')], { rowsFile: 'r.csv' }),
      'a.calltest.json',
      csv('city\nBoston\n'),
    );
    assert.ok('kind' in file && file.kind === 'calltest');
    assert.deepEqual([file.test.rows, 'rowsFile' in file.test], [[{ city: 'Boston' }], false]);
    assert.deepEqual(await problems(callTest([dial], { rowsFile: 'r.csv' })), [
      'a.calltest.json:1:53: rowsFile: r.csv is not there.',
    ]);
    assert.match(
      (await problems(callTest([dial], { rowsFile: 'r.csv', rows: [{ a: '1' }] }))).join('\n'),
      /rows or rowsFile, not both/,
    );
    assert.deepEqual(await problems(callTest([dial], { rowsFile: 'r.csv' }), csv('a,b\n1\n')), [
      'r.csv:2:1: This row has 1 field; there are 2 columns (a, b).',
    ]);
  });

  it('rejects a {column} that has no value', async () => {
    const press = { name: 'Press', action: { type: 'press', keys: '{brnch}#' } };
    const collect = { name: 'Keep', action: { type: 'collect', name: 'code', pattern: '\\d+' } };
    const said = async (...args: Parameters<typeof problems>): Promise<string[]> =>
      (await problems(...args)).map((line) => line.replace(/^a\.calltest\.json:\d+:\d+: /, ''));
    assert.deepEqual(await said(callTest([press], { rows: [{ branch: '1', city: 'Boston' }] })), [
      "steps.1.action.keys: {brnch} isn't a column of the rows. Did you mean {branch}?",
    ]);
    assert.deepEqual(await said(callTest([expecting('{city}')], { rows: [{ city: 'Boston' }, { town: 'Denver' }] })), [
      "steps.1.expectedTranscript: Row 2 doesn't have the column {city}. Add it.",
    ]);
    assert.match(
      (await said(callTest([press]))).join('\n'),
      /^steps\.1\.action\.keys: \{brnch\} stands for a value of a row, but the test has no rows/,
    );
    assert.deepEqual(
      await said(callTest([collect, { name: 'Say', action: { type: 'say', text: '{code}' } }])),
      [],
      'what an earlier step collects',
    );
    assert.equal(
      (await said(callTest([{ name: 'Say', action: { type: 'say', text: '{code}' } }, collect]))).length,
      1,
      'not a later one',
    );
    assert.deepEqual(
      await said(callTest([{ name: 'Keep', action: { type: 'collect', name: 'code', pattern: '(\\d+' } }])),
      ["steps.1.action.pattern: This isn't a valid regular expression. Correct it."],
    );
  });
});

describe('the ID of a test file', () => {
  const id = '7d1f2c1e-8f7b-4b1e-9a39-0d2c5f6a1b3c';
  for (const [what, text, wanted] of [
    [
      'after $schema',
      '{\n  "$schema": "x",\n  "name": "n", // why\n}\n',
      `{\n  "$schema": "x",\n  "id": "${id}",\n  "name": "n", // why\n}\n`,
    ],
    [
      'first, where a comment follows $schema',
      '{\n  "$schema": "x", // s\n  "name": "n"\n}\n',
      `{\n  "id": "${id}",\n  "$schema": "x", // s\n  "name": "n"\n}\n`,
    ],
    [
      'before the comment of the first member',
      '\uFEFF{\r\n\t// lead\r\n\t"name": "n", "tags": [ "a",\r\n "b" ]\r\n}',
      `\uFEFF{\r\n\t"id": "${id}",\r\n\t// lead\r\n\t"name": "n", "tags": [ "a",\r\n "b" ]\r\n}`,
    ],
    [
      'on the same line, where all stands on one',
      '{ "name": "n", "tags": ["a"], }',
      `{ "id": "${id}", "name": "n", "tags": ["a"], }`,
    ],
    [
      'behind the comment of the first line',
      '{ // a test\n    "$schema": "x", "name": "n",\n}',
      `{ // a test\n    "$schema": "x", "id": "${id}", "name": "n",\n}`,
    ],
    ['into a file that has nothing else', '{}\n', `{\n  "id": "${id}"\n}\n`],
  ] as const)
    it(`goes ${what}, and nothing else changes`, () => assert.equal(withId(text, id), wanted));

  it('can be read from its position', async () => {
    for (const text of [
      '{"name":"n","phoneNumber":"+12025550101","steps":[{"name":"s","action":{"type":"dial"}}]}',
      '// top\n{ /* a */ "phoneNumber": "+12025550101", "name": "n",\n"steps": [ { "name": "s", "action": { "type": "dial" } } ] }',
    ]) {
      const file = await readTestFile(withId(text, id), 'a.calltest.json', none);
      assert.ok('kind' in file && file.test.id === id, JSON.stringify(file));
    }
  });
});
