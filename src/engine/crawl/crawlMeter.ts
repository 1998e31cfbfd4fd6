import type { MappingStats } from '../../contract/mapping.ts';
import { evidenceSeconds, passSeconds, theoreticalLimit } from '../../model/tree/limit.ts';
import type { Clock } from '../../base/clock.ts';
import type { ActiveCall } from '../call/activeCall.ts';
import type { CrawlMap } from './crawlMap.ts';
import { acceptsKeysFromMs, isMenu, type CrawlNode } from './crawlNode.ts';

interface MeteredCall {
  answered(call: ActiveCall): void;
  /** A call that ends without an answer has failed. */
  ended(): void;
}

/** Counts calls and seconds, and compares them with the theoretical limit. */
export class CrawlMeter {
  readonly #clock: Clock;
  readonly #map: CrawlMap;
  readonly #conditions: { readonly lines: number; readonly callsPerSecond: number };
  readonly #startedAt: number;
  /** Each active call by its number; undefined until it is answered. */
  readonly #active = new Map<number, ActiveCall | undefined>();
  #finishedSeconds = 0;
  #placed = 0;
  #failed = 0;
  #setupSeconds: number[] = [];

  constructor(clock: Clock, map: CrawlMap, conditions: { readonly lines: number; readonly callsPerSecond: number }) {
    this.#clock = clock;
    this.#map = map;
    this.#conditions = conditions;
    this.#startedAt = clock.now();
  }

  get inFlight(): number {
    return this.#active.size;
  }
  get placed(): number {
    return this.#placed;
  }
  get callSeconds(): number {
    return [...this.#active.values()].reduce((sum, call) => sum + (call?.durationSeconds ?? 0), this.#finishedSeconds);
  }

  /** Counts the seconds of a call from its answer. */
  callPlaced(): MeteredCall {
    const call = ++this.#placed;
    this.#active.set(call, undefined);
    return {
      answered: (active) => {
        this.#active.set(call, active);
        this.#setupSeconds.push(active.setupSeconds);
      },
      ended: () => {
        const active = this.#active.get(call);
        if (!this.#active.delete(call)) return;
        if (active) this.#finishedSeconds += active.durationSeconds;
        else this.#failed += 1;
      },
    };
  }

  stats(): MappingStats {
    const nodes = [...this.#map.nodes];
    const open = nodes.filter((node) => node.status === 'pending' || node.status === 'exploring');
    const found = nodes.filter((node) => node.status === 'explored' || node.status === 'linked');
    const now = this.#clock.now();
    return {
      callsPlaced: this.#placed,
      callsFailed: this.#failed,
      // An option counts as soon as it is understood, and the first menu once it was heard.
      nodesDiscovered: nodes.filter((node) =>
        node.parentId === undefined ? found.includes(node) : node.status !== 'failed',
      ).length,
      menusHeard: found.filter(isMenu).length,
      optionsToExplore: open.filter((node) => node.parentId !== undefined).length,
      terminalNodes: found.filter((node) => node.end !== undefined).length,
      maxDepthReached: Math.max(0, ...found.map((node) => node.depth)),
      callSeconds: round(this.callSeconds),
      linkedMenus: found.filter((node) => node.status === 'linked').length,
      promptSeconds: round(found.reduce((sum, node) => sum + (node.promptMs ?? 0), 0) / 1000),
      ...(found.length === 0 ? {} : { limit: this.#limit(now) }),
    };
  }

  #limit(now: number): NonNullable<MappingStats['limit']> {
    const setups = this.#setupSeconds.toSorted((a, b) => a - b);
    const limit = theoreticalLimit(
      [...this.#map.nodes]
        .filter((node) => node.status === 'explored' || node.status === 'linked')
        .map((node) => ({
          id: node.id,
          parentId: node.parentId,
          depth: node.depth,
          linked: node.status === 'linked',
          terminal: node.end !== undefined,
          promptSeconds: promptSecondsOf(node),
          understoodSeconds: (node.understoodMs ?? 0) / 1000,
          ...passingOf(node),
        })),
      { ...this.#conditions, setupSeconds: setups[Math.floor(setups.length / 2)] ?? 0 },
    );
    const elapsed = (now - this.#startedAt) / 1000;
    return {
      minimumCalls: limit.calls,
      minimumWallSeconds: round(limit.wallSeconds),
      elapsedSeconds: round(elapsed),
      ratio: limit.wallSeconds === 0 ? 0 : round(elapsed / limit.wallSeconds),
    };
  }
}

/** Returns what has to be heard once of this node. A link is known by then, but not what is said before it. */
function promptSecondsOf(node: CrawlNode): number {
  const { status, end, promptMs = 0, promptStartMs = 0, promptEndMs = 0 } = node;
  if (status === 'linked') return Math.max(0, promptEndMs - promptStartMs) / 1000;
  return promptMs / 1000 + (end === undefined ? 0 : (evidenceSeconds[end] ?? 0));
}

function passingOf(node: CrawlNode): { readonly passSeconds?: number } {
  if (node.bargeIn === 'none') return { passSeconds: (node.promptMs ?? 0) / 1000 };
  return node.triedEarly === true ? { passSeconds: Math.max(passSeconds, acceptsKeysFromMs(node) / 1000) } : {};
}

const round = (value: number): number => Math.round(value * 100) / 100;
