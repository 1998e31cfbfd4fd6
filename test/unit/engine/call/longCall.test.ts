import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { callAudio } from '../../../../src/engine/call/callAudio.ts';
import { joinCall } from '../../../../src/engine/call/conversation.ts';
import { Recording } from '../../../../src/engine/call/recording.ts';
import type { ActiveCall, Cleared } from '../../../../src/engine/call/activeCall.ts';
import { Recordings } from '../../../../src/service/runs/recordings.ts';
import type { CallEvent, CallLeg } from '../../../../src/telephony/call.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { quietSpeech } from '../../../support/quietSpeech.ts';

const hours = 3;
const frameMs = 200;
const frames = (hours * 3_600_000) / frameMs;
const samples = frames * frameMs * 8;
/** Differs at each moment of the call. */
const sampleAt = (index: number): number => ((index >> 4) * 7919 + index) % 20_011;

describe('a call of several hours', function () {
  let folder: string, call: ActiveCall, grownBy: number;
  const kept = (): number => process.memoryUsage().arrayBuffers;
  const atFirst = kept();
  const most = { bytes: 0 };
  const note = (): void => {
    most.bytes = Math.max(most.bytes, kept() - atFirst);
  };

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-long-'));
    process.env['TMPDIR'] = folder;
    const clock = new ManualClock();
    let tell: (event: CallEvent) => void = () => undefined;
    const leg: Partial<CallLeg> = {
      ended: undefined,
      listen: (listener) => {
        tell = listener;
        return () => undefined;
      },
      play: () => Promise.resolve('played'),
    };
    call = joinCall(leg as CallLeg, quietSpeech(), clock);
    const pcm = new Int16Array(frameMs * 8);
    for (let frame = 0; frame < frames; frame += 1) {
      clock.advance(frameMs);
      for (let at = 0; at < pcm.length; at += 1) pcm[at] = sampleAt(frame * pcm.length + at);
      tell({ type: 'audio', frame: { pcm } } as CallEvent);
      if (frame === 100 || frame === frames - 100) await call.say('Hello.' as Cleared);
      if (frame % 1000 === 0) note();
    }
    grownBy = most.bytes;
    tell({ type: 'ended', end: { by: 'remote', kind: 'hangup', reason: 'hang-up' } });
  });
  const { TMPDIR } = process.env;
  after(async () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps only its last minutes in memory', () => {
    assert.equal(call.now() * 8, samples);
    assert.ok(grownBy < 50e6 && grownBy > 1e6, `${String(Math.round(grownBy / 1e6))} MB`);
  });

  it('leaves no file that other programs can open', async () => assert.deepEqual(await readdir(folder), []));

  it('returns the audio of any time', () => {
    for (const fromMs of [0, 1, 59_990, 3_599_000, call.now() - 700_000, call.now() - 5000]) {
      const pcm = call.audio(fromMs, fromMs + 2000);
      assert.equal(pcm.length, 16_000);
      assert.deepEqual(
        pcm,
        Int16Array.from(pcm, (_, at) => sampleAt(fromMs * 8 + at)),
        String(fromMs),
      );
    }
    assert.equal(call.audio(call.now() - 10, call.now() + 10).length, 80);
    assert.equal(call.audio(5000, 4000).length, 0);
  });

  it('stays in memory if no temporary file can be written', () => {
    process.env['TMPDIR'] = path.join(folder, 'missing');
    const recording = new Recording();
    const pcm = new Int16Array(8000);
    for (let second = 0; second < 12 * 60; second += 1) recording.append(pcm.fill(second));
    process.env['TMPDIR'] = folder;
    for (const second of [0, 60, 719]) {
      const [first, last] = [
        recording.slice(second * 8000, second * 8000 + 8000).at(0),
        recording.slice(0, second * 8000 + 8000).at(-1),
      ];
      assert.deepEqual([first, last], [second, second]);
    }
  });

  it('writes its recording in parts, without what is secret', async () => {
    const secret = { startMs: 3_600_000, endMs: 3_601_000 };
    most.bytes = 0;
    const watching = setInterval(note, 1);
    const { bytes, seconds } = await new Recordings(folder).write('run', 'call', callAudio(call, [secret]));
    clearInterval(watching);
    assert.deepEqual([bytes, seconds], [44 + samples * 4, hours * 3600]);
    assert.ok(most.bytes < 80e6, `${String(Math.round(most.bytes / 1e6))} MB`);
    const file = await open(path.join(folder, 'run', 'call.wav'));
    try {
      assert.equal((await file.stat()).size, bytes);
      const pairAt = async (index: number): Promise<readonly [us: number, them: number]> => {
        const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 44 + index * 4);
        return [buffer.readInt16LE(0), buffer.readInt16LE(2)];
      };
      for (const index of [0, 8_000_001, samples - 1]) assert.deepEqual(await pairAt(index), [0, sampleAt(index)]);
      const spoken = call.spoken().map(({ startMs }) => startMs * 8 + 100);
      assert.equal(spoken.length, 2);
      for (const index of spoken)
        assert.deepEqual(await pairAt(index), [call.spoken()[0]?.pcm[100], sampleAt(index)], 'both sides');
      for (const index of [-961, 8 * 1120 + 1])
        assert.deepEqual((await pairAt(secret.startMs * 8 + index))[1], sampleAt(secret.startMs * 8 + index));
      for (const index of [-960, 0, 8 * 1120 - 1])
        assert.deepEqual(await pairAt(secret.startMs * 8 + index), [0, 0], 'silent');
    } finally {
      await file.close();
    }
  });
});
