import assert from 'node:assert/strict';
import type { Turn } from '../../../../src/contract/testRuns.ts';
import type { ActiveCallEvent } from '../../../../src/engine/call/activeCall.ts';
import { CallLog } from '../../../../src/engine/hearing/callLog.ts';
import { testFromCall } from '../../../../src/model/tests/testFromCall.ts';
import { addTurn } from '../../../../src/model/calls/turnOrder.ts';
import { patience } from '../../../../src/engine/hearing/patience.ts';
import { began, ScriptedCallAudio, hungUp, partly, paused, sounded, understood } from '../../../support/heardTalk.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const said = (startMs: number, endMs: number): ActiveCallEvent[] => [began(startMs), paused(endMs)];

describe('engine: the call log', () => {
  let heard: ScriptedCallAudio;
  let log: CallLog;
  let reported: Turn[];
  beforeEach(() => {
    heard = new ScriptedCallAudio();
    reported = [];
    log = new CallLog(heard.talk, new ManualClock(), (turn) => reported.push(turn));
  });

  /** Emits these events and reads the log. */
  async function hear(...events: readonly ActiveCallEvent[]): Promise<void> {
    heard.tell(...events);
    await log.next(0);
  }

  it('keeps the sentences of an utterance that a key cuts, in turns, steps and saved tests', async () => {
    const text = 'For accounts, press 1. You have reached accounts. For your balance, press 1.';
    const words = text.split(' ').map((word, at) => ({
      text: word.replace(/[.,]/, ''),
      startMs: at * 400,
      endMs: at * 400 + 350,
    }));
    const utterance = { text, rawText: text, words, startMs: 0, endMs: 4800 };
    log.did('[keys 1]', 1550, 1650);
    await hear({ type: 'utterance', utterance });
    const [before, after] = ['For accounts, press 1.', 'You have reached accounts. For your balance, press 1.'];
    assert.deepEqual(
      log.turns.map((turn) => turn.text),
      [before, '[keys 1]', after],
    );
    assert.equal(log.heardSince(1650).text, after);
    assert.deepEqual(
      testFromCall({ transcript: [...log.turns] }, []).map(({ name, expectedTranscript }) => [
        name,
        expectedTranscript,
      ]),
      [
        ['Greeting', before],
        ['Key 1: You have reached accounts.', after],
      ],
    );
  });

  it('reads all simultaneous events before it reports a silence', async () => {
    heard.heardMs = 3300;
    await hear(...said(100, 3000), understood('For sales, press 1.', 100, 3000));
    assert.deepEqual([log.heardSince(0).text, log.quietMs(0)], ['For sales, press 1.', 300]);
    // Two seconds arrive together, and the next sentence began in them.
    heard.heardMs = 5300;
    heard.tell({ type: 'sound', sound: 'silence', sinceMs: 3000, atMs: 3300 }, began(3400));
    assert.equal(log.quietMs(0), 0);
    log.close();
    assert.equal(heard.listeners.size, 0);
  });

  describe('turns', () => {
    it('cover both sides in whole milliseconds, each reported once', async () => {
      log.did('1', 10.4, 210.6);
      await hear(understood('Sales.', 300.4, 900.6), understood('', 1000, 1100));
      const turns = [
        { speaker: 'us', text: '1', startMs: 10, endMs: 211 },
        { speaker: 'them', text: 'Sales.', startMs: 300, endMs: 901 },
      ];
      assert.deepEqual(log.turns, turns);
      assert.deepEqual(reported, turns);
    });

    it('keep the order in which they began, even if the words become text after the next action', async () => {
      await hear(understood('Welcome.', 1000, 2000));
      log.did('[keys 1]', 52_900, 53_000);
      await hear(understood('For sales, press 1.', 15_000, 18_000), understood('You chose sales.', 54_000, 55_000));
      const inOrder = ['Welcome.', 'For sales, press 1.', '[keys 1]', 'You chose sales.'];
      assert.deepEqual(
        log.turns.map(({ text }) => text),
        inOrder,
      );
      const transcript: Turn[] = [];
      for (const turn of reported) addTurn(transcript, turn);
      assert.deepEqual(transcript, log.turns, 'a reader of the turns has the same order');
    });

    it('change with corrections, which leave late words alone', async () => {
      await hear(understood('For sales for us one.', 1000, 2000), understood('For service, press two.', 3000, 4000));
      const lag = log.textLagMs;
      heard.heardMs = 60_000;
      const utterance = { startMs: 1000, endMs: 2000, text: 'For sales press one.', rawText: '', words: [] };
      await hear({ type: 'correction', utterance });
      assert.deepEqual(
        log.turns.map(({ text }) => text),
        ['For sales press one.', 'For service, press two.'],
      );
      assert.equal(log.heardSince(0).text, 'For sales press one. For service, press two.');
      assert.equal(log.textLagMs, lag);
      const transcript: Turn[] = [];
      for (const turn of reported) addTurn(transcript, turn);
      assert.deepEqual(transcript, log.turns);
    });

    it('can be rewritten, each by its own utterance', async () => {
      log.did('Echo.', 300, 900);
      await hear(
        understood('Echo.', 100, 200),
        understood('Hello.', 300.2, 900),
        understood('Echo.', 301.4, 900),
        understood('', 950, 960),
      );
      log.rewriteTurns(({ startMs, text }) => (startMs === 301.4 ? '(our own voice)' : text));
      assert.deepEqual(
        log.turns.map(({ text }) => text),
        ['Echo.', 'Echo.', 'Hello.', '(our own voice)'],
      );
    });
  });

  describe('sounds', () => {
    it('come in order since a time, with some slack', async () => {
      await hear(sounded('ringback', 500), sounded('silence', 800), sounded('beep', 1000), sounded('busy', 2000));
      assert.deepEqual(log.soundsSince(0), ['ringback', 'beep', 'busy']);
      assert.deepEqual(log.soundsSince(1250), ['beep', 'busy']);
      assert.deepEqual(log.soundsSince(1251), ['busy']);
    });

    it('put the call on hold with music or ringing, until another sound or speech', async () => {
      const states = [log.onHold];
      for (const event of [
        sounded('music', 1),
        sounded('beep', 2),
        sounded('ringback', 3),
        began(4),
        sounded('busy', 5),
        sounded('music', 6),
        sounded('silence', 7),
      ]) {
        await hear(event);
        states.push(log.onHold);
      }
      assert.deepEqual(states, [false, true, false, true, false, false, true, false]);
    });
  });

  describe('speech', () => {
    it('lasts from its start to its pause, or to its last known words', async () => {
      await hear(began(100), partly('For', 100, 400), paused(300), ...said(600, 700), partly('sales', 100, 650));
      assert.deepEqual(log.speech, [
        { startMs: 100, endMs: 400 },
        { startMs: 600, endMs: 700 },
      ]);
      await hear(partly('sales, press', 100, 800));
      assert.deepEqual(log.speech.at(-1), { startMs: 600, endMs: 800 });
    });

    it('ends with the call if they are still speaking', async () => {
      await hear(...said(100, 300), began(500));
      assert.equal(log.speaksAt(5000), true);
      await hear(hungUp(900));
      assert.deepEqual(log.ended, hungUp(900));
      assert.deepEqual(log.speech, [
        { startMs: 100, endMs: 300 },
        { startMs: 500, endMs: 900 },
      ]);
      assert.equal(log.speaksAt(5000), false);
    });

    it('keeps its length when the call ends', async () => {
      await hear(...said(100, 300), hungUp(900));
      assert.deepEqual(log.speech, [{ startMs: 100, endMs: 300 }]);
      const other = new CallLog(heard.talk, new ManualClock(), () => undefined);
      heard.tell(began(100), partly('For sales', 100, 950), hungUp(900));
      await other.next(0);
      assert.deepEqual(other.speech, [{ startMs: 100, endMs: 950 }]);
    });

    it('lasts from its start until just before its end, and while they keep speaking', async () => {
      await hear(...said(100, 1000), ...said(2000, 3000));
      const speaksAt = [99, 100, 999, 1000, 1999, 2000, 2999, 3000].map((atMs) => log.speaksAt(atMs));
      assert.deepEqual(speaksAt, [false, true, true, false, false, true, true, false]);
      await hear(began(4000));
      assert.deepEqual(
        [1500, 3500, 4000, 9000].map((atMs) => log.speaksAt(atMs)),
        [false, false, true, true],
      );
      assert.deepEqual(
        [100, 101, 2000, 4001].map((fromMs) => log.onsetAfter(fromMs)),
        [100, 2000, 2000, undefined],
      );
    });

    it('counts as said since a time only if it continues well after it', async () => {
      await hear(...said(100, 1250));
      assert.equal(log.spokeSince(1000), false);
      assert.equal(log.spokeSince(999), true);
    });

    it('has begun since a time if they were speaking then, or began later', async () => {
      assert.equal(log.begunSince(0), false);
      await hear(...said(1000, 3000));
      assert.deepEqual(
        [500, 1200, 3100, 3199, 3200].map((fromMs) => log.begunSince(fromMs)),
        [true, true, true, true, false],
      );
      await hear(...said(3500, 3510));
      assert.deepEqual(
        [3600, 3700, 3711].map((fromMs) => log.begunSince(fromMs)),
        [true, true, false],
      );
    });
  });

  describe('words since a time', () => {
    const menu = understood('One, two, three.', 100, 3000, [100, 1000, 2000]);
    const wordsSince = (fromMs: number): string[] => log.heardSince(fromMs).words.map(({ text }) => text);

    it('leave out words of which most was earlier', async () => {
      await hear(menu);
      const texts = [0, 550, 551, 1500, 1501, 2500, 2501, 3000].map((fromMs) => log.heardSince(fromMs).text);
      assert.deepEqual(texts, [
        'One, two, three.',
        'One, two, three.',
        'two, three.',
        'two, three.',
        'three.',
        'three.',
        '',
        '',
      ]);
      assert.deepEqual([wordsSince(1500), wordsSince(1501)], [['two', 'three'], ['three']]);
    });

    it('count as evenly spread if their times are unknown', async () => {
      await hear(understood('For sales, press 1.', 100, 3000));
      assert.deepEqual(log.heardSince(1500), { text: 'press 1.', words: [], endMs: 3000 });
      assert.deepEqual(log.heardSince(3000), { text: '', words: [], endMs: 3000 });
    });

    it('omit a single word that began earlier', async () => {
      await hear(understood('Goodbye.', 100, 3000, [100]));
      assert.equal(log.heardSince(2000).text, '');
    });

    it('join all utterances and what is known of the next one', async () => {
      await hear(menu, understood('', 3100, 3200), understood('Four.', 3500, 4000), partly('Five', 4500, 5000));
      assert.deepEqual([log.heardSince(0).text, log.heardSince(0).endMs], ['One, two, three. Four. Five', 5000]);
      assert.deepEqual([log.heardSince(4750).text, log.heardSince(4751).text], ['Five', '']);
      await hear(understood('Five, six.', 4500, 5500));
      assert.deepEqual([log.heardSince(3700).text, log.heardSince(3700).endMs], ['Four. Five, six.', 5500]);
      assert.equal(log.heardSince(7000).endMs, 7000);
    });

    it('include reported but unread events', () => {
      heard.tell(menu);
      assert.equal(log.heardSince(0).text, 'One, two, three.');
    });
  });

  describe('silence', () => {
    const quietAt = (heardMs: number, fromMs = 0): number => {
      heard.heardMs = heardMs;
      return log.quietMs(fromMs);
    };

    it('lasts from the given time if nothing was said', () =>
      assert.deepEqual([quietAt(0), quietAt(1500), quietAt(1500, 1000), quietAt(1500, 2000)], [0, 1500, 500, 0]));

    it('begins when everything said is text, or lost', async () => {
      await hear(...said(100, 1000), began(2000), paused(3000));
      assert.deepEqual([quietAt(3001), quietAt(3000 + patience.text.lost - 1)], [0, 0]);
      assert.equal(quietAt(3000 + patience.text.lost), patience.text.lost);
      await hear(understood('For sales, press 1.', 100, 3000));
      assert.deepEqual([quietAt(3000), quietAt(3001), quietAt(3500), quietAt(3500, 3200)], [0, 1, 500, 300]);
    });

    it("continues after the call's end, whatever is text by then", async () => {
      await hear(...said(100, 1000), hungUp(1200));
      assert.equal(quietAt(1500), 500);
    });

    it('counts as unread since the end of the last speech without text', async () => {
      heard.heardMs = 1250;
      assert.equal(log.unreadMs, 0);
      await hear(...said(100, 500), understood('For', 100, 500), ...said(600, 1000), understood('sales', 600, 1000));
      assert.equal(log.unreadMs, 0);
      await hear(...said(1100, 1250));
      assert.equal(log.unreadMs, 0);
      await hear(partly('press', 1100, 1251));
      assert.equal(log.unreadMs, 1);
      heard.heardMs = 1700;
      assert.equal(log.unreadMs, 449);
    });

    it('counts as a pause if they continued after what is text', async () => {
      await hear(...said(100, 500));
      assert.equal(log.pausedMs(0), 0);
      await hear(understood('For', 100, 500), ...said(600, 2000), understood('sales', 600, 2000));
      assert.equal(log.pausedMs(0), 0);
      heard.heardMs = 4500;
      await hear(began(4000));
      assert.deepEqual([log.pausedMs(0), log.pausedMs(1999), log.pausedMs(2000)], [2000, 2000, 0]);
      assert.equal(log.quietMs(0), 0);
      heard.heardMs = 7000;
      await hear(paused(4200), understood('press 1', 4000, 4200));
      assert.equal(log.quietMs(0), 2800);
    });

    it('reports its longest stretch before, between or after what was said', async () => {
      await hear(...said(1000, 2000), ...said(5000, 6000));
      const between = (fromMs: number, toMs: number): number => log.longestSilence(fromMs, toMs);
      assert.deepEqual([between(0, 2500), between(0, 6500), between(0, 10_000)], [1000, 3000, 4000]);
      assert.deepEqual([between(2000, 5000), between(3000, 4000), between(1200, 1800)], [3000, 1000, 0]);
      assert.deepEqual([between(3000, 5500), between(1500, 4000)], [2000, 2000]);
    });

    it('excludes the inside of speech that overlaps the next', async () => {
      await hear(began(1000), partly('For sales', 1000, 6000), ...said(5000, 5500));
      assert.equal(log.longestSilence(1000, 6300), 300);
    });
  });

  describe('lateness', () => {
    it('of text is the maximum of the call, by the arrival of the text', async () => {
      assert.equal(log.textLagMs, 0);
      heard.heardMs = 4000;
      heard.tell(partly('For', 100, 200), understood('For sales, press 1.', 100, 3000));
      heard.heardMs = 6000;
      assert.equal(log.textLagMs, 1000);
      await hear(understood('For help, press 2.', 5000, 5800));
      assert.equal(log.textLagMs, 1000);
    });

    it('of a key counts what was said before it and became text before it', async () => {
      heard.heardMs = 6000;
      await hear(...said(1000, 2000), understood('For sales, press 1.', 1000, 2000), ...said(3000, 3500));
      assert.deepEqual([log.lateMs(0, 6000), log.lateMs(2500, 6000), log.lateMs(0, 5999)], [4000, 0, 0]);
    });

    it('of an answer lasts from a time until they began to speak', async () => {
      await hear(...said(1500.4, 3000), ...said(3500, 4000));
      assert.equal(log.latencyMs(1000, true), 500);
      assert.deepEqual([log.latencyMs(1600, true), log.latencyMs(1600, false)], [0, 0]);
      assert.equal(log.latencyMs(5000, false), undefined);
    });

    it('of an answer is unknown if we acted while they spoke', async () => {
      await hear(...said(0, 3000), ...said(3500, 4000));
      assert.deepEqual([log.latencyMs(1000, true), log.latencyMs(1000, false)], [undefined, 2500]);
      assert.deepEqual([log.latencyMs(3199, true), log.latencyMs(3200, true)], [undefined, 300]);
    });
  });

  describe('spans of words', () => {
    const secret =
      (...hidden: readonly string[]) =>
      (words: readonly string[]): Set<number> =>
        new Set(words.flatMap((word, index) => (hidden.includes(word) ? [index] : [])));
    const spans = (...hidden: readonly string[]): (readonly [number, number])[] =>
      log.spansOf(secret(...hidden)).map(({ startMs, endMs }) => [startMs, endMs]);

    it('give the times of each hidden word', async () => {
      await hear(understood('One, two, three.', 100, 3000, [100, 1000, 2000]), understood('Four.', 3000, 4000, [3300]));
      assert.deepEqual(spans('two', 'four'), [
        [1000, 2000],
        [3300, 4000],
      ]);
      assert.deepEqual(spans(), []);
      assert.deepEqual(
        log.spansOf(() => new Set([7])),
        [],
      );
    });

    it('give the whole utterance if its word times are unknown', async () => {
      await hear(understood('one two', 100, 3000), understood('three', 4000, 5000));
      assert.deepEqual(spans('two'), [[100, 3000]]);
      assert.deepEqual(spans('none'), []);
    });
  });

  it('reads everything that arrived together with the next event', async () => {
    await hear(understood('One.', 100, 200), understood('Two.', 300, 400));
    assert.equal(log.turns.length, 2);
  });
});
