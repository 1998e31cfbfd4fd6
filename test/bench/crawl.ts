import { createDialer } from '../../src/engine/call/conversation.ts';
import { flattenTree } from '../../src/model/tree/treeBuild.ts';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { startPractice } from '../../src/practice/server.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import { systemClock } from '../../src/base/clock.ts';
import { crawlTree, truthOf } from '../support/crawlTree.ts';
import { generateIvr } from '../support/generateIvr.ts';

const lines = 4;

interface Figures {
  f1: number;
  calls: number;
  leaves: number;
  wall: number;
  limit: number;
  falseMerges: number;
  ends: number;
  endsTruth: number;
}

/**
 * Maps generated IVRs over real SIP with synthesis and recognition, and compares the results with the limit of each
 * tree. In real time: a tree takes about a minute.
 */
export async function measureCrawl(trees = 6, firstSeed = 1): Promise<void> {
  const installation = findInstallation();
  const speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
  await speech.warm();
  const agent = await startSipAgent({ host: '127.0.0.1', port: 0 });
  const all: Figures[] = [];
  try {
    for (let seed = firstSeed; seed < firstSeed + trees; seed += 1) {
      const ivr = generateIvr(seed, { stubborn: seed % 5 === 0, hidden: seed % 3 === 0 });
      const practice = await startPractice(
        [{ ivr, file: `generated-${String(seed)}.ivr.json`, recordings: new Map() }],
        { port: 0, speech },
      );
      try {
        const { tree, stats } = await crawlTree({
          target: practice.targets[0]?.uri ?? '',
          dialer: createDialer({ agent, speech }),
          clock: systemClock,
          signal: new AbortController().signal,
          config: { mappingMode: 'hybrid', maxDepth: 12, maxCalls: 200, concurrency: lines },
        });
        const score = scoreTree(truthOf(ivr), tree);
        const figures: Figures = {
          f1: score.options.f1,
          calls: stats.callsPlaced,
          leaves: score.calls?.leaves ?? 1,
          wall: stats.limit?.elapsedSeconds ?? 0,
          limit: stats.limit?.minimumWallSeconds ?? 1,
          falseMerges: score.falseMerges.length,
          ends: score.ends.right,
          endsTruth: score.ends.truth,
        };
        all.push(figures);
        console.log(
          `  tree ${String(seed).padStart(3)}: F1 ${figures.f1.toFixed(3)}, ends ${String(figures.ends)}/${String(figures.endsTruth)}, wall ${(figures.wall / figures.limit).toFixed(2)} × limit, calls ${(figures.calls / figures.leaves).toFixed(2)} × leaves, ${String(figures.falseMerges)} false merges`,
        );
        const wrong = [...score.mistakes, ...score.falseMerges, ...score.missedLinks, ...score.ends.wrong];
        for (const line of wrong.slice(0, 6)) console.log(`      ${line}`);
        if (wrong.length > 0)
          for (const node of tree.tree ? flattenTree(tree.tree) : [])
            console.log(
              `        ${node.path ?? ''}: ${node.status ?? ''} ${node.end ?? ''} ${node.reason ?? ''} «${(node.transcript ?? '').slice(0, 100)}»`,
            );
      } finally {
        await practice.close();
      }
    }
  } finally {
    await agent.close();
    await speech.close();
  }
  const mean = (value: (figures: Figures) => number): number =>
    all.reduce((sum, figures) => sum + value(figures), 0) / all.length;
  console.log(
    `  ${String(all.length)} trees, ${String(lines)} lines: option F1 ${mean(({ f1 }) => f1).toFixed(3)} (floor 0.98)`,
  );
  console.log(
    `  wall ${mean(({ wall, limit }) => wall / limit).toFixed(2)} × limit (budget 1.6), calls ${mean(({ calls, leaves }) => calls / leaves).toFixed(2)} × leaves (budget 1.15), false merges ${String(all.reduce((sum, { falseMerges }) => sum + falseMerges, 0))}`,
  );
}
