import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { probeSchema } from '../../src/contract/probe.ts';
import type { Probe } from '../../src/contract/probe.ts';
import type { CallTestEnd } from '../../src/engine/callTestEvent.ts';
import { createLine } from '../../src/engine/conversation.ts';
import { runProbe } from '../../src/engine/probe/probe.ts';
import type { Line } from '../../src/engine/talk.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { startPractice } from '../../src/practice/server.ts';
import type { PracticeServer } from '../../src/practice/server.ts';
import { findInstallation, speechAssets } from '../../src/service/installation.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { SipAgent } from '../../src/telephony/call.ts';
import { systemClock } from '../../src/telephony/clock.ts';

/** Calls mostly wait: as many go on at once as one recogniser on two idle cores keeps up with; fewer each time that one did not, slowly more again. */
const callsAtOnce = { most: 10, least: 2 };
/** What a busy machine misheard proves nothing either way: it is called again. The last call has to decide. */
const callsAJob = 3;
const fixtures = path.resolve(import.meta.dirname, '../fixtures/compliance');
const catalogue = path.resolve(import.meta.dirname, '../../media/compliance');
/** Some probes can be judged at night only; the practice IVRs keep the same time. */
const atNight = (): Date => new Date(2026, 0, 15, 3);

interface Job {
  readonly probe: Probe;
  readonly kind: 'pass' | 'fail';
  readonly source: IvrSource;
  readonly ended: PromiseWithResolvers<CallTestEnd>;
  calls: number;
}

/** Every probe that calls, on its two practice IVRs: SIP and RTP over loopback, spoken, recognised, judged. */
describe('the compliance catalogue over real SIP', function () {
  this.timeout(1_800_000);
  const stop = new AbortController();
  const jobs: Job[] = [];
  const waiting: Job[] = [];
  const over = Promise.withResolvers<undefined>();
  let speech: SpeechEngine | undefined;
  let agent: SipAgent | undefined;
  let practice: PracticeServer | undefined;

  before(async () => {
    for (const file of await readdir(catalogue)) {
      const probe = probeSchema.parse(JSON.parse(await readFile(path.join(catalogue, file), 'utf8')));
      if (probe.mode === 'receive') continue;
      for (const kind of ['pass', 'fail'] as const)
        jobs.push({
          probe,
          kind,
          source: await loadIvr(path.join(fixtures, `${probe.id}.${kind}.ivr.json`)),
          ended: Promise.withResolvers(),
          calls: 0,
        });
    }
    const installation = findInstallation();
    speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
    await speech.warm();
    agent = await startSipAgent({ host: '127.0.0.1', port: 0 });
    practice = await startPractice(
      jobs.map(({ source }) => source),
      { port: 0, speech, timeOfDay: atNight },
    );
    const line = createLine({ agent, speech });
    waiting.push(...[...jobs].sort((one, other) => lengthOf(other.probe) - lengthOf(one.probe)));
    let atOnce = callsAtOnce.most;
    let going = 0;
    const start = (): void => {
      for (
        let job = going < atOnce ? waiting.shift() : undefined;
        job;
        job = going < atOnce ? waiting.shift() : undefined
      ) {
        going += 1;
        void carryOut(job).finally(() => {
          going -= 1;
          start();
        });
      }
      if (going === 0) over.resolve(undefined);
    };
    const carryOut = async (job: Job): Promise<void> => {
      const {
        probe,
        kind,
        ended: { resolve, reject },
      } = job;
      try {
        const ended = await call(probe, line, uriOf(job, practice), stop.signal);
        job.calls += 1;
        if (ended.outcome !== 'INCONCLUSIVE' || job.calls === callsAJob) {
          atOnce = Math.min(callsAtOnce.most, atOnce + 0.25);
          resolve(ended);
          return;
        }
        console.log(`      ${probe.id}.${kind} is called again. ${ended.reason ?? ''}`);
        atOnce = Math.max(callsAtOnce.least, atOnce - 1);
        waiting.push(job);
      } catch (error) {
        reject(error);
      }
    };
    for (const { ended } of jobs) ended.promise.catch(() => undefined);
    start();
  });

  after(async () => {
    waiting.length = 0;
    stop.abort('The test is over.');
    if (practice) await over.promise;
    await practice?.close();
    await agent?.close();
    await speech?.close();
  });

  for (const kind of ['pass', 'fail'] as const) {
    it(`${kind === 'pass' ? 'passes' : 'fails'} where it should, with the words that show it`, async () => {
      const wrong: string[] = [];
      for (const { probe, ended } of jobs.filter((job) => job.kind === kind)) {
        const { outcome, reason = '', steps, transcript } = await ended.promise;
        const shown = steps
          .filter((step) => step.outcome === outcome)
          .every(({ transcript: quote = '' }) =>
            transcript.some(({ speaker, text }) => speaker === 'them' && quote !== '' && text.includes(quote)),
          );
        if (outcome !== (kind === 'pass' ? 'PASS' : 'FAIL') || !shown)
          wrong.push(
            [
              `${probe.id}: ${outcome} ${reason}`,
              ...transcript.map(({ speaker, text }) => `    ${speaker}: ${text}`),
            ].join('\n'),
          );
        assert.doesNotMatch(
          [reason, ...steps.map((step) => step.transcript ?? ''), ...transcript.map(({ text }) => text)].join('\n'),
          /4012|8888|1881|\b739\b/,
          `${probe.id} tells digits`,
        );
      }
      assert.deepEqual(wrong, []);
    });
  }
});

async function call(probe: Probe, line: Line, target: string, signal: AbortSignal): Promise<CallTestEnd> {
  for await (const event of runProbe({ probe, target, line, clock: systemClock, signal, now: atNight }))
    if (event.type === 'ended') return event.ended;
  throw new Error('the probe ended without saying how');
}

const uriOf = ({ source }: Job, practice: PracticeServer | undefined): string =>
  practice?.targets.find(({ file }) => file === source.file)?.uri ?? '';

/** About how long its calls take, in seconds: the longest begin first. */
const lengthOf = ({ dialogue }: Probe): number =>
  dialogue.steps.reduce((sum, step) => sum + (step.do === 'listen' && step.until === undefined ? step.seconds : 8), 0);
