import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { scoreTree } from '../../../../src/model/tree/treeScore.ts';
import { mapIvr, truthOf } from '../../../support/crawlTree.ts';
import { generateIvr } from '../../../support/generateIvr.ts';

/** A chain of menus, each with a leaf beside the branch down. */
const deep = ivrFileSchema.parse({
  name: 'Deep',
  start: 'menu0',
  answerAfterMs: 200,
  states: {
    ...Object.fromEntries(
      [0, 1, 2, 3].map((level) => [
        `menu${String(level)}`,
        {
          prompt: `This is the ${['first', 'second', 'third', 'fourth'][level] ?? ''} floor. For rooms on floor ${String(level)}0, press 1. For further floors above ${String(level)}0, press 2.`,
          keys: { '1': `leaf${String(level)}`, '2': level === 3 ? 'top' : `menu${String(level + 1)}` },
        },
      ]),
    ),
    ...Object.fromEntries(
      [0, 1, 2, 3].map((level) => [
        `leaf${String(level)}`,
        { prompt: `The rooms of floor ${String(level)}0 are taken. Goodbye.`, end: 'hangup' },
      ]),
    ),
    top: { prompt: 'There is only the roof. Goodbye.', end: 'hangup' },
  },
});

async function map(ivr: typeof deep, deafMs: number) {
  const crawled = await mapIvr(ivr, { line: { deafMs } });
  return { ...crawled, score: scoreTree(truthOf(ivr), crawled.tree) };
}

describe('crawl: keys sent ahead', () => {
  it('pass known menus without listening, if those accept keys immediately', async () => {
    const { score, stats } = await map(deep, 0);
    const heardFirst = await map(deep, 400);
    assert.deepEqual(
      [score.mistakes, score.ends.wrong, heardFirst.score.mistakes, heardFirst.score.ends.wrong],
      [[], [], [], []],
    );
    assert.ok((stats.limit?.elapsedSeconds ?? 0) < (heardFirst.stats.limit?.elapsedSeconds ?? 0), 'it saves time');
  });

  for (let seed = 1; seed <= 12; seed += 1) {
    it(`map shape ${String(seed)} exactly if early keys are lost`, async () => {
      const { score, end } = await map(generateIvr(seed, { stubborn: seed % 3 === 0 }), 400);
      assert.equal(end.status, 'completed');
      assert.deepEqual(
        { mistakes: score.mistakes, falseMerges: score.falseMerges, ends: score.ends.wrong },
        { mistakes: [], falseMerges: [], ends: [] },
      );
    });
  }
});

describe('crawl: a choice of languages of which only English is understood', () => {
  for (const languages of [2, 3, 4])
    it(`finds the keys of ${String(languages)} languages in the order of their numbers`, async () => {
      const others = ['Zvolte dvojku prosim.', 'Valitse kolmonen kiitos.', 'Velg fire takk.'].slice(0, languages - 1);
      const keys = Object.fromEntries(others.map((_, index) => [String(index + 2), `language${String(index)}`]));
      const ivr = ivrFileSchema.parse({
        name: 'Gate',
        start: 'gate',
        answerAfterMs: 200,
        states: {
          gate: { prompt: `For English, press 1. ${others.join(' ')}`, keys: { '1': 'english', ...keys } },
          english: { prompt: 'For hours, press 1. For directions, press 2.', keys: { '1': 'hours', '2': 'way' } },
          hours: { prompt: 'We are open all day. Goodbye.', end: 'hangup' },
          way: { prompt: 'We are at the harbour. Goodbye.', end: 'hangup' },
          ...Object.fromEntries(
            others.map((text, index) => [`language${String(index)}`, { prompt: text, end: 'transfer-ringback' }]),
          ),
        },
      });
      const { tree } = await mapIvr(ivr);
      assert.deepEqual(tree.tree?.children?.map(({ digit }) => digit).sort(), ['1', ...Object.keys(keys)]);
    });
});
