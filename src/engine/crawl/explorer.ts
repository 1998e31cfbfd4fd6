import type { MappingConfig } from '../../contract/mapping.ts';
import type { Clock } from '../../base/clock.ts';
import type { MenuReading } from '../../contract/menu.ts';
import type { Fingerprint, Word } from '../../speech/ear.ts';
import { KeySounds } from '../../speech/keys/keySounds.ts';
import type { ActiveCall } from '../call/activeCall.ts';
import { Door } from '../call/door.ts';
import { isOurs } from '../hearing/callEnding.ts';
import { CallLog } from '../hearing/callLog.ts';
import { Inbox } from '../hearing/inbox.ts';
import { patience } from '../hearing/patience.ts';
import { isSameLabel } from '../hearing/promptText.ts';
import type { CrawlMap } from './crawlMap.ts';
import { leadsBack, type CrawlNode, type ReportedStep } from './crawlNode.ts';
import { hasLeft, isKeyLate, isUnread, spanOf, type Found, type Visit } from './found.ts';
import type { HeardPrompt, HearOptions } from './hear.ts';
import { dropDefault, tryKey } from './hiddenKeys.ts';
import { checkLink } from './linkCheck.ts';
import { hearPrompt, standingMs, type MenuPlace } from './menuWait.ts';
import { answer, Navigator, playingAt, type Press } from './navigator.ts';
import { readLate, rehear } from './rehear.ts';
import type { Mishaps } from './runDoubts.ts';
import { firstOptionMs } from './sameMenu.ts';
import { isForeign, settle } from './settle.ts';

/** Chooses what a call at a menu tries next, and marks it as being explored. Undefined ends the call. */
export type NextTask = (at: CrawlNode, patienceMs: number) => Promise<CrawlNode | undefined>;
/** Returns an unoffered key that is worth trying at this menu on this call. */
type HiddenKey = (at: CrawlNode, triedHere: number) => string | undefined;

interface ExplorerOptions {
  readonly clock: Clock;
  readonly config: Pick<MappingConfig, 'mappingMode'>;
  /** See `HearOptions.patienceMs`. */
  readonly patienceMs?: number | undefined;
  /** The end of the run. */
  readonly signal: AbortSignal;
}

export const maxAttempts = 4;
const humanLine = 'Sorry, wrong number.';

/** Controls one call at a time: goes to a node, hears the prompt, and continues while there is something to try. */
export class Explorer {
  readonly #map: CrawlMap;
  readonly #clock: Clock;
  readonly #mode: MappingConfig['mappingMode'];
  readonly #patienceMs: number | undefined;
  readonly #keySounds = new KeySounds();
  readonly #signal: AbortSignal;
  #longestCallMs = 0;
  readonly #mishaps = { dropped: 0, differed: 0 };

  constructor(map: CrawlMap, { clock, config, patienceMs, signal }: ExplorerOptions) {
    this.#map = map;
    this.#clock = clock;
    this.#mode = config.mappingMode;
    this.#patienceMs = patienceMs;
    this.#signal = signal;
  }

  get mishaps(): Mishaps {
    return this.#mishaps;
  }

  /** Explores `first`, then what `next` returns, on the same call. Never rejects because of the called side. */
  async run(call: ActiveCall, first: CrawlNode, next: NextTask, hiddenKey: HiddenKey): Promise<void> {
    await this.#onCall(call, (visit) =>
      this.#work(visit, { menu: this.#map.root, state: 'coming' }, { first, next, hiddenKey }),
    );
  }

  /** Tries hidden keys at a known menu and on the path to it, and then explores what has been found in the meantime. */
  async probe(call: ActiveCall, menu: CrawlNode, next: NextTask, hiddenKey: HiddenKey): Promise<void> {
    await this.#onCall(call, async (visit) => {
      let place: MenuPlace | undefined = { menu: this.#map.root, state: 'coming' };
      for (const step of this.#map.route(place.menu, menu) ?? []) {
        place = place && (await this.#tryHidden(visit, place, hiddenKey));
        place = place && (await visit.navigator.walk(place, step.menu));
      }
      place = place && (await this.#tryHidden(visit, place, hiddenKey));
      const first = place && (await next(place.menu, standingMs[place.state]));
      if (place && first) await this.#work(visit, place, { first, next, hiddenKey });
    });
  }

  async #work(
    visit: Visit,
    from: MenuPlace,
    { first, next, hiddenKey }: { readonly first: CrawlNode; readonly next: NextTask; readonly hiddenKey: HiddenKey },
  ): Promise<void> {
    let task: CrawlNode | undefined = first;
    let place: MenuPlace | undefined = from;
    try {
      while (task && place) {
        if (task !== this.#map.root)
          place = await visit.navigator.walk(place, this.#map.parentOf(task) ?? this.#map.root);
        if (!place) {
          this.#lose(visit, task);
          break;
        }
        place = await this.#explore(visit, place, task);
        task = place && (await next(place.menu, 0));
        if (place && !task) place = await this.#tryHidden(visit, place, hiddenKey);
        if (place && !task) task = await next(place.menu, standingMs[place.state]);
      }
    } finally {
      if (task?.status === 'exploring') this.#again(visit, task, callEnded);
    }
  }

  async #onCall(active: ActiveCall, work: (visit: Visit) => Promise<void>): Promise<void> {
    const log = new CallLog(active, this.#clock, () => undefined, this.#signal);
    const inbox = new Inbox(active, this.#clock);
    const door = new Door({ call: active, log, next: (timeoutMs) => log.next(timeoutMs), ...this.#map.rules });
    const call = {
      call: active,
      log,
      inbox,
      door,
      heard: { untilMs: 0 },
      map: this.#map,
      clock: this.#clock,
      patienceMs: this.#patienceMs,
    };
    const visit = { ...call, navigator: new Navigator(call), late: [] };
    try {
      await work(visit);
    } finally {
      inbox.close();
      await active.hangUp();
      await this.#readLate(visit);
      log.close();
    }
  }

  /** What was recorded is still recognised when its call has ended. Waits for it, so that no other call adds to it. */
  async #readLate({ log, late }: Visit): Promise<void> {
    const untilMs = this.#clock.now() + patience.text.recorded;
    while (late.some(isUnread) && !log.ended && !this.#signal.aborted && this.#clock.now() < untilMs)
      await log.next(untilMs - this.#clock.now());
    for (const found of late) if (!isUnread(found)) readLate(found);
  }

  async #explore(visit: Visit, place: MenuPlace, task: CrawlNode): Promise<MenuPlace | undefined> {
    const { call, navigator } = visit;
    const isRoot = task === this.#map.root;
    const press = isRoot ? answer : await (task.byWaiting ? navigator.wait(place, task) : navigator.press(place, task));
    if (!press && task.status === 'skipped') return { menu: place.menu, state: 'ended' };
    if (!press) {
      this.#lose(visit, task);
      return undefined;
    }
    const { atMs: stepMs } = press;
    const forget = this.#map.hears(task, () => call.fingerprint(stepMs, call.now()));
    const heard = await hearPrompt(visit, {
      ...this.#listening(visit, task, stepMs),
      armed: press.isArmed,
      patienceMs: this.#patienceAt(task),
      mayTimeOut: isRoot && task.isWhole !== true && !this.#map.guarded && this.#mode !== 'voice',
      pauseMs: () => this.#map.pauseMs,
      ...(leadsBack(task) ? {} : { doubtedId: task.parentId }),
    });
    forget();
    return this.#settle({ visit, task, heard, press });
  }

  #listening({ call }: Visit, task: CrawlNode, fromMs: number): HearOptions {
    return {
      fromMs,
      patienceMs: this.#patienceMs,
      // On a live number, words count: a known prompt can end differently.
      known: () => (this.#map.guarded ? [] : this.#map.known(task)),
      ...(this.#map.guarded && {
        wholeMs: (text, reading) => (this.#map.menuLike({ text, reading }) ? patience.prompt.menu : undefined),
      }),
      onReading: (reading, words) => this.#growEarly(task, reading, words, call.now(), fromMs),
    };
  }

  #patienceAt({ fellSilent, byWaiting }: CrawlNode): number | undefined {
    const usualMs = this.#patienceMs ?? patience.timeout.longest;
    return fellSilent ? usualMs * longerBy : byWaiting ? usualMs : this.#patienceMs;
  }

  /** Adds options while their prompt is still playing, unless it may be the prompt of a known menu. */
  #growEarly(task: CrawlNode, reading: MenuReading, words: readonly Word[], nowMs: number, stepMs: number): void {
    if (this.#map.mayBeKnown(task, reading) || this.#mayGoOn(task, reading)) return;
    const ms = firstOptionMs({ words, reading, startMs: stepMs });
    if (ms > 0) this.#map.learn(task, { offersFromMs: ms });
    // Phrases are incomplete while they are being said; keys aren't.
    this.#map.growEarly(task, { ...reading, speech: [] }, nowMs - stepMs);
  }

  /** Returns true if these options may be the rest of the menu above, because its prompt doesn't stop for keys. */
  #mayGoOn(task: CrawlNode, { options }: MenuReading): boolean {
    const parent = this.#map.parentOf(task);
    if (!parent || parent.bargeIn === 'works') return false;
    const labels = new Map(this.#map.childrenOf(parent).map(({ digit, label }) => [digit, label]));
    return options.some(({ key, label }) => isSameLabel(labels.get(key) ?? '', label));
  }

  /** Changes the map by what was heard. Returns where the call is now; undefined if it has nothing left to do. */
  async #settle(found: Found): Promise<MenuPlace | undefined> {
    const { visit, task, heard } = found;
    this.#longestCallMs = Math.max(this.#longestCallMs, visit.call.now());
    if (!this.#map.has(task)) return undefined;
    if (heard.kind !== 'known' && heard.kind !== 'cut') this.#map.splitByEcho(task, heard.text);
    const settled = settle(found, this.#longestCallMs, await isForeign(found));
    switch (settled.is) {
      case 'keep':
        return this.#keep(found, settled.change);
      case 'menu':
        return this.#keepMenu(found, settled.waited);
      case 'link':
        return this.#link(found, settled.place, settled.before);
      case 'lost':
        return this.#pressAgain(found, settled.at);
      case 'retry':
        if (settled.hungUp) task.drops = (task.drops ?? 0) + 1;
        if (isOurs(visit.call.ended)) task.cut = true;
        this.#again(visit, task, 'The call dropped while this was playing.');
        return undefined;
      case 'drop':
        this.#map.remove(task);
        return undefined;
    }
  }

  async #keep(found: Found, change: Partial<ReportedStep>): Promise<MenuPlace | undefined> {
    const { visit, task, heard } = found;
    this.#map.removeOpenChildren(task);
    this.#store(found, change);
    this.#rehear();
    if (task === this.#map.root && task.end === 'dead-air' && heard.text !== '' && task.fellSilent !== true) {
      task.fellSilent = true;
      this.#map.update(task, { status: 'pending', end: undefined });
    } else if (task.end === 'human') await visit.door.send({ say: humanLine }, 'person');
    return change.foreign && !visit.call.ended ? { menu: task, state: 'again' } : undefined;
  }

  #store(found: Found, change: Partial<ReportedStep>): void {
    this.#map.keep(found.task, found.heard, ...recorded(found, change));
    if (isUnread(found)) found.visit.late.push(found);
  }

  async #keepMenu(found: Found, waited: CrawlNode | undefined): Promise<MenuPlace | undefined> {
    const { task, heard } = found;
    const { reading, nextMenu, pauseMs = 0 } = heard;
    this.#store(found, { status: 'explored' });
    if (waited) this.#map.takeOver(task, waited);
    this.#map.grow(task, reading, heard.endMs - heard.startMs);
    this.#map.prune(task);
    if (reading.options.length > 1) this.#map.heardPause(pauseMs);
    this.#rehear();
    // What comes before its offer may not take keys.
    if (nextMenu) this.#map.learn(task, { doubtedMs: nextMenu.timeoutMs, bargeIn: 'none' });
    return this.#standing(found);
  }

  /** Returns where the call is after it has heard a menu. If the menu continued by itself, explores where it led. */
  async #standing({ visit, task: menu, heard }: Found): Promise<MenuPlace | undefined> {
    const { knownId, knownStartMs, nextMs, overrun } = heard;
    if (visit.call.ended) return undefined;
    if (overrun !== 'other') return { menu, state: overrun ? 'again' : 'ended' };
    const known = this.#map.menu(knownId);
    const beganMs = known ? knownStartMs : nextMs;
    const next = beganMs === undefined ? undefined : this.#map.addWait(menu);
    if (!next || beganMs === undefined) return undefined;
    const isNew = next.status === 'pending';
    if (known && isNew) this.#map.waitInto(next, known);
    if (known) return playingAt(known, heard);
    if (isNew) this.#map.update(next, { status: 'exploring' });
    return isNew ? this.#explore(visit, { menu, state: 'left', beganMs }, next) : undefined;
  }

  /** The key was lost in the prompt of the menu above, which still plays or has ended. Presses it again there. */
  async #pressAgain(
    { visit, task, press }: Found,
    at: MenuPlace | 'promptEnd' | undefined,
  ): Promise<MenuPlace | undefined> {
    const menu = this.#map.parentOf(task);
    this.#map.removeChildren(task);
    if (!menu || !at || task.attempts >= maxAttempts - 1) {
      if (at !== 'promptEnd' && menu) this.#map.learn(menu, { bargeIn: 'none' });
      this.#again(visit, task, "The IVR doesn't take this key while its prompt plays.");
      return undefined;
    }
    this.#lostKey(task);
    if (at !== 'promptEnd') {
      this.#map.learn(menu, { bargeIn: 'none' });
      return this.#explore(visit, at, task);
    }
    if (await visit.navigator.hearToEnd(press, menu)) return this.#explore(visit, { menu, state: 'ended' }, task);
    this.#again(visit, task, "The IVR doesn't take this key while its prompt plays.");
    return undefined;
  }

  #lostKey(task: CrawlNode): void {
    task.attempts += 1;
    task.lost = (task.lost ?? 0) + 1;
  }

  /** A known menu was heard: links the task to it once that is certain. */
  async #link(found: Found, place: MenuPlace, before: string): Promise<MenuPlace | undefined> {
    const { visit, task, press, heard } = found;
    const target = place.menu;
    if (task === target) return place;
    const checked = await checkLink(found, place, before, task.attempts >= maxAttempts - 1);
    if (checked.is === 'pressAgain') {
      if (press.isInto) this.#map.learn(target, { triedEarly: true, opensMs: undefined });
      this.#lostKey(task);
      if (task.attempts < maxAttempts) return this.#explore(visit, place, task);
    }
    // The options read so far belong to that menu.
    this.#map.removeChildren(task);
    if (checked.is === 'retry') {
      if (checked.isOther) task.notSame = [...(task.notSame ?? []), target.id];
      this.#again(visit, task, checked.why);
      return undefined;
    }
    const after = checked.is === 'linked' ? checked.place : place;
    if (task.byWaiting ? this.#map.isBelow(task, target) : target.id === task.parentId && !this.#map.offers(task))
      this.#map.remove(task);
    else this.#map.link(task, target, heard, ...recorded(found));
    return heard.kind === 'menu' && hasLeft(found) ? undefined : after;
  }

  #rehear(): void {
    if (this.#mode !== 'voice') rehear(this.#map, this.#keySounds);
  }

  /** The call didn't reach the step. */
  #lose(visit: Visit, task: CrawlNode): void {
    const { ended } = visit.call;
    if (!ended) this.#mishaps.differed += 1;
    this.#again(visit, task, ended ? callEnded : differs);
  }

  #again({ call }: Visit, task: CrawlNode, reason: string): void {
    if (isOurs(call.ended)) {
      this.#map.update(task, { status: 'pending' });
      return;
    }
    if (call.ended) this.#mishaps.dropped += 1;
    task.attempts += 1;
    // A partial prompt promised this option, but the whole prompt doesn't offer it.
    if (this.#map.parentOf(task)?.end !== undefined) this.#map.remove(task);
    else if (task.attempts >= maxAttempts) this.#map.fail(task, reason);
    else this.#map.update(task, { status: 'pending' });
  }

  async #tryHidden(visit: Visit, place: MenuPlace, hiddenKey: HiddenKey): Promise<MenuPlace | undefined> {
    let at: MenuPlace | undefined = place;
    for (let count = 0; at && this.#mode !== 'voice'; count += 1) {
      const { menu }: MenuPlace = at;
      const key = hiddenKey(menu, count);
      if (key === undefined) return at;
      const tried = await tryKey(visit, at, key, (node, stepMs) => this.#listeningForWrongKey(visit, node, stepMs));
      at = tried.is === 'wrong' ? tried.place : await this.#settle(tried.found);
      if (tried.is === 'found') dropDefault(tried.found, menu);
    }
    return at;
  }

  #listeningForWrongKey(visit: Visit, node: CrawlNode, stepMs: number): HearOptions {
    const usual = this.#listening(visit, node, stepMs);
    let isReported = false;
    return {
      ...usual,
      knownSureMs: 1200,
      knownOnly: true,
      onReading: (reading, words) => {
        if (reading.options.length < 2 || this.#map.mayBeKnown(node, reading)) return;
        if (!isReported) this.#map.update(node, {});
        isReported = true;
        usual.onReading?.(reading, words);
      },
    };
  }
}

/** A first menu that fell silent is heard once more, with this much more patience. */
const longerBy = 2;
const unread =
  'This machine was so busy that not all words of this step became text in time. Listen to its recording, or map again.';
const callEnded = 'The call ended before Dialtree heard this step.';
const differs = "A menu on the path to this step didn't play as it did before.";

/**
 * Returns what the map stores: the prompt's fingerprint, the step's audio, and the measurements. A step is unsure if its
 * key was late, or if its words are.
 */
function recorded(
  found: Found,
  change: Partial<ReportedStep> = {},
): [prompt: Fingerprint, step: Int16Array, change: Partial<ReportedStep>] {
  const { task, heard, press, visit } = found;
  const { call, map } = visit;
  return [
    call.fingerprint(...spanOf(heard)),
    call.audio(press.atMs, call.now()),
    {
      ...latencyOf(press, task === map.root, heard),
      ...boundsOf(heard, press.atMs),
      unsure: isKeyLate(found) || isUnread(found),
      reason: isUnread(found) ? unread : undefined,
      ...change,
    },
  ];
}

/** Returns the response time in ms; nothing if nothing was heard, or the earlier prompt may have continued. */
function latencyOf(
  { atMs, sentAtMs }: Press,
  isRoot: boolean,
  { startMs, endMs }: HeardPrompt,
): Pick<ReportedStep, 'latencyMs'> {
  if (endMs <= startMs) return {};
  if (isRoot) return { latencyMs: Math.round(startMs) };
  return sentAtMs === undefined || startMs <= atMs ? {} : { latencyMs: Math.max(0, Math.round(startMs - sentAtMs)) };
}

/** Returns the span of the step's own prompt in its audio, without a menu that it leads back to. */
const boundsOf = (
  { startMs, endMs, knownStartMs = endMs }: HeardPrompt,
  stepMs: number,
): Pick<ReportedStep, 'promptStartMs' | 'promptEndMs'> => ({
  promptStartMs: Math.max(0, Math.round(startMs - stepMs)),
  promptEndMs: Math.max(0, Math.round(Math.max(startMs, knownStartMs) - stepMs)),
});
