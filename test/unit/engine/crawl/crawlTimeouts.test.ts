import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema, type IvrFile } from '../../../../src/contract/ivrFile.ts';
import { treeText } from '../../../../src/model/tree/treeLines.ts';
import { flattenTree } from '../../../../src/model/tree/treeBuild.ts';
import { mapIvr, type Crawled } from '../../../support/crawlTree.ts';

const ivrOf = (states: Record<string, object>, more: object = {}): IvrFile =>
  ivrFileSchema.parse({ name: 'Silent', start: 'main', answerAfterMs: 200, states, ...more });
const nodesOf = ({ tree }: Crawled) => (tree.tree ? flattenTree(tree.tree) : []);
const stepAt = (crawled: Crawled, wanted: string) => nodesOf(crawled).find(({ path }) => path === wanted);
const paths = (crawled: Crawled): string[] =>
  nodesOf(crawled)
    .map(({ path = '', end, status }) => `${path} ${end ?? status ?? ''}`.trim())
    .sort();

const collect = { min: 4, max: 8, next: 'closed' };
const closed = { prompt: 'The office is closed today. Goodbye.', end: 'hangup' };
const sales = { prompt: 'Our sales team is away. Goodbye.', end: 'hangup' };

describe('crawl: a state that falls silent', () => {
  for (const timeoutMs of [4000, 7000, 10_000])
    it(`listens after words that offer nothing: what it offers after ${String(timeoutMs)} ms is its menu`, async () => {
      const ivr = ivrOf({
        main: {
          prompt: 'Just say what it is that you want.',
          keys: { 1: 'sales', 2: 'closed' },
          timeoutMs,
          onTimeout: { prompt: 'Sorry, I did not get that. For sales, press 1. For service, press 2.' },
        },
        sales,
        closed,
      });
      const crawled = await mapIvr(ivr);
      assert.deepEqual(paths(crawled), ['1 hangup', '2 hangup', 'explored']);
    });

  it('asks for data if a later try does', async () => {
    const ivr = ivrOf({
      main: { prompt: 'For sales, press 1. For service, press 2.', keys: { 1: 'asks', 2: 'closed' } },
      asks: {
        prompt: 'And for your wealth as well it is tracking number.',
        collect,
        timeoutMs: 9000,
        onTimeout: { prompt: 'Please enter your tracking number, followed by the pound key.' },
        onExhausted: 'closed',
      },
      closed,
    });
    const asks = stepAt(await mapIvr(ivr), '1');
    assert.deepEqual([asks?.end, asks?.inputRequired?.terminator], ['input', '#']);
  });

  for (const [then, onExhausted] of [
    ['plays music', 'queue'],
    ['hangs up', 'closed'],
    ['plays the first menu', 'main'],
    ['is silent', 'dead'],
  ])
    it(`asks for something if it repeats the same words, and then ${String(then)}`, async () => {
      const ivr = ivrOf({
        main: { prompt: 'For sales, press 1. For service, press 2.', keys: { 1: 'asks', 2: 'closed' } },
        asks: { prompt: 'And for your wealth as well it is tracking number.', collect, timeoutMs: 7000, onExhausted },
        ...(onExhausted === 'queue' && { queue: { prompt: 'An operator will take your call.', end: 'hold-music' } }),
        ...(onExhausted === 'dead' && { dead: { prompt: 'Mm.', end: 'dead-air' } }),
        closed,
      });
      const asks = stepAt(await mapIvr(ivr), '1');
      assert.deepEqual([asks?.end, asks?.inputRequired?.type], ['input', 'other']);
      assert.equal(asks?.transcript, 'And for your wealth as well it is tracking number.');
    });

  it('counts as a queue after words that ask to hold, if music fades in', async () => {
    const ivr = ivrOf({
      main: { prompt: 'For sales, press 1. For service, press 2.', keys: { 1: 'queue', 2: 'closed' } },
      queue: { prompt: 'All of our agents are busy. Please hold.', next: 'music', pauseMs: 6500 },
      music: { prompt: '', end: 'hold-music' },
      closed,
    });
    assert.equal(stepAt(await mapIvr(ivr), '1')?.end, 'hold-music');
  });

  it('counts as a queue if it keeps asking the caller to hold', async () => {
    const ivr = ivrOf({
      main: { prompt: 'For sales, press 1. For service, press 2.', keys: { 1: 'queue', 2: 'closed' } },
      queue: { prompt: 'We are still busy with other callers. Please hold the line.', collect, onExhausted: 'music' },
      music: { prompt: 'Thanks for that.', end: 'hold-music' },
      closed,
    });
    const queue = stepAt(await mapIvr(ivr), '1');
    assert.equal(queue?.end, 'hold-music');
  });

  it('ends in dead air if it stays silent, soon after a goodbye', async () => {
    const lastsMs = async (prompt: string): Promise<number> => {
      const ivr = ivrOf({
        main: { prompt: 'For sales, press 1. For service, press 2.', keys: { 1: 'silent', 2: 'closed' } },
        silent: { prompt, end: 'dead-air' },
        closed,
      });
      const crawled = await mapIvr(ivr, { config: { concurrency: 1 } });
      assert.equal(stepAt(crawled, '1')?.end, 'dead-air');
      return crawled.stats.callSeconds;
    };
    const [open, over] = [
      await lastsMs('We have moved to Market Street.'),
      await lastsMs('We have moved now, goodbye.'),
    ];
    assert.ok(open - over > 4 && open - over < 7, `${String(open)} s and ${String(over)} s`);
  });

  it('gets a second call with a longer wait if it is at the root', async () => {
    const ivr = ivrOf({
      main: {
        prompt: 'You have reached the harbour.',
        keys: { 1: 'sales', 2: 'closed' },
        timeoutMs: 15_000,
        onTimeout: { prompt: 'Sorry, I did not get that. For sales, press 1. For service, press 2.' },
      },
      sales,
      closed,
    });
    assert.deepEqual(paths(await mapIvr(ivr)), ['1 hangup', '2 hangup', 'explored']);
    const dead = await mapIvr(ivrOf({ main: { prompt: 'You have reached the harbour.', end: 'dead-air' } }));
    assert.deepEqual([paths(dead), dead.stats.callsPlaced], [['dead-air'], 2]);
    const once = await mapIvr(ivrOf({ main: { prompt: 'You have reached the harbour.', end: 'dead-air' } }), {
      config: { maxCalls: 1 },
    });
    assert.deepEqual([paths(once), once.stats.callsPlaced], [['dead-air'], 1]);
  });
});

describe('crawl: a first menu that times out into another one', () => {
  const notice = 'Thank you for calling the harbour.';
  const unread = 'Burning was stress one for a final of three miles long.';
  const main = {
    prompt: 'For sales, press 1. For service, press 2. For a boat, press 3.',
    keys: { 1: 'sales', 2: 'closed', 3: 'boat' },
    onExhausted: 'closed',
  };
  const boat = { prompt: 'The boat has left. Goodbye.', end: 'hangup' };
  const spanish = { prompt: 'Por favor espere.', end: 'hold-music' };
  const gated = (gate: object, more: object = {}): IvrFile =>
    ivrOf(
      {
        main: { prompt: notice, next: 'gate', bargeIn: false, pauseMs: 400 },
        gate: { prompt: unread, keys: { 1: 'menu', 2: 'spanish' }, maxTries: 1, onExhausted: 'menu', ...gate },
        menu: main,
        sales,
        closed,
        boat,
        spanish,
      },
      more,
    );

  for (const timeoutMs of [2500, 3500, 8000])
    for (const digitBufferMs of [0, 3000])
      it(`counts as a separate menu after ${String(timeoutMs)} ms, even if its words aren't understood (keys are kept for ${String(digitBufferMs)} ms)`, async () => {
        const crawled = await mapIvr(gated({ timeoutMs }, { digitBufferMs }));
        assert.deepEqual(
          paths(crawled),
          [
            '1 > 1 hangup',
            '1 > 2 hangup',
            '1 > 3 hangup',
            '1 explored',
            '2 hold-music',
            'explored',
            'stay on the line linked',
          ],
          treeText(crawled.tree),
        );
      });

  it('counts as one menu if what comes before the silence only says that an extension can be dialled', async () => {
    const lead = { prompt: 'If you know your extension, you may dial it at any time.', next: 'menu', pauseMs: 2200 };
    const crawled = await mapIvr(ivrOf({ main: lead, menu: main, sales, closed, boat }));
    assert.deepEqual(paths(crawled), ['1 hangup', '2 hangup', '3 hangup', 'explored'], treeText(crawled.tree));
  });

  it('counts as one menu on a live number, because its keys must not be guessed', async () => {
    const crawled = await mapIvr(gated({ timeoutMs: 3500 }), { guarded: true });
    assert.deepEqual(
      nodesOf(crawled).map(({ path }) => path),
      ['', '1', '2', '3'],
    );
  });

  for (const digitBufferMs of [0, 3000])
    it(`counts as one menu if the words before the silence don't listen (keys are kept for ${String(digitBufferMs)} ms)`, async () => {
      const ivr = ivrOf(
        { main: { prompt: notice, next: 'menu', pauseMs: 3000 }, menu: main, sales, closed, boat },
        { digitBufferMs },
      );
      const crawled = await mapIvr(ivr);
      assert.deepEqual(paths(crawled), ['1 hangup', '2 hangup', '3 hangup', 'explored'], treeText(crawled.tree));
    });

  it('counts as one menu, to which one of its keys leads back', async () => {
    const menu = { ...main, keys: { 1: 'menu', 2: 'closed', 3: 'boat' }, timeoutMs: 2500 };
    const ivr = ivrOf(
      { main: { prompt: notice, next: 'menu', pauseMs: 3000 }, menu, closed, boat },
      { digitBufferMs: 0 },
    );
    const crawled = await mapIvr(ivr, { config: { concurrency: 1 } });
    assert.deepEqual(paths(crawled), ['1 linked', '2 hangup', '3 hangup', 'explored'], treeText(crawled.tree));
    assert.equal(stepAt(crawled, '1')?.linksTo, stepAt(crawled, '')?.stepId);
  });

  it('counts as one menu if keys choose from the menu that follows at any time', async () => {
    const ivr = ivrOf({
      main: { ...main, prompt: 'How can I help you?', onTimeout: { prompt: main.prompt }, onExhausted: 'closed' },
      sales,
      closed,
      boat,
    });
    assert.deepEqual(paths(await mapIvr(ivr)), ['1 hangup', '2 hangup', '3 hangup', 'explored']);
  });

  it('gets no guessed key if the words before it ask the caller to wait', async () => {
    const ivr = ivrOf({
      main: { prompt: `${notice} One moment please.`, next: 'menu', pauseMs: 4000 },
      menu: main,
      sales,
      closed,
      boat,
    });
    const crawled = await mapIvr(ivr);
    assert.deepEqual(paths(crawled), ['1 hangup', '2 hangup', '3 hangup', 'explored']);
    assert.ok(crawled.stats.callsPlaced <= 5, String(crawled.stats.callsPlaced));
  });
});
