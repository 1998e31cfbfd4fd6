import assert from 'node:assert/strict';
import { ivrFileSchema, type IvrFile } from '../../../../src/contract/ivrFile.ts';
import { flattenTree } from '../../../../src/model/tree/treeBuild.ts';
import { treeText } from '../../../../src/model/tree/treeLines.ts';
import { mapIvr, type Crawled } from '../../../support/crawlTree.ts';

const ivrOf = (states: Record<string, object>): IvrFile =>
  ivrFileSchema.parse({ name: 'Gate', start: 'gate', answerAfterMs: 200, states });
const stepsOf = ({ tree }: Crawled) => (tree.tree ? flattenTree(tree.tree) : []);
const paths = (crawled: Crawled): string[] =>
  stepsOf(crawled)
    .map(({ path = '', end, status }) => `${path} ${end ?? status ?? ''}`.trim())
    .sort();

const gate = {
  prompt: 'Thank you for calling the harbour. For English, press 1. Parabotos operinuelano.',
  keys: { 1: 'notice', 2: 'spanish' },
  onTimeout: { next: 'notice' },
  timeoutMs: 3000,
};
const notice = {
  prompt: 'Calls are recorded and monitored for quality at all times.',
  next: 'menu',
  bargeIn: false,
  pauseMs: 300,
};
const menu = {
  prompt: 'For sales, press 1. For service, press 2. For a boat, press 3.',
  keys: { 1: 'sales', 2: 'closed', 3: 'boat' },
  onExhausted: 'closed',
};
const ends = {
  sales: { prompt: 'Our sales team is away. Goodbye.', end: 'hangup' },
  closed: { prompt: 'The office is closed today. Goodbye.', end: 'hangup' },
  boat: { prompt: 'The boat has left. Goodbye.', end: 'hangup' },
};
const spanish = { prompt: 'Un momento para usted, le atenderemos enseguida, gracias por su llamada.', end: 'dead-air' };

describe('crawl: a menu that continues by itself', () => {
  const whole = [
    '1 > 1 hangup',
    '1 > 2 hangup',
    '1 > 3 hangup',
    '1 explored',
    '2 explored',
    'explored',
    'stay on the line linked',
  ];

  for (const timeoutMs of [2500, 3000, 5000])
    it(`links what follows it after ${String(timeoutMs)} ms to its key, and maps that menu once`, async () => {
      const crawled = await mapIvr(ivrOf({ gate: { ...gate, timeoutMs }, notice, menu, spanish, ...ends }));
      assert.deepEqual(paths(crawled), whole, treeText(crawled.tree));
      assert.equal(crawled.end.status, 'completed');
      const root = crawled.tree.tree?.transcript ?? '';
      assert.ok(!root.includes('recorded') && !root.includes('sales'), root);
    });

  it('explores what follows by waiting if no key leads there', async () => {
    const only = { ...gate, keys: { 1: 'sales', 2: 'closed' } };
    const crawled = await mapIvr(ivrOf({ gate: only, notice, menu, ...ends }));
    const waited = stepsOf(crawled).filter(({ path = '' }) => path.startsWith('stay on the line'));
    assert.deepEqual(
      waited.map(({ digit, byWaiting, end }) => [digit, byWaiting, end]),
      [
        [undefined, true, undefined],
        ['1', undefined, 'hangup'],
        ['2', undefined, 'hangup'],
        ['3', undefined, 'hangup'],
      ],
      treeText(crawled.tree),
    );
  });

  it('waits on a live number too, but guesses no key', async () => {
    const crawled = await mapIvr(ivrOf({ gate, notice, menu, spanish, ...ends }), { guarded: true });
    assert.deepEqual(
      crawled.calls.flatMap(({ keys }) => keys).filter((key) => key === '2' || key === '0'),
      ['2'],
    );
    assert.ok(paths(crawled).includes('stay on the line linked'), treeText(crawled.tree));
  });

  it('leads nowhere if the called side gives up or returns to a menu above', async () => {
    const parting = { prompt: 'We did not hear from you. Goodbye.', end: 'hangup' };
    const lower = { prompt: 'For a ferry, press 1.', keys: { 1: 'sales' }, onTimeout: { next: 'gate' }, maxTries: 1 };
    for (const states of [
      { gate: { ...gate, keys: { 1: 'sales' }, onTimeout: { next: 'parting' } }, parting, sales: ends.sales },
      { gate: { ...menu, keys: { 1: 'lower', 2: 'closed', 3: 'boat' } }, lower, ...ends },
    ]) {
      const crawled = await mapIvr(ivrOf(states));
      assert.ok(!stepsOf(crawled).some(({ byWaiting }) => byWaiting), treeText(crawled.tree));
    }
  });

  it('never becomes a link to a step below it', async () => {
    // Every second call breaks off, so the first menu is heard after menus below it are known.
    const crawled = await mapIvr(ivrOf({ gate, notice, menu, spanish, ...ends }), {
      line: { refuse: (call) => (call % 2 === 0 ? 486 : undefined) },
    });
    const steps = stepsOf(crawled);
    for (const { linksTo } of steps)
      assert.ok(linksTo === undefined || steps.some(({ stepId }) => stepId === linksTo), treeText(crawled.tree));
    assert.equal(crawled.tree.tree?.status, 'explored');
  });

  it('stays one menu if its next option follows a long pause', async () => {
    const slow = (key: string, label: string, target: string, next?: string): object => ({
      prompt: `For ${label}, press ${key}.`,
      keys: { 1: 'sales', 2: 'closed', 3: 'boat' },
      timeoutMs: 3000,
      maxTries: 1,
      onExhausted: next ?? target,
    });
    const crawled = await mapIvr(
      ivrOf({
        gate: slow('1', 'sales', 'sales', 'two'),
        two: slow('2', 'service', 'closed', 'three'),
        three: slow('3', 'boats', 'boat'),
        ...ends,
      }),
    );
    assert.deepEqual(paths(crawled), ['1 hangup', '2 hangup', '3 hangup', 'explored'], treeText(crawled.tree));
  });
});

describe('crawl: a branch in another language', () => {
  const languages = {
    prompt: 'For English, press 1. For French, press 2.',
    keys: { 1: 'menu', 2: 'french' },
  };
  const french = {
    prompt: 'Nous vous souhaitons la bienvenue, et nous sommes là pour vous et votre compte.',
    keys: { 1: 'sales', 2: 'boat' },
    onExhausted: 'closed',
  };

  it('gets a step that says so instead of a request for data, and its keys are tried', async () => {
    const crawled = await mapIvr(ivrOf({ gate: languages, menu, french, ...ends }));
    const steps = stepsOf(crawled);
    const branch = steps.find(({ path }) => path === '2');
    assert.deepEqual([branch?.status, branch?.end, branch?.inputRequired], ['explored', undefined, undefined]);
    assert.match(branch?.reason ?? '', /isn't in English/);
    const below = steps.filter(({ path = '' }) => path.startsWith('2 > '));
    assert.deepEqual(
      below.map(({ digit, hidden, end }) => [digit, hidden, end]),
      [
        ['1', true, 'hangup'],
        ['2', true, 'hangup'],
      ],
      treeText(crawled.tree),
    );
  });

  it('gets no guessed key on a live number', async () => {
    const crawled = await mapIvr(ivrOf({ gate: languages, menu, french, ...ends }), { guarded: true });
    assert.ok(!paths(crawled).some((path) => path.startsWith('2 > ')), treeText(crawled.tree));
  });
});

describe('crawl: a mapping that explores nothing', () => {
  it('ends as limited if the first menu offers options', async () => {
    const risky = { prompt: 'To cancel your order, press 1. To pay, press 2.', keys: { 1: 'sales', 2: 'closed' } };
    const { end } = await mapIvr(ivrOf({ gate: risky, sales: ends.sales, closed: ends.closed }), { guarded: true });
    assert.equal(end.status, 'limited');
    assert.match(end.reason ?? '', /none of them was explored/);
  });
});
