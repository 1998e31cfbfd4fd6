import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeUlaw } from '../../src/base/g711.ts';
import type { DialtreeClient } from '../../src/client/client.ts';
import { createDialer } from '../../src/engine/call/conversation.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import { knownSpeech } from '../support/knownSpeech.ts';
import { practiceAt } from '../support/practicePlaces.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { findSipp, startSipp, type SippRun } from '../support/sipp.ts';
import { uasPlays } from './sippScenarios.ts';

const number = '+12025550107';
const welcome = 'Welcome to the garden centre.';
const hours = 'We close at five.';
const closed = 'We are closed today.';
const references = 2;
/** All ten are active at the same time. */
const load = { concurrency: 10, rampSeconds: 1, holdSeconds: 30 };

const steps = [
  { name: 'Welcome', action: { type: 'dial' }, expectedTranscript: welcome },
  { name: 'Pause', action: { type: 'wait', seconds: 0.5 } },
  { name: 'Hours', action: { type: 'expect' }, expectedTranscript: hours },
] as const;

/** Calls to a program by others, which plays recordings and doesn't respond to the caller. */
describe('load test of sipp', function () {
  const fixture = new ServiceFixture();
  let sippRun: SippRun | undefined;
  let counts: string;
  let speech: SpeechEngine | undefined;
  let folder: string | undefined;
  let client: DialtreeClient;

  before(async function () {
    const sipp = findSipp();
    if (sipp === undefined) return this.skip();
    folder = await mkdtemp(path.join(tmpdir(), 'dialtree-sipp-load-'));
    const installation = findInstallation();
    speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
    const spoken = new Map<string, Int16Array>();
    for (const text of [welcome, hours, closed]) spoken.set(text, await speech.speak(text));
    counts = path.join(folder, 'counts.csv');
    sippRun = await startSipp(sipp, {
      scenario: uasPlays({
        usual: await record('usual.ulaw', spoken.get(welcome), spoken.get(hours)),
        everyFifth: await record('other.ulaw', spoken.get(welcome), spoken.get(closed)),
      }),
      // The reference calls, and those of the load.
      args: ['-m', String(load.concurrency + references), '-trace_stat', '-stf', counts, '-timeout', '240'],
    });
    const place = `127.0.0.1:${String(sippRun.port)}`;
    const known = knownSpeech([welcome, hours].map((text) => ({ text, pcm: spoken.get(text) ?? new Int16Array(0) })));
    ({ client } = await fixture.start({
      routes: { [number]: `sip:service@${place}` },
      parts: {
        practices: practiceAt(place),
        openDialer: async () => {
          const agent = await startSipAgent({ host: '127.0.0.1' });
          return {
            dialer: createDialer({ agent, speech: known }),
            receive: () => Promise.reject(new Error('no calls come in')),
            register: () => assert.fail('no line registers'),
            close: () => agent.close(),
          };
        },
      },
    }));
  });
  after(async () => {
    await fixture.close();
    await sippRun?.stop();
    await speech?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** Writes prompts with a second of silence after each. Each begins with an RTP packet. Returns the file. */
  async function record(name: string, ...prompts: readonly (Int16Array | undefined)[]): Promise<string> {
    const pcm = prompts.flatMap((prompt = new Int16Array(0)) => [
      ...prompt,
      ...new Int16Array(8000 + 160 - (prompt.length % 160)),
    ]);
    const file = path.join(folder ?? '', name);
    await writeFile(file, encodeUlaw(Int16Array.from(pcm)));
    return file;
  }

  it('fails on exactly the calls that play another recording, and passes on the others', async () => {
    const { id: profileId } = await client.call('createProfile', { name: 'Patient', patienceSeconds: 2 });
    const config = await client.call('createTestConfig', {
      name: 'Hours',
      phoneNumber: number,
      profileId,
      steps: [...steps],
    });
    const { id } = await client.call('runLoadTest', { configId: config.id, ...load });
    const { status, reason, stats } = await client.waitForLoadTest(id);
    assert.deepEqual([status, reason], ['completed', undefined]);
    assert.equal(await sippRun?.exit, 0, sippRun?.errors());
    const { IncomingCall, SuccessfulCall, FailedCall } = countsIn(await readFile(counts, 'utf8'));
    const placed = (stats?.callsPlaced ?? 0) + references;
    assert.deepEqual([IncomingCall, SuccessfulCall, FailedCall], [placed, placed, 0]);
    assert.deepEqual(
      [stats?.callsPlaced, stats?.callsAnswered, stats?.callsEndedEarly],
      [load.concurrency, load.concurrency, 0],
    );
    // The first two calls of sipp are the reference calls.
    assert.deepEqual(
      stats?.tested?.failures
        .toSorted((one, other) => one.call - other.call)
        .map(({ call, step, outcome }) => [call, step, outcome]),
      [
        [3, 'Hours', 'FAIL'],
        [8, 'Hours', 'FAIL'],
      ],
    );
    assert.deepEqual([stats.tested.passed, stats.tested.failed], [load.concurrency - 2, 2]);
  });
});

/** Returns the totals in the last line of sipp's statistics. */
function countsIn(csv: string): Readonly<Record<string, number>> {
  const [names = [], ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(';'));
  const last = rows.at(-1) ?? [];
  return Object.fromEntries(
    names.flatMap((name, index) => (name.endsWith('(C)') ? [[name.slice(0, -3), Number(last[index])]] : [])),
  );
}
