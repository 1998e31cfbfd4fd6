import { because, join, sentence, sentencesOf, type Reason, type Sentences } from '../../base/sentences.ts';
import type { LimitReason, MappingConfig } from '../../contract/mapping.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { limits } from '../../contract/limits.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import { whyNoAudio } from '../hearing/deadAir.ts';
import { Lateness } from '../hearing/lateness.ts';
import { sentencesOfEnd } from '../../model/calls/sentencesOfEnd.ts';
import { describeHangUp, saidBefore } from '../call/hangUp.ts';
import type { CrawlMap } from './crawlMap.ts';
import type { CrawlMeter } from './crawlMeter.ts';
import { decided, isMenu, isOpen, leadsBack, namesOtherLanguage, repeatsMenu, type CrawlNode } from './crawlNode.ts';
import { maxAttempts, type Explorer, type NextTask } from './explorer.ts';
import { raiseMaxCalls, raiseMaxDepth } from '../../model/tree/limitAdvice.ts';
import { runDoubts, type Mishaps } from './runDoubts.ts';
import { DialError, lettingGoSeconds, type Dialer, type ActiveCall } from '../call/activeCall.ts';

interface CrawlOutcome extends Reason {
  readonly status: 'completed' | 'failed' | 'limited';
  readonly limitReason?: LimitReason;
}

interface DispatcherOptions {
  readonly target: string;
  readonly config: Pick<MappingConfig, 'maxCalls' | 'concurrency' | 'maxDepth' | 'ringSeconds'> &
    Partial<Pick<MappingConfig, 'maxCallSeconds'>>;
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly callsPerSecond: number;
  readonly budgetSeconds?: number;
  /** The number is live. */
  readonly guarded?: boolean | undefined;
  readonly forbiddenKeys?: string | undefined;
  readonly map: CrawlMap;
  readonly meter: CrawlMeter;
  readonly explorer: Explorer;
  readonly report: () => void;
}

const firstLines = 2;
const backOffMs = [400, 800, 1500, 2500];
const congested = new Set([480, 486, 491, 500, 503, 600, 603]);
/** Keys that IVRs often hide. They are tried at the root; below it, only the operator's zero is. */
const hiddenAtRoot = ['0', '*', '#'];
const hiddenBelow = ['0'];
/** Many menus allow two tries, so a second wrong key would lead to wherever the tries end. */
const wrongKeysAVisit = 1;
const reportEveryMs = 500;
const yieldMs = 5;
/** A call that would be hung up sooner isn't placed. */
const minCallSeconds = 4;
const standingPollMs = 100;

/** Decides how many calls are placed, what each explores next, and when to stop. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #calls = new Set<Promise<void>>();
  readonly #hiddenTried = new Map<string, Set<string>>();
  /** How often a call was placed to try unoffered keys at this menu. */
  readonly #probed = new Map<CrawlNode, number>();
  /** Menus at which a call tries unoffered keys now. */
  readonly #probing = new Set<CrawlNode>();
  #lines: number;
  #refusals = 0;
  #isLate = false;
  readonly #maxCallSeconds: number;
  /** Steps for which `maxCallSeconds` isn't enough. */
  #lackTime = 0;
  /** The worst of all calls. */
  readonly #lateness = new Lateness();
  #answered = false;
  #nextDialAt = 0;
  #fatal: CrawlOutcome | undefined;
  #wake: (() => void) | undefined;
  /** Hangs up every call, because the run was cancelled or its budget is used up. */
  readonly #ending: AbortSignal;
  readonly #overBudget = new AbortController();
  #budgetTimer: TimerHandle | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#maxCallSeconds = options.config.maxCallSeconds ?? limits.maxCallSeconds.default;
    this.#lines = Math.min(firstLines, options.config.concurrency);
    this.#ending = AbortSignal.any([options.signal, this.#overBudget.signal]);
  }

  async run(): Promise<CrawlOutcome> {
    const { signal, clock, report } = this.#options;
    const wake = (): void => {
      this.#wake?.();
    };
    signal.addEventListener('abort', wake, { once: true });
    let reportedAt = clock.now();
    for (;;) {
      this.#watchBudget();
      if (!this.#stopped) this.#start();
      // After refused calls, others follow after a while.
      if (this.#calls.size === 0 && (this.#stopped || clock.now() >= this.#nextDialAt)) break;
      let timer: ReturnType<Clock['setTimeout']> | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        const untilDial = this.#nextDialAt - clock.now();
        timer = clock.setTimeout(
          resolve,
          untilDial > 0 && !this.#stopped ? Math.min(reportEveryMs, untilDial) : reportEveryMs,
        );
      });
      clock.clearTimeout(timer ?? 0);
      // The call that found something takes its own next step first.
      await sleep(clock, yieldMs);
      if (clock.now() - reportedAt >= reportEveryMs) {
        reportedAt = clock.now();
        report();
      }
    }
    signal.removeEventListener('abort', wake);
    if (this.#budgetTimer !== undefined) clock.clearTimeout(this.#budgetTimer);
    return this.#outcome();
  }

  /** Hangs up all calls together, early enough that the last one has ended when the budget is used up. */
  #watchBudget(): void {
    const { clock, meter, budgetSeconds } = this.#options;
    if (this.#budgetTimer !== undefined) clock.clearTimeout(this.#budgetTimer);
    this.#budgetTimer = undefined;
    const calls = meter.inFlight;
    if (budgetSeconds === undefined || this.#ending.aborted) return;
    const remainingSeconds = budgetSeconds - meter.callSeconds - calls * lettingGoSeconds;
    if (remainingSeconds <= 0) {
      this.#overBudget.abort();
      this.#wake?.();
    } else if (calls > 0)
      this.#budgetTimer = clock.setTimeout(() => this.#watchBudget(), (remainingSeconds / calls) * 1000);
  }

  /** Whether one more call could still hear something before the budget of all calls is used up. */
  get #affordsCall(): boolean {
    const { meter, budgetSeconds } = this.#options;
    return budgetSeconds === undefined || (budgetSeconds - meter.callSeconds) / (meter.inFlight + 1) >= minCallSeconds;
  }

  /** Called when the map has grown, so that a new call can explore it immediately. */
  wake(): void {
    this.#wake?.();
  }

  get #stopped(): boolean {
    return (
      this.#ending.aborted || this.#fatal !== undefined || this.#options.meter.placed >= this.#options.config.maxCalls
    );
  }

  #start(): void {
    const { clock, callsPerSecond } = this.#options;
    while (this.#calls.size < this.#lines && clock.now() >= this.#nextDialAt && !this.#stopped) {
      const task = this.#decideDoubted() ?? this.#freeTask() ?? this.#probingTask();
      if (!task) return;
      if (!this.#affordsCall) {
        // Without an active call, the remaining budget can't be used for anything.
        if (this.#calls.size === 0) this.#overBudget.abort();
        return;
      }
      const wasOpen = isOpen(task);
      if (wasOpen) this.#options.map.update(task, { status: 'exploring' });
      else this.#probed.set(task, (this.#probed.get(task) ?? 0) + 1);
      this.#nextDialAt = clock.now() + 1000 / callsPerSecond;
      if (!wasOpen) this.#probing.add(task);
      const call: Promise<void> = this.#call(task, wasOpen).finally(() => {
        this.#calls.delete(call);
        this.#probing.delete(task);
        this.#wake?.();
      });
      this.#calls.add(call);
      this.#watchBudget();
    }
  }

  /**
   * Returns a menu whose words weren't understood and that may have timed out, if a key is left that it may take.
   * Otherwise decides whether it is a menu: if no key led on, the silence was only a pause.
   */
  #decideDoubted(): CrawlNode | undefined {
    const { map } = this.#options;
    const menu = [...map.nodes].find(({ doubtedMs, status }) => doubtedMs !== undefined && status === 'explored');
    const waited = menu && map.childrenOf(menu).find(({ byWaiting }) => byWaiting === true);
    if (!menu || !waited || waited.status === 'exploring') return undefined;
    const keys = map.childrenOf(menu).filter((key) => key !== waited);
    if (keys.some(({ status }) => status === 'pending' || status === 'exploring')) return undefined;
    if (this.#probing.has(menu)) return undefined;
    if (this.#isMissing(menu, this.#hiddenLeft(menu)[0]) && (this.#probed.get(menu) ?? 0) < mostProbes) return menu;
    const isMenu = waited.status === 'linked' || keys.some((key) => !map.isOfferedAt(waited, key));
    if (isMenu) map.learn(menu, decided);
    else map.absorb(waited);
    return undefined;
  }

  /**
   * Returns the best option for a new call: near the root, where most remains to be found. Keys that lead back are left
   * to calls that pass by.
   */
  #freeTask(): CrawlNode | undefined {
    const { map } = this.#options;
    const ways = map.waysFrom(map.root);
    const open = map
      .openNodes()
      .filter((node) => map.parentOf(node)?.status !== 'pending' && ways.has(map.parentOf(node) ?? map.root))
      .filter((node) => !map.isPremature(node));
    const cost = (node: CrawlNode): number => node.depth + (leadsBack(node) ? 100 : 0) + node.attempts * 10;
    const best = open.toSorted((a, b) => cost(a) - cost(b))[0];
    // A key that leads back gets a separate call only if no other call is active.
    return best && leadsBack(best) && this.#calls.size > 0 ? undefined : best;
  }

  /** Returns open options, except one at each menu that a call is hearing now, because that call will follow it. */
  #free(): CrawlNode[] {
    const { map } = this.#options;
    return map.openNodes().filter((node) => {
      const parent = map.parentOf(node);
      if (parent?.status !== 'exploring') return parent?.status !== 'pending';
      const children = map.childrenOf(parent);
      return children.length === 1 || children.findLast(isOpen) !== node;
    });
  }

  /** If nothing is open and another call is allowed, returns a menu with hidden keys that haven't been tried. */
  #probingTask(): CrawlNode | undefined {
    const { map } = this.#options;
    if (map.openNodes().length > 0) return undefined;
    const doubted = map.parentOf(map.unproven()[0] ?? map.root);
    if (doubted && this.#mayProbe(doubted)) return doubted;
    const menus = [...map.nodes]
      .filter((node) => isMenu(node) && this.#mayProbe(node))
      .toSorted((a, b) => b.depth - a.depth);
    const leaves = [...map.nodes].filter((node) => node.end !== undefined).length;
    const isWithin = this.#options.meter.placed + 1 <= leaves * callsALeaf;
    return isWithin ? menus[0] : menus.find((menu) => this.#isMissing(menu, this.#hiddenLeft(menu)[0]));
  }

  /** One call tries several unoffered keys. A key that was found shows that the next one may be missing too. */
  #mayProbe(menu: CrawlNode): boolean {
    const [key] = this.#hiddenLeft(menu);
    const probed = this.#probed.get(menu) ?? 0;
    return (
      key !== undefined &&
      !this.#probing.has(menu) &&
      (probed === 0 || (probed < mostProbes && this.#isMissing(menu, key)))
    );
  }

  /** Returns unoffered keys to try at this menu: none on a live number, and no forbidden keys. */
  #hiddenLeft(menu: CrawlNode): string[] {
    const { guarded, forbiddenKeys = '', map } = this.#options;
    const isMenu = menu.foreign || menu.doubtedMs !== undefined || (menu.reading?.options.length ?? 0) > 0;
    if (guarded === true || !isMenu) return [];
    const known = new Set([
      ...map.childrenOf(menu).map(({ digit }) => digit),
      ...(this.#hiddenTried.get(menu.id) ?? []),
      ...forbiddenKeys,
    ]);
    const atMenu = menu.parentId === undefined ? hiddenAtRoot : menu.bargeIn === 'none' ? [] : hiddenBelow;
    return [...missingKeys(menu, map.childrenOf(menu)), ...atMenu].filter((key) => !known.has(key));
  }

  /** True for a key that was maybe said but not understood: between two, or after the first of several languages. */
  #isMissing(menu: CrawlNode, key: string | undefined): boolean {
    const options = menu.reading?.options ?? [];
    if (key === undefined || !missingKeys(menu, this.#options.map.childrenOf(menu)).includes(key)) return false;
    return (
      menu.foreign === true ||
      menu.doubtedMs !== undefined ||
      options.some((option) => (option.key > key && option.key <= '9') || namesLanguage(option.label))
    );
  }

  readonly #hiddenKey = (menu: CrawlNode, triedHere: number): string | undefined => {
    const { map } = this.#options;
    // A key that leads here faster took over this menu while the call stood at it.
    if (triedHere >= wrongKeysAVisit || this.#stopped || menu.status === 'linked') return undefined;
    const [key] = this.#hiddenLeft(menu);
    if (key === undefined) return undefined;
    // Hidden keys are tried while the last options are being explored, so nothing waits for them.
    const spare =
      menu.doubtedMs !== undefined ||
      (!map.openNodes().some((node) => !leadsBack(node)) &&
        (this.#isMissing(menu, key) || [...map.nodes].some((node) => node.status === 'exploring' && !node.hidden)));
    const proves = map.unproven().some((node) => map.parentOf(node) === menu);
    if (!(spare || proves)) return undefined;
    const tried = this.#hiddenTried.get(menu.id) ?? new Set<string>();
    this.#hiddenTried.set(menu.id, tried.add(key));
    return key;
  };

  async #call(task: CrawlNode, wasOpen: boolean): Promise<void> {
    const { dialer, target, meter, map, explorer, report, clock, config } = this.#options;
    const signal = this.#ending;
    const metered = meter.callPlaced();
    report();
    let call: ActiveCall;
    try {
      call = await dialer.dial(target, signal, withoutUndefined({ ringSeconds: config.ringSeconds }));
    } catch (error) {
      metered.ended();
      if (wasOpen && task.status === 'exploring') map.update(task, { status: 'pending' });
      if (!(error instanceof DialError)) {
        this.#fatal = { status: 'failed', ...because(sentencesOf(error)) };
        return;
      }
      if (!signal.aborted) this.#refused(error);
      return;
    }
    this.#answered = true;
    this.#refusals = 0;
    if (!this.#isLate) this.#lines = Math.min(this.#lines + 1, this.#options.config.concurrency);
    metered.answered(call);
    const hangUp = (): void => {
      void call.hangUp();
    };
    signal.addEventListener('abort', hangUp, { once: true });
    let isTooLong = false;
    const longest = clock.setTimeout(
      () => {
        isTooLong = !call.ended;
        hangUp();
      },
      (this.#maxCallSeconds - lettingGoSeconds) * 1000,
    );
    // The call is over when it ends, even if its last words take longer to be understood.
    const onCall = new Lateness();
    const answeredAt = clock.now() - call.now();
    const stop = call.listen((event) => {
      if (event.type === 'ended') metered.ended();
      if (event.type !== 'utterance') return;
      const behindMs = clock.now() - answeredAt - event.utterance.endMs;
      for (const lateness of [onCall, this.#lateness]) lateness.behind(behindMs);
      if (onCall.isTooLate) this.#slowDown();
    });
    try {
      if (wasOpen) await explorer.run(call, task, this.#next, this.#hiddenKey);
      else await explorer.probe(call, task, this.#next, this.#hiddenKey);
      if (isTooLong) this.#tooLong(task);
      this.#checkRoot(call);
      if (!onCall.isTooLate) this.#isLate = false;
    } finally {
      signal.removeEventListener('abort', hangUp);
      clock.clearTimeout(longest);
      stop();
      metered.ended();
    }
  }

  /** A call that was placed for this step had no time left for it. Others weren't what used up its time. */
  #tooLong(task: CrawlNode): void {
    const { map } = this.#options;
    if (task.status !== 'pending') return;
    task.attempts += 1;
    if (task.attempts < maxAttempts) return;
    const reason = "A call can't reach this step and hear it within maxCallSeconds of the mapping.";
    if (task === map.root) map.fail(task, reason);
    else map.update(task, { status: 'skipped', reason });
    this.#lackTime += 1;
  }

  /** Until a whole call was recognised in time again, each call that ends leaves fewer at the same time. */
  #slowDown(): void {
    this.#isLate = true;
    this.#lines = Math.max(1, Math.min(this.#lines, this.#calls.size - 1));
  }

  /** Decides what a call does next: keys that lead back first, as it continues after them, then the nearest option. */
  readonly #next: NextTask = async (at, patienceMs) => {
    const { clock, map } = this.#options;
    const until = clock.now() + patienceMs;
    for (;;) {
      const task = this.#nextBelow(at);
      if (
        task ||
        this.#stopped ||
        clock.now() >= until ||
        this.#isInTheWay() ||
        ![...map.nodes].some((node) => node.status === 'exploring')
      )
        return task;
      await sleep(clock, standingPollMs);
    }
  };

  /** There is work that no path leads to from here, and no more calls are allowed. */
  #isInTheWay(): boolean {
    return this.#calls.size >= this.#lines && this.#free().some((node) => !leadsBack(node));
  }

  #nextBelow(at: CrawlNode): CrawlNode | undefined {
    if (this.#stopped) return undefined;
    const { map } = this.#options;
    const ways = map.waysFrom(at);
    let best: { readonly node: CrawlNode; readonly cost: number } | undefined;
    for (const node of this.#free()) {
      const parent = map.parentOf(node);
      const way = parent && ways.get(parent);
      if (!way) continue;
      const cost = way.length + detourOf(node, parent === at) + node.attempts * 5;
      if (!best || cost < best.cost) best = { node, cost };
    }
    if (best) map.update(best.node, { status: 'exploring' });
    return best?.node;
  }

  #refused(error: DialError): void {
    const { clock } = this.#options;
    const { kind, status } = error.end;
    this.#refusals += 1;
    this.#lines = Math.max(1, Math.floor(this.#lines / 2));
    this.#nextDialAt = clock.now() + (backOffMs[Math.min(this.#refusals, backOffMs.length) - 1] ?? 0);
    const passing = kind === 'busy' || (kind === 'rejected' && congested.has(status ?? 0));
    const most = passing ? (this.#answered ? 12 : 5) : kind === 'rejected' || this.#answered ? 3 : 1;
    if (this.#refusals < most) return;
    const said = saidBefore(error.early?.text);
    this.#fatal = passing
      ? {
          status: 'limited',
          limitReason: 'target_refused',
          ...because(
            join(
              sentence`The called side refused ${this.#refusals} calls in a row (${error.message}). Try again later, with fewer simultaneous calls, or with another caller ID.`,
              said,
            ),
          ),
        }
      : { status: 'failed', ...because(join(describeEnd(error), said)) };
  }

  /** A silent root isn't an IVR, so calling again wouldn't help. */
  #checkRoot(call: ActiveCall): void {
    const { root } = this.#options.map;
    const isSilent = root.end === 'dead-air' && (root.transcript ?? '') === '';
    if (isSilent && root.unsure !== true) {
      this.#fatal = {
        status: 'failed',
        ...because(
          join(
            sentence`The call was answered, but nothing was heard (dead air).`,
            whyNoAudio(call) ??
              sentence`Check that the IVR plays its prompt, and that its audio can reach this machine.`,
          ),
        ),
      };
    } else if (isSilent || root.status === 'failed') {
      this.#fatal = {
        status: 'failed',
        ...because(describeFailedRoot(root, this.#mishaps)),
      };
    }
  }

  get #mishaps(): Mishaps {
    return { ...this.#options.explorer.mishaps, cause: this.#lateness.cause };
  }

  #outcome(): CrawlOutcome {
    const { map, signal, meter, config } = this.#options;
    const open = map.openNodes();
    for (const node of map.unproven()) map.remove(node);
    // The code that aborts a run decides its reason, and whether it continues elsewhere.
    if (!signal.aborted)
      map.skipOpen(this.#overBudget.signal.aborted ? 'the seconds for this run were used up' : 'the run ended');
    if (signal.aborted) return { status: 'failed', ...because(sentence`Cancelled. What was found is kept.`) };
    if (this.#fatal) return this.#fatal;
    if (this.#overBudget.signal.aborted)
      return {
        status: 'limited',
        limitReason: 'capacity',
        ...because(
          sentence`The minutes for this run are used up. Get more minutes, or raise the workspace's budget, then start the mapping again to map the rest.`,
        ),
      };
    const doubts = runDoubts(map, meter.placed, this.#mishaps);
    if (open.length > 0 && meter.placed >= config.maxCalls)
      return {
        status: 'limited',
        limitReason: 'max_calls',
        ...because(
          join(
            open.length === 1
              ? sentence`The run placed all the calls that maxCalls allows, but 1 step is still unexplored.`
              : sentence`The run placed all the calls that maxCalls allows, but ${open.length} steps are still unexplored.`,
            raiseMaxCalls,
            doubts?.why,
          ),
        ),
      };
    if (this.#lackTime > 0)
      return {
        status: 'limited',
        limitReason: 'time',
        ...because(
          join(
            sentence`Some steps couldn't be reached and heard within a call of ${this.#maxCallSeconds} s (${this.#lackTime}). Raise maxCallSeconds of the mapping, and map again.`,
            doubts?.why,
          ),
        ),
      };
    if (map.depthLimited)
      return {
        status: 'limited',
        limitReason: 'max_depth',
        ...because(join(sentence`There are more menus below depth ${config.maxDepth}.`, raiseMaxDepth, doubts?.why)),
      };
    return doubts
      ? { status: doubts.isIncomplete ? 'limited' : 'completed', ...because(doubts.why) }
      : { status: 'completed' };
  }
}

/** A key that leads back is best pressed where a call is, and one that repeats the menu first: the call stays there. */
function detourOf(node: CrawlNode, isHere: boolean): number {
  if (!leadsBack(node)) return 0;
  if (!isHere) return 3;
  return repeatsMenu(node) ? -11 : -10;
}

/** Returns keys that a sequentially numbered menu leaves out. An option there may have been misheard. */
function missingKeys({ reading, foreign, doubtedMs }: CrawlNode, children: readonly CrawlNode[]): string[] {
  const offered = reading?.options.map(({ key }) => key) ?? [];
  const found = children.flatMap(({ digit, hidden, status }) =>
    digit !== undefined && hidden === true && status !== 'exploring' ? [digit] : [],
  );
  const keys = [...offered, ...found];
  const digits = keys.map(Number).filter((digit) => digit > 0 && digit < 9);
  // After a single option, others can be said in other languages.
  const isUnread = offered.length === 1 || foreign === true;
  const length = doubtedMs === undefined ? Math.max(0, ...digits) + (isUnread ? 1 : 0) : Math.max(1, ...digits) + 1;
  // A key far beyond the others leads back, or was misheard.
  if (length > Math.max(digits.length + maxMissing, digits.length * 2)) return [];
  return Array.from({ length }, (_, index) => String(index + 1)).filter((key) => !keys.includes(key));
}
const maxMissing = 2;
/** Calls for the missing keys of one menu. */
const mostProbes = 4;

const namesLanguage = (label: string): boolean => /\benglish\b/.test(label) || namesOtherLanguage(label);

/** Every leaf needs a call. The rest is for keys that no prompt offers. */
const callsALeaf = 1.15;

function describeFailedRoot(
  { reason }: CrawlNode,
  { dropped, cause = sentence`Call the number yourself to check what it plays.` }: Mishaps,
): Sentences {
  const hungUp =
    dropped === 1 ? sentence`The called side hung up once.` : sentence`The called side hung up ${dropped} times.`;
  return join(
    reason === undefined ? sentence`Dialtree couldn't hear the first menu.` : sentencesOf(reason),
    dropped === 0 ? undefined : hungUp,
    cause,
  );
}

function describeEnd({ end, message: said }: DialError): Sentences {
  const message = end.advice === undefined ? said : `${said}; ${end.advice}`;
  switch (end.kind) {
    case 'notFound':
      return sentence`The called side couldn't find this number (${message}). Check the number and its line or route.`;
    case 'unauthorized':
      return sentence`The called side asks for a login (${message}). Set the user and password of this line.`;
    case 'unreachable':
      return sentence`The called side didn't respond (${message}). Check the host and port, and check that the called side is running.`;
    case 'noAnswer':
      return sentence`The number rang, but the call wasn't answered (${message}). Check that the IVR answers calls at this time of day, or raise ringSeconds of the mapping.`;
    case 'busy':
    case 'rejected':
    case 'noCommonCodec':
    case 'noSrtp':
      return sentencesOfEnd(describeHangUp(end));
    default:
      return sentence`Couldn't set up the call (${message}).`;
  }
}
