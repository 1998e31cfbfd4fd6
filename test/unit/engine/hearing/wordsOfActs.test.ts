import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Turn } from '../../../../src/contract/testRuns.ts';
import { CallLog } from '../../../../src/engine/hearing/callLog.ts';
import { addTurn } from '../../../../src/model/calls/turnOrder.ts';
import { testFromCall } from '../../../../src/model/tests/testFromCall.ts';
import type { Utterance, Word } from '../../../../src/speech/ear.ts';
import { ScriptedCallAudio } from '../../../support/heardTalk.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { inTimeOrder } from '../../../../webview/report/turns.ts';

interface Act {
  readonly startMs: number;
  readonly endMs: number;
}

const ms = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const wordTimes = fc.record({ gapMs: ms(0, 300), lastsMs: ms(60, 700) });
const utteranceTimes = fc.record({
  quietMs: ms(300, 3000),
  words: fc.array(wordTimes, { minLength: 1, maxLength: 6 }),
  hasTimes: fc.boolean(),
  delayMs: ms(0, 8000),
  /** A correction can move its words. */
  corrected: fc.option(fc.record({ afterMs: ms(1, 3000), byMs: ms(-300, 300) }), { nil: undefined }),
});
const actTimes = fc.record({ quietMs: ms(0, 4000), lastsMs: ms(100, 2500) });

/** Places utterances one after the other. All their words differ. */
function placed(
  times: readonly { readonly quietMs: number; readonly words: readonly { gapMs: number; lastsMs: number }[] }[],
) {
  let [atMs, count] = [0, 0];
  return times.map(({ quietMs, words }): Utterance => {
    const startMs = (atMs += quietMs);
    const own = words.map(({ gapMs, lastsMs }): Word => {
      const text = `zz${String.fromCodePoint(97 + Math.floor(count / 26), 97 + (count++ % 26))}`;
      const word = { text, startMs: atMs + gapMs, endMs: atMs + gapMs + lastsMs };
      atMs = word.endMs;
      return word;
    });
    const text = own.map((word) => word.text).join(' ');
    return { startMs, endMs: atMs, text, rawText: text, words: own };
  });
}

/** The word's side by its middle. A prompt plays on until the tone has ended; speech since the act began answers it. */
const actsBefore = (acts: readonly Act[], { startMs, words }: Utterance, word: Word): number => {
  const midMs = (word.startMs + word.endMs) / 2;
  assert.ok(words.includes(word));
  return acts.filter((act) => midMs >= (startMs < act.startMs ? Math.max(act.startMs, act.endMs - 100) : act.startMs))
    .length;
};

describe('the words of a call with keys', () => {
  it('belong to exactly one act each, by their time, however late they become text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(utteranceTimes, { minLength: 1, maxLength: 4 }),
        fc.array(actTimes, { maxLength: 4 }),
        async (times, actsAt) => {
          const heard = new ScriptedCallAudio();
          const reported: Turn[] = [];
          const log = new CallLog(heard.talk, new ManualClock(), (turn) => addTurn(reported, turn));
          let atMs = 0;
          const acts = actsAt.map(({ quietMs, lastsMs }): Act => {
            const startMs = (atMs += quietMs + 1);
            return { startMs, endMs: (atMs += lastsMs) };
          });
          const said = placed(times);
          const happens: [atMs: number, what: () => void][] = acts.map(({ startMs, endMs }, index) => [
            endMs,
            () => log.did(`[keys ${String(index)}]`, startMs, endMs),
          ]);
          const final = said.map((utterance, index) => {
            const { hasTimes = true, delayMs = 0, corrected } = times[index] ?? {};
            const known = hasTimes ? utterance : { ...utterance, words: [] };
            const textMs = utterance.endMs + delayMs;
            happens.push([textMs, () => heard.tell({ type: 'utterance', utterance: known })]);
            if (!corrected || !hasTimes) return known;
            const within = (atMs: number): number =>
              Math.min(Math.max(atMs + corrected.byMs, utterance.startMs), utterance.endMs);
            const words = utterance.words.map((word) => ({
              ...word,
              startMs: within(word.startMs),
              endMs: within(word.endMs),
            }));
            const moved = { ...utterance, words };
            happens.push([textMs + corrected.afterMs, () => heard.tell({ type: 'correction', utterance: moved })]);
            return moved;
          });
          for (const [, happen] of happens.toSorted(([one], [other]) => one - other)) {
            happen();
            await log.next(0);
          }

          assert.deepEqual(reported, log.turns, 'readers of the events have the same turns');
          assert.deepEqual(inTimeOrder(reported), reported, 'the page has the same rows');
          const rows: string[][] = [[]];
          for (const { speaker, text } of reported)
            if (speaker === 'us') rows.push([]);
            else rows.at(-1)?.push(...text.split(' '));
          assert.deepEqual(
            rows.flat().toSorted(),
            said.flatMap(({ text }) => text.split(' ')),
          );
          for (const utterance of final)
            for (const word of utterance.words) {
              const before = actsBefore(acts, utterance, word);
              assert.ok(rows[before]?.includes(word.text), `${word.text} isn't in row ${String(before)}`);
            }
          for (const [index, { endMs }] of acts.entries())
            assert.deepEqual(
              log
                .heardSince(endMs)
                .text.split(' ')
                .filter((text) => text !== '')
                .toSorted(),
              rows
                .slice(index + 1)
                .flat()
                .toSorted(),
              'a step hears what the rows after its act say',
            );
          const saved = testFromCall({ transcript: reported }, []).map(
            ({ expectedTranscript = '' }) => expectedTranscript,
          );
          assert.deepEqual(
            saved
              .join(' ')
              .split(' ')
              .filter((text) => text !== ''),
            rows.flat(),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
