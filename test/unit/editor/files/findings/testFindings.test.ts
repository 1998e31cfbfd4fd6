import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { checkFile } from '../../../../../src/editor/files/findings/findings.ts';
import { english, uuid } from '../../fakes.ts';
import { file, findingOf, folder, found, applyFix } from '../fakeFiles.ts';

const samples = path.resolve(import.meta.dirname, '../../../../../media/samples');
const dial = '{ "name": "Greeting", "action": { "type": "dial" }, "expectedTranscript": "Welcome" }';
const test = (steps: readonly string[], more = '"phoneNumber": "+12025550101"'): ReturnType<typeof file> =>
  file(
    'a.calltest.json',
    `{
  "name": "Test", ${more},
  "steps": [
    ${steps.join(',\n    ')},
  ]
}`,
  );

describe('findings in a test', () => {
  it('report nothing for the samples', async () => {
    const texts: Record<string, string> = {};
    for (const name of await readdir(samples)) texts[name] = await readFile(path.join(samples, name), 'utf8');
    for (const [name, text] of Object.entries(texts))
      if (/\.(?:calltest|mission)\.json$/.test(name))
        assert.deepEqual(await found(file(name, text), folder(texts)), [], name);
  });

  it('include a number without a route, except practice numbers and if another machine has the dial plan', async () => {
    const to = (number: string): ReturnType<typeof file> =>
      file('a.mission.json', `{ "name": "M", "phoneNumber": "${number}", "mission": "m", "acceptance": "a" }`);
    assert.deepEqual(await found(to('+13125550101')), ['warning missing-route "+13125550101"']);
    for (const number of ['+4930123456', '+12025550177', 'sip:bank@127.0.0.1:5070'])
      assert.deepEqual(await found(to(number)), [], number);
    assert.deepEqual(await found(to('+13125550101'), { ...folder({}), routes: undefined }), []);
    assert.deepEqual((await findingOf(to('+13125550101'), 'missing-route')).remedies?.(), [
      { kind: 'run', title: 'Add a line for +13125550101…', command: 'dialtree.line.add' },
    ]);
  });

  it('include a secret without a value, with a way to set it, and accept variables', async () => {
    const press =
      '{ "name": "Key", "action": { "type": "press", "keys": "{key}${secret:PIN}" }, "expectedTranscript": "a" }';
    const variables = '{ "environments": { "dev": { "variables": { "key": "1" } } }, "default": "dev" }';
    const around = folder({ 'dialtree.env.json': variables });
    assert.deepEqual(await found(test([dial, press]), around), ['error missing-secret "{key}${secret:PIN}"']);
    assert.deepEqual((await findingOf(test([dial, press]), 'missing-secret', around)).remedies?.(), [
      { kind: 'run', title: 'Set the secret PIN…', command: 'dialtree.secret.set', argument: { name: 'PIN' } },
    ]);
    const environment = { secretOf: () => Promise.resolve('4711') };
    assert.deepEqual(await found(test([dial, press]), { ...around, environment }), []);
  });

  it('include a criterion that only a language model can judge, with a way to choose one for the own service', async () => {
    const mission = file(
      'a.mission.json',
      '{ "name": "M", "phoneNumber": "+12025550101", "mission": "m", "acceptance": "The agent is polite." }',
    );
    const around = { ...folder({}), criterion: (text: string) => ({ unjudged: [text] }) };
    assert.deepEqual(await found(mission, around), ['warning unjudged "The agent is polite."']);
    assert.deepEqual((await findingOf(mission, 'unjudged', around)).remedies?.(), [
      { kind: 'run', title: 'Choose Language Model…', command: 'dialtree.model.choose' },
    ]);
    assert.equal((await findingOf(mission, 'unjudged', { ...around, routes: undefined })).remedies, undefined);
  });

  it('offer to turn a criterion into checks, which keeps what no check can say', async () => {
    const text = `{
  "name": "M", // its name
  "phoneNumber": "+12025550101",
  "mission": "m",
  "acceptance": "The IVR says \\"hi\\". The agent is polite.", // what must happen
}`;
    const checks = [{ kind: 'says', text: 'hi' } as const];
    const turned = async (rest?: string): Promise<string> => {
      const around = { ...folder({}), criterion: () => ({ asChecks: { checks, rest } }) };
      const [remedy] = (await findingOf(file('a.mission.json', text), 'derivable', around)).remedies?.() ?? [];
      assert.ok(remedy?.kind === 'edit');
      return applyEdits(text, [...remedy.edits]);
    };
    const added = `"checks": [
    { "kind": "says", "text": "hi" }
  ], // what must happen`;
    assert.ok((await turned()).includes(`"mission": "m",\n  ${added}`));
    const kept = await turned('The agent is polite.');
    assert.ok(kept.includes(`"acceptance": "The agent is polite.",\n  ${added}`));
    const around = { ...folder({}), criterion: () => ({ asChecks: { checks }, unjudged: ['The agent is polite'] }) };
    assert.deepEqual(await found(file('a.mission.json', kept), around), [], 'checks decide');
  });

  it('include an ID that another file has, and offer a new one for a copy', async () => {
    const copy = test([dial], `"phoneNumber": "+12025550101", "id": "${uuid(7)}"`);
    const around = folder({ 'a.calltest.json': copy.text, 'b.calltest.json': copy.text });
    assert.deepEqual(await found(copy, around), [`error duplicate-id "${uuid(7)}"`]);
    const finding = await findingOf(copy, 'duplicate-id', around);
    assert.match(finding.message, /^b\.calltest\.json has the same ID/);
    assert.deepEqual(
      finding.related?.map(({ uri }) => uri),
      ['file:///w/b.calltest.json'],
    );
    assert.equal(applyFix(copy, finding, 'Give this file its own ID'), copy.text.replace(uuid(7), uuid(1)));
    assert.deepEqual(await found(copy, folder({ 'a.calltest.json': copy.text })), []);
  });

  it('include a missing file, and offer the intended one or a new one', async () => {
    const wrong = test([dial], '"ivr": "bnk.ivr.json"');
    assert.deepEqual(await found(wrong, folder({ 'bank.ivr.json': '{}' })), ['error missing-file "bnk.ivr.json"']);
    const finding = await findingOf(wrong, 'missing-file', folder({ 'bank.ivr.json': '{}' }));
    assert.deepEqual(
      finding.remedies?.().map(({ title }) => title),
      ['Change to "bank.ivr.json"', 'Create bnk.ivr.json'],
    );
    const rows = test(
      ['{ "name": "Press", "action": { "type": "press", "keys": "{key}" }, "expectedTranscript": "{prompt}" }'],
      '"phoneNumber": "+12025550101", "rowsFile": "rows.csv"',
    );
    const [create] = (await findingOf(rows, 'missing-file')).remedies?.() ?? [];
    assert.deepEqual(create, {
      kind: 'create',
      title: 'Create rows.csv',
      path: 'rows.csv',
      content: 'key,prompt\n1,1\n',
    });
    assert.deepEqual(await found(rows, folder({ 'rows.csv': 'key,prompt\n1,1\n' })), []);
  });

  it('include a file outside the open folders, without reading it', async () => {
    const wrong = test([dial], '"ivr": "../other/bank.ivr.json"');
    assert.deepEqual(await found(wrong), ['error outside-file "../other/bank.ivr.json"']);
    const rows = test([dial], '"phoneNumber": "+12025550101", "rowsFile": "data/../../keys.csv"');
    const read: string[] = [];
    assert.deepEqual(
      await found(rows, {
        ...folder({}),
        read: (path) => {
          read.push(path);
          return Promise.resolve('a\n1\n');
        },
      }),
      ['error outside-file "data/../../keys.csv"'],
    );
    assert.deepEqual(read, []);
  });

  it('include an unknown column, and an unused one', async () => {
    const press = '{ "name": "Press", "action": { "type": "press", "keys": "{brnch}#" }, "expectedTranscript": "Yes" }';
    const wrong = test([press], '"phoneNumber": "+12025550101", "rows": [{ "branch": "1", "city": "Boston" }]');
    assert.deepEqual(await found(wrong), [
      'information unused-column "branch"',
      'information unused-column "city"',
      'error unknown-column {brnch}',
    ]);
    assert.ok(
      applyFix(wrong, await findingOf(wrong, 'unknown-column'), 'Change to "{branch}"').includes('"keys": "{branch}#"'),
    );
    assert.deepEqual(
      await found(
        test([press.replace('{brnch}', '{a}')], '"ivr": "b.ivr.json", "rowsFile": "r.csv"'),
        folder({ 'b.ivr.json': '{}', 'r.csv': 'a,b\n1,2\n' }),
      ),
      ['information unused-column "r.csv"'],
    );
    assert.deepEqual(
      await found(
        test([press], '"ivr": "b.ivr.json", "rowsFile": "r.csv"'),
        folder({ 'b.ivr.json': '{}', 'r.csv': 'a,b\n1\n' }),
      ),
      ['error invalid "r.csv"'],
    );
  });

  it('include a threshold that decides nothing or everything', async () => {
    const step = (threshold: string): string =>
      `{ "name": "S", "action": { "type": "expect" }, "expectedTranscript": "Yes", "passThreshold": ${threshold} }`;
    for (const threshold of ['0', '1', '1.0'])
      assert.deepEqual(await found(test([step(threshold)])), [`warning threshold ${threshold}`]);
    assert.deepEqual(await found(test([step('0.9')])), []);
    const wrong = test([step('1')]);
    assert.equal(
      applyFix(wrong, await findingOf(wrong, 'threshold'), 'Set the threshold to 0.8'),
      wrong.text.replace('"passThreshold": 1', '"passThreshold": 0.8'),
    );
    assert.deepEqual(
      await found(test([dial, '{ "name": "P", "action": { "type": "hangUp" }, "passThreshold": 0.5 }'])),
      ['hint threshold 0.5'],
    );
  });

  it('include an impossible time, and one that is never checked', async () => {
    const needed: Readonly<Record<string, string>> = { press: ', "keys": "1"', wait: ', "seconds": 1' };
    const step = (type: string, timing: string): string =>
      `{ "name": "S", "action": { "type": "${type}"${needed[type] ?? ''} }, "expectedTranscript": "Yes", "timing": { ${timing} } }`;
    assert.deepEqual(await found(test([step('dial', '"promptWithinSeconds": 4, "silenceAtMostSeconds": 2')])), [
      'warning impossible-timing 2',
    ]);
    assert.deepEqual(await found(test([step('dial', '"promptWithinSeconds": 2, "silenceAtMostSeconds": 4')])), []);
    assert.deepEqual(await found(test([step('dial', '"answerWithinSeconds": 0')])), ['warning impossible-timing 0']);
    for (const type of ['press', 'wait']) {
      const late = step(type, '"promptWithinSeconds": 2');
      assert.deepEqual(await found(test([dial, late])), [], type);
      assert.deepEqual(await found(test([dial, late.replace('"expectedTranscript": "Yes", ', '')])), [], type);
    }
    assert.deepEqual(
      await found(
        test([dial, step('hangUp', '"promptWithinSeconds": 2').replace('"expectedTranscript": "Yes", ', '')]),
      ),
      ['error invalid 2'],
    );
    assert.deepEqual(await found(test([dial, step('expect', '"answerWithinSeconds": 3')])), ['error invalid 3']);
    assert.deepEqual(
      await found(
        test([dial, step('press', '"silenceAtMostSeconds": 5').replace('"expectedTranscript": "Yes", ', '')]),
      ),
      ['error invalid 5'],
    );
  });

  it('include a step that expects nothing, with a severity that fits', async () => {
    const step = (type: string, more = ''): string => `{ "name": "${type}", "action": { "type": "${type}"${more} } }`;
    assert.deepEqual(await found(test([step('dial'), step('hangUp')])), ['warning no-expectation "steps"']);
    assert.deepEqual(await found(test([step('dial'), step('expect'), step('hangUp')])), [
      'hint no-expectation "dial"',
      'information no-expectation "expect"',
    ]);
    assert.deepEqual(await found(test([step('dial'), step('wait', ', "seconds": 1'), dial])), [
      'hint no-expectation "dial"',
      'information second-dial "Greeting"',
    ]);
    assert.deepEqual(
      await found(
        test(
          [step('dial'), step('press', ', "keys": "1"'), step('expect')].map((text) =>
            text.replace(/ \}$/, ', "expectedEnd": "hangup" }'),
          ),
        ),
      ),
      [],
    );
    assert.deepEqual(await found(test([dial, step('hangUp'), step('expect')])), [
      'warning after-hang-up "expect"',
      'information no-expectation "expect"',
    ]);
  });

  it('include expectations of a step that hangs up', async () => {
    const deaf = test([
      dial,
      '{ "name": "End", "action": { "type": "hangUp" }, "expectedTranscript": "Goodbye", "expectedEnd": "hangup" }',
    ]);
    assert.deepEqual(await found(deaf), ['error after-hang-up "Goodbye"', 'error after-hang-up "hangup"']);
    const repaired = applyFix(deaf, await findingOf(deaf, 'after-hang-up'), 'Only listen here ("expect")');
    assert.equal(repaired, deaf.text.replace('"hangUp"', '"expect"'));
    assert.deepEqual(await found(file('a.calltest.json', repaired)), []);
  });
});

describe('problems of a file in the editor', () => {
  /** Each problem as the text that it marks, and its words. */
  const problems = async (name: string, text: string): Promise<string[]> => {
    const parsed = file(name, text);
    return (await checkFile(parsed, folder({}), english))
      .filter(({ severity }) => severity === 'error')
      .map(({ offset, length, message }) => `${text.slice(offset, offset + length)} ${message}`);
  };

  it('have the words of the Test Explorer, at the property, with steps counted from 1', async () => {
    assert.deepEqual(
      await problems(
        'a.calltest.json',
        `{ "name": "T", "phoneNumber": "+12025550101", "steps": [${dial}, { "name": "K", "action": { "type": "press", "keys": "x" } }] }`,
      ),
      [
        '"x" steps.2.action.keys: Keys are 0-9, * and #; a comma pauses for half a second; {column} stands for a value of the row.',
      ],
    );
    const [wrong, ...more] = await problems(
      'a.mission.json',
      '{ "name": "M", "phoneNumber": "+12025550101", "mission": "m", "acceptence": "a" }',
    );
    assert.equal(wrong, '"acceptence" The member "acceptence" isn\'t allowed here. Did you mean "acceptance"?');
    assert.deepEqual(more, []);
  });

  it('include ivr beside phoneNumber, whatever else is wrong', async () => {
    const both = '"phoneNumber": "+12025550101", "ivr": "b.ivr.json"';
    assert.deepEqual(await problems('a.mission.json', `{ "name": 1, ${both}, "mission": "m", "acceptance": "a" }`), [
      '1 name: This is a number, but must be text in quotes.',
      '"b.ivr.json" ivr: Use either phoneNumber or ivr, not both.',
      '"b.ivr.json" The file b.ivr.json doesn\'t exist.',
    ]);
  });

  for (const [name, missing] of [
    ['a.calltest.json', ['name', 'steps']],
    ['a.mission.json', ['name', 'mission']],
    ['a.ivr.json', ['name', 'start', 'states']],
    ['a.calltree.json', ['name', 'tree']],
  ] as const)
    it(`say what is missing in an empty file, and mark one character of an object without content: ${name}`, async () => {
      const [empty] = await problems(name, '\n');
      for (const member of missing) assert.ok(empty?.includes(`"${member}" is missing.`), empty);
      for (const problem of await problems(name, '{}')) assert.match(problem, /^\{ .* missing\./);
    });

  it('leave errors of syntax to the editor of JSON', async () =>
    assert.deepEqual(await problems('a.ivr.json', '{ "name" }'), []));
});

describe('findings in a mapped tree', () => {
  it('include a link to a missing step, and a duplicate ID', async () => {
    const tree = file(
      'a.calltree.json',
      JSON.stringify({
        name: 'Bank',
        tree: {
          stepId: 'root',
          children: [{ stepId: 's1', linksTo: 'rot' }, { stepId: 's1' }, { stepId: 's2', linksTo: 'root' }],
        },
      }),
    );
    assert.deepEqual(await found(tree), ['warning missing-step "rot"', 'warning duplicate-step "s1"']);
    assert.match(applyFix(tree, await findingOf(tree, 'missing-step'), 'Change to "root"'), /"linksTo":"root"/);
    // If everything is wrong, the first names are reported, without comparing each with all.
    const all = file(
      'b.calltree.json',
      JSON.stringify({
        name: 'Bank',
        tree: {
          stepId: 'root',
          children: Array.from({ length: 110 }, (_, index) => ({
            stepId: `step${String(index)}`,
            linksTo: `steq${String(index)}`,
          })),
        },
      }),
    );
    const lost = await checkFile(all, folder({}), english);
    assert.deepEqual([lost.length, lost.filter(({ remedies }) => remedies).length], [101, 50]);
  });
});
