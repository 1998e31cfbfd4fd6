import assert from 'node:assert/strict';
import { Segmenter, frameMs } from '../../../src/speech/segmenter.ts';
import type { SegmentEvent } from '../../../src/speech/segmenter.ts';

/** Feeds speech (`s`) and silence (`-`) in milliseconds, rounded up to frames. */
function segment(
  ...parts: readonly (readonly ['s' | '-', number] | readonly ['s' | '-', number, number])[]
): SegmentEvent[] {
  const segmenter = new Segmenter();
  const events: SegmentEvent[] = [];
  for (const [kind, ms, probability = kind === 's' ? 0.95 : 0.02] of parts) {
    for (let at = 0; at < ms; at += frameMs) events.push(...segmenter.feed(probability));
  }
  return [...events, ...segmenter.finish()];
}

const kinds = (events: readonly SegmentEvent[]): string[] => events.map((event) => event.type);

describe('Segmenter', () => {
  it('ends an utterance after 700 ms of silence, at the end of its speech', () => {
    const events = segment(['-', 320], ['s', 960], ['-', 960]);
    assert.deepEqual(events, [
      { type: 'start', startMs: 320 },
      { type: 'pause', startMs: 320, endMs: 1280 },
      { type: 'end', startMs: 320, endMs: 1280 },
    ]);
  });

  it('keeps an utterance together over a pause of half a second', () =>
    assert.deepEqual(kinds(segment(['s', 960], ['-', 512], ['s', 960], ['-', 960])), [
      'start',
      'pause',
      'resume',
      'pause',
      'end',
    ]));

  it('ends a long utterance at a short pause', () => {
    const events = segment(['s', 9600], ['-', 256], ['s', 960], ['-', 960]).filter(({ type }) => type === 'end');
    assert.deepEqual(
      events.map((event) => ('endMs' in event ? event.endMs : 0)),
      [9600, 9600 + 256 + 960],
    );
  });

  it('cuts endless speech at its least likely speech frame, and loses nothing', () => {
    const events = segment(['s', 16_992], ['s', 32, 0.4], ['s', 3968], ['-', 960]);
    const spans = events.flatMap((event) => (event.type === 'end' ? [[event.startMs, event.endMs]] : []));
    assert.deepEqual(spans, [
      [0, 17_024],
      [17_024, 20_992],
    ]);
  });

  it("doesn't mistake a click for speech", () => assert.deepEqual(segment(['-', 320], ['s', 64], ['-', 960]), []));

  it('splits speech without a pause at a time in the past', () => {
    const segmenter = new Segmenter();
    const events = Array.from({ length: 40 }, () => segmenter.feed(0.95)).flat();
    events.push(...segmenter.splitAt(1000));
    assert.deepEqual(events, [
      { type: 'start', startMs: 0 },
      { type: 'pause', startMs: 0, endMs: 1000 },
      { type: 'end', startMs: 0, endMs: 1000 },
      { type: 'start', startMs: 992 },
    ]);
    assert.deepEqual(segmenter.finish().at(-1), { type: 'end', startMs: 992, endMs: 1280 });
  });

  it('leaves an utterance that begins after a split', () => {
    const segmenter = new Segmenter();
    for (let at = 0; at < 10; at += 1) segmenter.feed(0.02);
    for (let at = 0; at < 10; at += 1) segmenter.feed(0.95);
    assert.deepEqual(segmenter.splitAt(200), []);
    assert.deepEqual(segmenter.finish().at(-1), { type: 'end', startMs: 320, endMs: 640 });
  });
});
