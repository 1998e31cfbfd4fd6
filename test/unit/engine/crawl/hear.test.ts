import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hear, type HeardPrompt } from '../../../../src/engine/crawl/hear.ts';
import { ScriptedLine, speech, type TimedEvent } from '../hearing/scriptedLine.ts';

const hearing = { expect: () => undefined, fingerprint: () => new Uint8Array(), promptIn: () => undefined };
const news = 'We open at nine on weekdays.';
const menu = 'For sales, press 1. For parts, press 2.';

/** News from 0 s to 3 s, then a known menu up to 9 s. */
function hearThem(events: readonly TimedEvent[]): Promise<HeardPrompt> {
  const matched: TimedEvent = [3600, { type: 'promptMatched', id: 'main', startMs: 3000, atMs: 3600 }];
  const known = () => [{ id: 'main', fingerprint: new Uint8Array() }];
  return hear(new ScriptedLine([...events, matched]), hearing, { fromMs: 0, known });
}

const wordsFrom = (text: string, startMs: number, endMs: number) =>
  text.split(' ').map((word, index, all) => {
    const at = (count: number): number => startMs + ((endMs - startMs) * count) / all.length;
    return { text: word, startMs: at(index), endMs: at(index + 1) };
  });
const utterance = (
  text: string,
  startMs: number,
  endMs: number,
  words = wordsFrom(text, startMs, endMs),
): TimedEvent => [endMs + 900, { type: 'utterance', utterance: { startMs, endMs, text, rawText: text, words } }];

describe('hear', () => {
  it('keeps what is said before a known prompt, also without a pause between them', async () => {
    const all = [...wordsFrom(news, 0, 3000), ...wordsFrom(menu, 3000, 9000)];
    const apart = await hearThem([...speech(0, 3000), utterance(news, 0, 3000), ...speech(3000, 9000)]);
    const joined = await hearThem([...speech(0, 9000), utterance(`${news} ${menu}`, 0, 9000, all)]);
    const breath: TimedEvent[] = [
      [3000, { type: 'speechPause', atMs: 3000 }],
      [3300, { type: 'speechResume', atMs: 3300 }],
    ];
    const paused = await hearThem([...speech(0, 9000), ...breath, utterance(`${news} ${menu}`, 0, 9000, all)]);
    for (const heard of [apart, joined, paused])
      assert.deepEqual([heard.kind, heard.knownId, heard.text, heard.startMs], ['known', 'main', news, 0]);
  });

  it('keeps no words of the known prompt itself', async () => {
    const heard = await hearThem([...speech(3000, 9000), utterance(menu, 3000, 9000)]);
    assert.deepEqual([heard.kind, heard.text, heard.startMs], ['known', '', 3000]);
  });
});
