import assert from 'node:assert/strict';
import path from 'node:path';
import { createDialer } from '../../src/engine/call/conversation.ts';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import { startPractice, type PracticeServer } from '../../src/practice/server.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import type { SpeechEngine } from '../../src/speech/ear.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { SipAgent } from '../../src/telephony/call.ts';
import { systemClock } from '../../src/base/clock.ts';
import { crawlTree, truthOf } from '../support/crawlTree.ts';

/** The whole path: SIP and RTP over loopback, synthesised prompts, recognised, read, crawled. */
describe('mapping the samples over real SIP', function () {
  let speech: SpeechEngine;
  let agent: SipAgent;
  let practice: PracticeServer | undefined;

  before(async () => {
    const installation = findInstallation();
    speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
    await speech.warm();
    agent = await startSipAgent({ host: '127.0.0.1', port: 0 });
  });

  afterEach(async () => {
    await practice?.close();
    practice = undefined;
  });

  after(async () => {
    await agent.close();
    await speech.close();
  });

  for (const sample of ['bank', 'clinic', 'utility']) {
    it(`finds every option and end of ${sample}, without a wrong merge${sample === 'bank' ? '' : ' @full'}`, async () => {
      const source = await loadIvr(path.resolve(import.meta.dirname, `../../media/samples/${sample}.ivr.json`));
      practice = await startPractice([source], { port: 0, speech });
      const { tree, end } = await crawlTree({
        target: practice.targets[0]?.uri ?? '',
        dialer: createDialer({ agent, speech }),
        clock: systemClock,
        signal: new AbortController().signal,
        config: { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 100, concurrency: 4 },
      });
      const score = scoreTree(truthOf(source.ivr), tree);
      console.log(
        `      ${String(score.calls?.placed)} calls for ${String(score.calls?.leaves)} leaves, ${String(score.limitRatio)} × the limit, hidden ${String(score.hidden.found)} of ${String(score.hidden.truth)}`,
      );
      assert.equal(end.status, 'completed', end.reason);
      assert.deepEqual(
        { f1: score.options.f1, mistakes: score.mistakes, falseMerges: score.falseMerges, wrong: score.ends.wrong },
        { f1: 1, mistakes: [], falseMerges: [], wrong: [] },
      );
    });
  }
});
