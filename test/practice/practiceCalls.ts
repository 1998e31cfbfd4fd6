import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import { startPractice, type PracticeOptions, type PracticeServer } from '../../src/practice/server.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { CallEnd, CallEvent, CallLeg, SipAgent } from '../../src/telephony/call.ts';
import { decodeUlaw, encodeUlaw } from '../../src/base/g711.ts';

const frameSamples = 160;
/** How many 20 ms frames must be recognised to be certain that a sound was played. */
const sureFrames = 20;

/** Returns the non-silent frames of a sound, as they arrive over a G.711 call without loss. */
function framesOf(pcm: Int16Array): string[] {
  const heard = decodeUlaw(encodeUlaw(pcm));
  const frames: string[] = [];
  for (let at = 0; at + frameSamples <= heard.length; at += frameSamples) {
    const frame = heard.subarray(at, at + frameSamples);
    if (frame.some((sample) => Math.abs(sample) > 64)) frames.push(keyOf(frame));
  }
  return frames;
}
const keyOf = (frame: Int16Array): string =>
  Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString('latin1');

/** One call of a test: what was heard, and ways to wait for it. */
export class TestCall {
  readonly leg: CallLeg;
  readonly events: { readonly event: CallEvent; readonly at: number }[] = [];
  readonly ended: Promise<CallEnd>;
  readonly #heard: string[] = [];
  readonly #arrived = new Set<string>();
  #notice: () => void = () => undefined;

  constructor(leg: CallLeg) {
    this.leg = leg;
    this.ended = new Promise((resolve) => {
      leg.listen((event) => {
        if (event.type === 'audio') {
          const key = keyOf(event.frame.pcm);
          this.#heard.push(key);
          this.#arrived.add(key);
        } else this.events.push({ event, at: performance.now() });
        this.#notice();
        if (event.type === 'ended') resolve(event.end);
      });
    });
  }

  get frames(): number {
    return this.#heard.length;
  }
  at(type: CallEvent['type']): number | undefined {
    return this.events.find(({ event }) => event.type === type)?.at;
  }
  /** Returns how much of a sound has arrived, from 0 to 1. */
  share(pcm: Int16Array): number {
    const frames = framesOf(pcm);
    return frames.filter((frame) => this.#arrived.has(frame)).length / Math.max(1, frames.length);
  }

  /** Resolves when enough of the sound has arrived; rejects if the call ends before. */
  async hears(pcm: Int16Array): Promise<void> {
    const frames = new Set(framesOf(pcm));
    const enough = Math.min(sureFrames, Math.ceil(frames.size * 0.8));
    let at = 0,
      matched = 0;
    await this.until(() => {
      for (; at < this.#heard.length; at += 1) if (frames.delete(this.#heard[at] ?? '')) matched += 1;
      return matched >= enough;
    });
  }

  /** Resolves after this many consecutive silent frames. */
  async hearsSilence(count: number): Promise<void> {
    const silence = keyOf(new Int16Array(frameSamples));
    await this.until(
      () => this.#heard.length >= count && this.#heard.slice(-count).every((frame) => frame === silence),
    );
  }

  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      if (this.leg.state === 'ended')
        throw new Error(`the call ended too early: ${JSON.stringify(this.events.at(-1)?.event)}`);
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
      });
    }
  }
}

/** Practice servers, a caller and one speech engine, all real; `close` leaves nothing running. */
export class PracticeLab {
  readonly speech: SpeechEngine;
  readonly folder: string;
  readonly #agent: SipAgent;
  readonly #servers: PracticeServer[] = [];

  constructor(speech: SpeechEngine, folder: string, agent: SipAgent) {
    this.speech = speech;
    this.folder = folder;
    this.#agent = agent;
  }

  static async open(): Promise<PracticeLab> {
    const speech = createSpeechEngine({
      assetsDir: fileURLToPath(new URL('../../.assets/speech', import.meta.url)),
      workerUrl: new URL('../../src/speech/worker.ts', import.meta.url),
    });
    return new PracticeLab(
      speech,
      await mkdtemp(path.join(os.tmpdir(), 'dialtree-lab-')),
      await startSipAgent({ host: '127.0.0.1' }),
    );
  }

  /** Serves IVRs by file name (`bank.ivr.json`), on a free port. */
  async serve(
    files: Readonly<Record<string, object>>,
    options: Partial<PracticeOptions> = {},
  ): Promise<PracticeServer> {
    const sources = await Promise.all(
      Object.entries(files).map(async ([name, ivr]) => {
        const file = path.join(this.folder, name);
        await writeFile(file, JSON.stringify(ivr));
        return loadIvr(file);
      }),
    );
    const server = await startPractice(sources, { port: 0, speech: this.speech, ...options });
    this.#servers.push(server);
    return server;
  }

  call(server: PracticeServer, user: string, from?: string): TestCall {
    const target = `sip:${user}@${server.host}:${String(server.port)}`;
    return new TestCall(this.#agent.call(target, from === undefined ? {} : { from }));
  }

  /** Ends every call and server; the lab can continue. */
  async clear(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
  }

  async close(): Promise<void> {
    await this.clear();
    await this.#agent.close();
    await this.speech.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Returns an IVR with the given states; `main` is the start. */
export const ivr = (name: string, states: object, rest: object = {}): object => ({
  name,
  start: 'main',
  states,
  ...rest,
});
