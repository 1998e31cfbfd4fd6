import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema, type IvrFile } from '../../../../src/contract/ivrFile.ts';
import { flattenTree } from '../../../../src/model/tree/treeBuild.ts';
import { crawlTree, mapIvr, type Crawled } from '../../../support/crawlTree.ts';
import { simulatedDialer, type SimulatedCall } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const words = ['sales', 'service', 'billing', 'parking', 'opening hours', 'directions', 'the press', 'careers'];
const offers = (labels: readonly string[]): string =>
  labels.map((label, index) => `For ${label}, press ${String(index + 1)}.`).join(' ');
const keysTo = (names: readonly string[]) => Object.fromEntries(names.map((name, index) => [String(index + 1), name]));

/** Each menu says goodbye five seconds after its prompt, as with Asterisk's `WaitExten(5)`. */
function impatientIvr(): IvrFile {
  const menu = { timeoutMs: 5000, maxTries: 1, onExhausted: 'bye' };
  const closed = words.slice(1).map((label, index) => {
    const state = { prompt: `The office for ${label} is closed. Goodbye.`, end: 'hangup' };
    return [`main${String(index + 2)}`, state] as const;
  });
  return ivrFileSchema.parse({
    name: 'Impatient',
    start: 'main',
    answerAfterMs: 200,
    states: {
      main: { ...menu, prompt: offers(words), keys: keysTo(words.map((_, index) => `main${String(index + 1)}`)) },
      main1: { ...menu, prompt: offers(['new cars', 'used cars']), keys: { 1: 'new', 2: 'used' } },
      new: { prompt: 'Please enter your part number.', collect: { min: 4, max: 4, next: 'bye' } },
      used: { prompt: 'Please hold for used cars.', end: 'hold-music' },
      bye: { prompt: 'Goodbye.', end: 'hangup' },
      ...Object.fromEntries(closed),
    },
  });
}

const ends = ({ tree }: Crawled): string[] =>
  (tree.tree ? flattenTree(tree.tree) : [])
    .filter(({ end }) => end !== undefined)
    .map(({ path = '', end }) => `${path} ${String(end)}`)
    .toSorted();
const allEnds = ['1 > 1 input', '1 > 2 hold-music', ...words.slice(1).map((_, index) => `${String(index + 2)} hangup`)];

describe('a mapping on a machine that recognises speech late', () => {
  for (const concurrency of [1, 4])
    it(`finds every option by its menu's sound, with at most ${String(concurrency)} calls`, async () => {
      const crawled = await mapIvr(impatientIvr(), { line: { textMs: 9000 }, config: { concurrency } });
      assert.deepEqual(ends(crawled), allEnds.toSorted());
      assert.equal(crawled.end.status, 'completed', crawled.end.reason);
    });

  /** Returns the most calls at the same time, once the first ones have been heard. */
  async function mostCalls(textMs: number): Promise<number> {
    const active = new Set<SimulatedCall>();
    let [placed, most] = [0, 0];
    await mapIvr(impatientIvr(), {
      line: {
        textMs,
        onCall: (call) => {
          active.add(call);
          call.listen(({ type }) => type === 'ended' && active.delete(call));
          placed += 1;
          if (placed > 4) most = Math.max(most, active.size);
        },
      },
    });
    return most;
  }

  it('places fewer calls at the same time', async () => {
    const [usual, late] = [await mostCalls(1000), await mostCalls(9000)];
    assert.ok(usual >= 3 && late <= 2, `${String(usual)} and ${String(late)} calls`);
  });

  it('ends as limited if steps are missing, and its reason names the machine', async () => {
    /** The called side hangs up after 3 s on two calls of three. */
    const mapDropping = async (textMs: number): Promise<Crawled> => {
      let calls = 0;
      const clock = new VirtualClock();
      const onCall = (call: SimulatedCall): void => {
        calls += 1;
        if (calls > 1 && calls % 3 > 0) clock.setTimeout(() => call.hangUpByIvr(), 3000);
      };
      const dialer = simulatedDialer({ ivr: impatientIvr(), clock, textMs, onCall });
      const config = { mappingMode: 'hybrid', maxDepth: 12, maxCalls: 60, concurrency: 4 } as const;
      const { signal } = new AbortController();
      return clock.run(crawlTree({ target: 'sip:x', clock, dialer, signal, config }));
    };
    const [late, inTime] = [await mapDropping(9000), await mapDropping(1000)];
    assert.match(late.end.reason ?? '', /^Dialtree itself may be the cause: .* late\. Steps may be missing\./);
    assert.equal(late.end.status, 'limited');
    assert.doesNotMatch(inTime.end.reason ?? '', /Dialtree itself/);
  });

  /** After 5 s without a key, the night menu plays. A key that is pressed too late counts there. */
  const changing = (): IvrFile =>
    ivrFileSchema.parse({
      name: 'Changing',
      start: 'main',
      answerAfterMs: 200,
      states: {
        main: {
          prompt: offers(['sales', 'service']),
          keys: { 1: 'sales', 2: 'service' },
          timeoutMs: 5000,
          maxTries: 1,
          onExhausted: 'night',
        },
        night: { prompt: offers(['emergencies', 'messages']), keys: { 1: 'towing', 2: 'messages' } },
        towing: { prompt: offers(['cars', 'lorries']), keys: { 1: 'cars', 2: 'lorries' } },
        cars: { prompt: 'The car is being towed. Goodbye.', end: 'hangup' },
        lorries: { prompt: 'The lorry is being towed. Goodbye.', end: 'hangup' },
        messages: { prompt: 'Please leave a message.', end: 'voicemail' },
        sales: { prompt: offers(['new cars', 'used cars']), keys: { 1: 'new', 2: 'used' } },
        new: { prompt: 'The office for new cars is closed. Goodbye.', end: 'hangup' },
        used: { prompt: 'Please hold for used cars.', end: 'hold-music' },
        service: { prompt: 'The garage is closed. Goodbye.', end: 'hangup' },
      },
    });
  /** Maps it with text that is late on this many calls. Returns the steps, the unsure ones with a question mark. */
  const mapLate = async (lateCalls: number): Promise<string[]> => {
    const { tree } = await mapIvr(changing(), {
      line: { textMs: (call) => (call <= lateCalls ? 4950 : 950) },
      config: { concurrency: 1 },
    });
    return (tree.tree ? flattenTree(tree.tree) : []).map(
      ({ path = '', label = '', unsure }) => `${path} ${label}${unsure === true ? '?' : ''}`,
    );
  };

  it('marks a menu that a late key led to, and what is below it', async () =>
    assert.deepEqual(await mapLate(Infinity), [' ', '1 sales?', '1 > 1 cars?', '1 > 2 lorries?', '2 service']));

  it('marks nothing if each key was sent in time', async () =>
    assert.deepEqual(await mapLate(0), [' ', '1 sales', '1 > 1 new cars', '1 > 2 used cars', '2 service']));

  /** It waits silently for a key, and then for somewhere to put the call. */
  const patient = (): IvrFile =>
    ivrFileSchema.parse({
      name: 'Patient',
      start: 'main',
      answerAfterMs: 200,
      states: {
        main: { prompt: offers(['parts', 'cars']), keys: { 1: 'parts', 2: 'cars' }, timeoutMs: 60_000 },
        parts: { prompt: 'The office for parts is closed. Goodbye.', end: 'hangup' },
        cars: { prompt: offers(['new cars', 'used cars']), keys: { 1: 'new', 2: 'used' }, timeoutMs: 60_000 },
        new: { prompt: 'All of our agents are busy. Please hold.', end: 'hold-music' },
        used: { prompt: 'The office for used cars is closed. Goodbye.', end: 'hangup' },
      },
    });
  /** Maps it with words that become text this late on every call after the first. */
  const mapUnread = async (textMs: number): Promise<readonly string[]> => {
    const { tree, end: ended } = await mapIvr(patient(), {
      line: { textMs: (call) => (call > 1 ? textMs : 950) },
      config: { concurrency: 1 },
    });
    const steps = (tree.tree ? flattenTree(tree.tree) : []).map(
      ({ path = '', transcript = '', end = 'menu', unsure, reason = '' }) =>
        `${path} ${end}: ${transcript}${unsure === true ? `? ${reason}` : ''}`,
    );
    return [...steps, ended.status];
  };

  it('reads words that listening gave up on once their call has ended, and explores what they offer', async () => {
    const inTime = await mapUnread(950);
    assert.deepEqual([inTime.length, inTime.at(-1)], [6, 'completed']);
    assert.deepEqual(await mapUnread(30_000), inTime);
  });

  it('marks steps as unsure whose words never become text, and says why', async () =>
    assert.deepEqual((await mapUnread(1e6)).slice(-2), [
      '2 dead-air: ? This machine was so busy that not all words of this step became text in time. Listen to its recording, or map again.',
      'limited',
    ]));
});
