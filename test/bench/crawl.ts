import { createDialer } from '../../src/engine/call/conversation.ts';
import type { Dialer } from '../../src/engine/call/activeCall.ts';
import { flattenTree } from '../../src/model/tree/treeBuild.ts';
import { scoreTree } from '../../src/model/tree/treeScore.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { startPractice } from '../../src/practice/server.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Clock } from '../../src/base/clock.ts';
import { crawlTree, truthOf, type Crawled } from '../support/crawlTree.ts';
import { generateIvr } from '../support/generateIvr.ts';
import { speakStrangeIvr, strangeIvr } from '../support/strangeIvr.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';

const lines = 4;

interface Figures {
  readonly f1: number;
  readonly calls: number;
  readonly leaves: number;
  readonly ratio: number;
  readonly falseMerges: number;
  readonly ends: number;
  readonly endsTruth: number;
}

interface Choice {
  readonly trees: number;
  readonly seed: number;
  /** IVRs with traits that are awkward for a caller (`strangeIvr.ts`), instead of plain ones. */
  readonly strange: boolean;
  /** In virtual time: as fast as the machine recognises speech, and the same each time. */
  readonly virtual: boolean;
  /** IVR files to map instead of generated ones. */
  readonly files: readonly string[];
}

/** A practice IVR, once its prompts are spoken. */
interface World {
  readonly name: string;
  source(speak: (text: string, voice: string) => Promise<Int16Array>): Promise<IvrSource>;
}
interface Caller {
  readonly target: string;
  readonly dialer: Dialer;
  readonly clock: Clock;
}

function* worldsOf({ trees, seed: first, strange, files }: Choice): Generator<World> {
  for (const file of files) yield { name: file, source: () => loadIvr(file) };
  if (files.length > 0) return;
  for (let seed = first; seed < first + trees; seed += 1) {
    const name = `tree ${String(seed).padStart(3)}`;
    if (strange) yield { name, source: (speak) => speakStrangeIvr(strangeIvr(seed), speak) };
    else {
      const ivr = generateIvr(seed, { stubborn: seed % 5 === 0, hidden: seed % 3 === 0 });
      const file = `generated-${String(seed)}.ivr.json`;
      yield { name, source: () => Promise.resolve({ ivr, file, recordings: new Map() }) };
    }
  }
}

/**
 * Maps IVRs over SIP with synthesis and recognition, and compares the results with the limit of each tree. In real
 * time, a tree takes about a minute.
 */
export async function measureCrawl(choice: Choice): Promise<void> {
  const all: Figures[] = [];
  const map = async (world: World, source: IvrSource, caller: Caller): Promise<void> => {
    const crawled = await crawlTree({
      ...caller,
      signal: new AbortController().signal,
      config: { mappingMode: 'hybrid', maxDepth: 12, maxCalls: 200, concurrency: lines },
    });
    all.push(figuresOf(world, source, crawled));
  };
  await (choice.virtual ? mapVirtually(choice, map) : mapInRealTime(choice, map));
  const mean = (value: (figures: Figures) => number): number =>
    all.reduce((sum, figures) => sum + value(figures), 0) / all.length;
  const total = (value: (figures: Figures) => number): string =>
    String(all.reduce((sum, figures) => sum + value(figures), 0));
  console.log(
    `  ${String(all.length)} trees, ${String(lines)} lines: option F1 ${mean(({ f1 }) => f1).toFixed(3)} (floor 0.98), ends ${total(({ ends }) => ends)} of ${total(({ endsTruth }) => endsTruth)}`,
  );
  console.log(
    `  wall ${mean(({ ratio }) => ratio).toFixed(2)} × limit (budget 1.6), calls ${mean(({ calls, leaves }) => calls / leaves).toFixed(2)} × leaves (budget 1.15), false merges ${total(({ falseMerges }) => falseMerges)}`,
  );
}

type MapWorld = (world: World, source: IvrSource, caller: Caller) => Promise<void>;

async function mapInRealTime(choice: Choice, map: MapWorld): Promise<void> {
  const installation = findInstallation();
  const speech = createSpeechEngine({ assetsDir: speechAssets(installation), workerUrl: installation.speechWorker });
  await speech.warm();
  const agent = await startSipAgent({ host: '127.0.0.1', port: 0 });
  const dialer = createDialer({ agent, speech });
  try {
    for (const world of worldsOf(choice)) {
      const source = await world.source((text, voice) => speech.speak(text, voice));
      const practice = await startPractice([source], { port: 0, speech });
      try {
        await map(world, source, { target: practice.targets[0]?.uri ?? '', dialer, clock: systemClock });
      } finally {
        await practice.close();
      }
    }
  } finally {
    await agent.close();
    await speech.close();
  }
}

/** Each tree keeps what was recognised in it for the next run. */
async function mapVirtually(choice: Choice, map: MapWorld): Promise<void> {
  for (const world of worldsOf(choice)) {
    const calls = await VirtualCalls.open(world.name.replace(/\W+/g, '-'), true);
    try {
      const source = await world.source((text, voice) => calls.speak(text, voice));
      await calls.to(source, (caller) => map(world, source, caller));
    } finally {
      await calls.close();
    }
  }
}

/** Prints the figures of a mapped tree, with what is wrong with it, and returns them. */
function figuresOf({ name }: World, { ivr }: IvrSource, { tree, stats }: Crawled): Figures {
  const score = scoreTree(truthOf(ivr), tree);
  const figures: Figures = {
    f1: score.options.f1,
    calls: stats.callsPlaced,
    leaves: score.calls?.leaves ?? 1,
    ratio: stats.limit?.ratio ?? 0,
    falseMerges: score.falseMerges.length,
    ends: score.ends.right,
    endsTruth: score.ends.truth,
  };
  console.log(
    `  ${name}: F1 ${figures.f1.toFixed(3)}, ends ${String(figures.ends)}/${String(figures.endsTruth)}, wall ${figures.ratio.toFixed(2)} × limit (${(stats.limit?.elapsedSeconds ?? 0).toFixed(0)} s, ${stats.callSeconds.toFixed(0)} call seconds), calls ${String(figures.calls)} for ${String(figures.leaves)} leaves, ${String(figures.falseMerges)} false merges`,
  );
  const wrong = [...score.mistakes, ...score.falseMerges, ...score.missedLinks, ...score.ends.wrong];
  for (const line of wrong.slice(0, 6)) console.log(`      ${line}`);
  if (wrong.length > 0)
    for (const node of tree.tree ? flattenTree(tree.tree) : [])
      console.log(
        `        ${node.path ?? ''}: ${node.status ?? ''} ${node.end ?? ''} ${node.reason ?? ''} «${(node.transcript ?? '').slice(0, 100)}»`,
      );
  return figures;
}
