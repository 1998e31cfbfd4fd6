import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hoverAt } from '../../../../../src/editor/files/assistance/hovers.ts';
import type { HoverSource } from '../../../../../src/editor/files/assistance/hovers.ts';
import { missionRun, results, step } from '../../testing/fakeRuns.ts';
import { english } from '../../fakes.ts';
import { file } from '../fakeFiles.ts';

const source = (values: Partial<HoverSource> = {}): HoverSource => ({
  routes: {
    '+49*': { uri: 'sip:{number}@trunk.example.com' },
    '+4930*': { uri: 'sip:{number}@berlin.example.com', line: 'berlin' },
  },
  lastRuns: () => Promise.resolve([]),
  ...values,
});
const hover = async (name: string, marked: string, from = source()): Promise<string | undefined> => {
  const parsed = file(name, marked);
  return (await hoverAt(parsed, parsed.offset, from, english))?.markdown;
};

describe('a hover', () => {
  const ivr = (main: string): string =>
    `{ "start": "ma¦in", "states": { "main": ${main}, "bye": { "prompt": "*Bye*", "next": "main" } } }`;

  it('on a state shows its prompt, and the ways in and out', async () => {
    assert.equal(
      await hover(
        'a.ivr.json',
        ivr('{ "prompt": "Press 1.", "keys": { "1": "bye" }, "onTimeout": { "next": "bye" } }'),
      ),
      [
        '**main**',
        '“Press 1\\.”',
        'Reached from: `start`, `bye` (`next`)',
        'Leads to: `1` → `bye`, `onTimeout.next` → `bye`',
      ].join('  \n'),
    );
    assert.match((await hover('a.ivr.json', ivr('{ "prompt": "x", "end": "hangup" }'))) ?? '', /Ends with: `hangup`/);
    assert.equal(await hover('a.ivr.json', '{ "start": "no¦where" }'), undefined);
  });

  it('shows no Markdown from the file or the call', async () => {
    const text = fc
      .array(
        fc.constantFrom(
          ...['![](', 'http://a', ')', '[b]', '`', '<img src=a>', '\n\n', '\r\r', '\\', '    ', '$(x)', 'c'],
        ),
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (name, words) => {
        const state = { prompt: words, keys: { [words]: `_${name}` }, next: words, end: words };
        const states = JSON.stringify({ [`_${name}`]: state, x: { next: `_${name}` } });
        const steps = [step(words, { transcript: words, reason: words })];
        const lastRuns = () => Promise.resolve([{ results: results(1, { steps, row: { [words]: words } }) }]);
        const test = `{ "steps": [{ "¦name": ${JSON.stringify(words)} }] }`.replace('"¦name": "', '"name": "¦');
        for (const shown of [
          await hover(
            'a.ivr.json',
            `{ "start": ${JSON.stringify(`_${name}`).replace('"', '"¦')}, "states": ${states} }`,
          ),
          await hover('a.calltest.json', test, source({ lastRuns })),
        ]) {
          assert.ok(shown !== undefined);
          // Escaped characters and code on one line are text.
          const rest = shown.split(/[\n\r]/).map((line) => line.replaceAll(/\\[^\w\s]|`[^`]+`/g, ''));
          assert.doesNotMatch(rest.join('\n'), /[![\]<`$]/);
        }
      }),
    );
  });

  it('on a number shows where its route leads', async () => {
    const at = (number: string, from = source()): Promise<string | undefined> =>
      hover('a.mission.json', `{ "phoneNumber": "¦${number}" }`, from);
    assert.equal(await at('+4940123456'), 'Calls go to `sip:+4940123456@trunk.example.com`');
    assert.equal(await at('+4930123456'), 'Calls go over the line `berlin` to `sip:+4930123456@berlin.example.com`');
    assert.match((await at('+12025550101')) ?? '', /Reserved for fictional use/);
    assert.match((await at('+13125550101')) ?? '', /No line/);
    assert.equal(await at('+13125550101', { routes: undefined, lastRuns: () => Promise.resolve([]) }), undefined);
    assert.equal(await at('sip:a@b'), undefined);
  });

  it('on a step shows what was last heard there, and its similarity', async () => {
    const test =
      '{ "steps": [{ "name": "Greeting" }, { "name": "Cards", "expectedTranscript": "You have ¦reached cards" }] }';
    const told = results(1, {
      steps: [
        step('Greeting'),
        step('Cards', {
          outcome: 'FAIL',
          similarity: 0.42,
          transcript: 'You have reached [loans]',
          reason: 'Other words.',
          latencyMs: 1240,
        }),
      ],
    });
    assert.equal(
      await hover('a.calltest.json', test, source({ lastRuns: () => Promise.resolve([{ results: told }]) })),
      [
        '**Last run**',
        'failed · 42% match · answered after 1.2 s',
        '“You have reached \\[loans\\]”',
        'Other words\\.',
      ].join('  \n'),
    );
    assert.equal(await hover('a.calltest.json', test), undefined);
    assert.equal(
      await hover(
        'a.calltest.json',
        test.replace('Cards', 'Renamed'),
        source({ lastRuns: () => Promise.resolve([{ results: told }]) }),
      ),
      undefined,
    );
  });

  it('on a step of many rows shows those that failed', async () => {
    const rows = [{ key: '1' }, { key: '2' }].map((row, index) => ({
      results: {
        ...results(index + 1, {
          steps: [step('Branch', { outcome: index === 0 ? 'PASS' : 'FAIL', transcript: `row ${String(index)}` })],
        }),
        row,
      },
    }));
    const markdown = await hover(
      'a.calltest.json',
      '{ "steps": [{ "name": "Bra¦nch" }] }',
      source({ lastRuns: () => Promise.resolve(rows) }),
    );
    assert.match(markdown ?? '', /`key` 2/);
    assert.doesNotMatch(markdown ?? '', /row 0/);
  });

  it('on a criterion shows the last verdict and the end of the conversation', async () => {
    const run = {
      results: results(1, {
        runType: 'mission',
        transcript: [
          { speaker: 'us', text: '[keys 1]' },
          { speaker: 'them', text: 'Your balance is *two*.' },
        ],
      }),
      mission: missionRun(1, { judgeReasoning: 'It was said.' }),
    };
    assert.equal(
      await hover('a.mission.json', '{ "acceptance": "¦x" }', source({ lastRuns: () => Promise.resolve([run]) })),
      ['**Last run**', 'passed', 'It was said\\.', '→ \\[keys 1\\]', '← Your balance is \\*two\\*\\.'].join('  \n'),
    );
  });
});
