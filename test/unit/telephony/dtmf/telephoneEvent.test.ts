import assert from 'node:assert/strict';
import { DigitMerger } from '../../../../src/telephony/dtmf/digitMerger.ts';
import { DigitQueue } from '../../../../src/telephony/dtmf/digitQueue.ts';
import {
  parseTelephoneEvent,
  serialiseTelephoneEvent,
  TelephoneEventReceiver,
} from '../../../../src/telephony/dtmf/telephoneEvent.ts';
import { dtmfTone } from '../../../../src/telephony/dtmf/tones.ts';

describe('telephone events (RFC 4733)', () => {
  it('parse as they were written', () => {
    const event = { event: 11, end: true, duration: 800 };
    assert.deepEqual(parseTelephoneEvent(serialiseTelephoneEvent(event)), event);
    assert.equal(parseTelephoneEvent(Uint8Array.of(1, 2, 3)), undefined);
  });

  function receive(packets: [timestamp: number, event: number, end: boolean, duration: number][], until = 0): string[] {
    const heard: string[] = [];
    const receiver = new TelephoneEventReceiver((digit, ms) => {
      heard.push(`${digit}/${String(ms)}`);
    });
    packets.forEach(([timestamp, event, end, duration], i) =>
      receiver.push(timestamp, { event, end, duration }, i * 20),
    );
    receiver.tick(until);
    return heard;
  }

  it('report one digit per timestamp, despite repetitions', () => {
    assert.deepEqual(
      receive([
        [1, 5, false, 160],
        [1, 5, false, 320],
        [1, 5, true, 480],
        [1, 5, true, 480],
        [1, 5, true, 480],
        [1, 5, false, 320],
      ]),
      ['5/60'],
    );
    assert.deepEqual(
      receive([
        [1, 5, true, 800],
        [1, 5, true, 800],
        [1601, 5, true, 800],
      ]),
      ['5/100', '5/100'],
    );
  });

  it('report an event whose end was lost, at the next one or after a time-out', () => {
    assert.deepEqual(
      receive([
        [1, 1, false, 160],
        [1601, 2, true, 800],
      ]),
      ['1/20', '2/100'],
    );
    assert.deepEqual(receive([[1, 10, false, 160]], 100), []);
    assert.deepEqual(receive([[1, 10, false, 160]], 200), ['*/20']);
  });

  it("ignore events that aren't digits", () =>
    assert.deepEqual(
      receive([
        [1, 16, true, 800],
        [2, 255, true, 800],
      ]),
      [],
    ));
});

describe('the digit queue', () => {
  function ticks(queue: DigitQueue, count: number): string[] {
    return Array.from({ length: count }, () => {
      const tick = queue.take('rfc4733');
      return tick === undefined
        ? '-'
        : tick.kind === 'event'
          ? `${tick.first ? '>' : ''}${String(tick.event)}:${String(tick.durationSamples)}${tick.end ? '!' : ''}`
          : tick.kind;
    });
  }

  it('sends 100 ms of event and 100 ms of gap', async () => {
    const queue = new DigitQueue();
    const sent = queue.push('1#');
    const one = ['>1:160', '1:320', '1:480', '1:640', '1:800!', ...new Array<string>(5).fill('silence')];
    assert.deepEqual(ticks(queue, 21), [...one, ...one.map((tick) => tick.replace(/1:/, '11:')), '-']);
    await sent;
  });

  it('pauses 500 ms at a comma, and accepts other lengths', async () => {
    const queue = new DigitQueue();
    const sent = queue.push(',d', { toneMs: 50, gapMs: 1 });
    assert.deepEqual(ticks(queue, 30), [
      ...new Array<string>(25).fill('silence'),
      '>15:160',
      '15:320',
      '15:480!',
      'silence',
      '-',
    ]);
    await sent;
  });

  it('sends tones in-band', () => {
    const queue = new DigitQueue();
    void queue.push('5', { via: 'inband', toneMs: 40 });
    const first = queue.take('rfc4733');
    assert.deepEqual(first, { kind: 'tone', pcm: dtmfTone('5', 40).subarray(0, 160) });
    assert.deepEqual(ticks(queue, 2), ['tone', 'silence']);
  });

  it('rejects invalid digits, and settles when cleared', async () => {
    const queue = new DigitQueue();
    assert.throws(() => queue.push('12x'), TypeError);
    assert.equal(queue.take('rfc4733'), undefined);
    const sent = queue.push('123');
    queue.clear();
    await sent;
    assert.throws(() => dtmfTone('12', 10), TypeError);
    assert.throws(() => dtmfTone('', 10), TypeError);
  });
});

describe('the digit merger', () => {
  it('drops one duplicate of each digit', () => {
    const merger = new DigitMerger();
    const accept = (digit: string, via: 'rfc4733' | 'inband', at: number): boolean => merger.accept(digit, via, at);
    assert.deepEqual(
      [
        accept('1', 'rfc4733', 100),
        accept('1', 'inband', 190),
        accept('1', 'rfc4733', 300),
        accept('1', 'inband', 390),
      ],
      [true, false, true, false],
    );
    assert.deepEqual(
      [
        accept('2', 'inband', 1000),
        accept('2', 'rfc4733', 1200),
        accept('2', 'inband', 2000),
        accept('3', 'rfc4733', 2010),
      ],
      [true, false, true, true],
    );
  });
});
