import type { MappingConfig } from '../../contract/mapping.ts';
import { classifyAnnouncement, rejectsKey } from '../../language/menu/announcement.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { MenuReading } from '../../contract/menu.ts';
import type { Fingerprint, Word } from '../../speech/ear.ts';
import type { CrawlMap } from './crawlMap.ts';
import { isMenu, leadsAbove, leadsBack, namesOtherLanguage, repeatsMenu, type CrawlNode } from './crawlNode.ts';
import type { HeardPrompt } from './hear.ts';
import { isOurs } from '../hearing/callEnding.ts';
import { CallLog } from '../hearing/callLog.ts';
import { Inbox } from '../hearing/inbox.ts';
import { patience } from '../hearing/patience.ts';
import { isSameLabel } from '../hearing/promptText.ts';
import { KeySounds } from '../../speech/keys/keySounds.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { rehear } from './rehear.ts';
import { firstOptionMs, mayBeSameMenu, readsLikeTailOf } from './sameMenu.ts';
import type { Mishaps } from './runDoubts.ts';
import { hearPrompt, type MappingCall, type Place } from './menuWait.ts';
import { answer, beganMs, Navigator, playingAt, type Press } from './navigator.ts';
import type { ActiveCall } from '../call/activeCall.ts';

/** Chooses what a call at a menu tries next, and marks it as being explored. Undefined ends the call. */
export type NextTask = (at: CrawlNode, patienceMs: number) => Promise<CrawlNode | undefined>;
/** Returns an unoffered key that is worth trying at this menu on this call. */
type HiddenKey = (at: CrawlNode, triedHere: number) => string | undefined;

const maxAttempts = 4;
/** A call with nothing to do waits this long for other calls' results, before the menu times out. */
const standingMs: Readonly<Record<Place['state'], number>> = {
  ended: 1800,
  playing: 4000,
  coming: 4000,
  again: 4000,
  left: 0,
};
const humanLine = 'Sorry, wrong number.';

/** Controls one call at a time: goes to a node, hears the prompt, and continues while there is something to try. */
export class Explorer {
  readonly #map: CrawlMap;
  readonly #clock: Clock;
  readonly #mode: MappingConfig['mappingMode'];
  readonly #patienceMs: number | undefined;
  readonly #keySounds = new KeySounds();
  #longestCallMs = 0;
  readonly #mishaps = { dropped: 0, differed: 0 };

  /** `patienceMs`: see `HearOptions.patienceMs`. */
  constructor(map: CrawlMap, clock: Clock, mode: MappingConfig['mappingMode'], patienceMs: number | undefined) {
    this.#map = map;
    this.#clock = clock;
    this.#mode = mode;
    this.#patienceMs = patienceMs;
  }

  get mishaps(): Mishaps {
    return this.#mishaps;
  }

  /** Explores `first`, then what `next` returns, on the same call. Never rejects because of the called side. */
  async run(call: ActiveCall, first: CrawlNode, next: NextTask, hiddenKey: HiddenKey): Promise<void> {
    await this.#onCall(call, hiddenKey, (visit) =>
      this.#work(visit, { menu: this.#map.root, state: 'coming' }, first, next),
    );
  }

  /** Tries hidden keys at a known menu and on the path to it, and then explores what has been found in the meantime. */
  async probe(call: ActiveCall, menu: CrawlNode, next: NextTask, hiddenKey: HiddenKey): Promise<void> {
    await this.#onCall(call, hiddenKey, async (visit) => {
      let place: Place | undefined = { menu: this.#map.root, state: 'coming' };
      for (const step of this.#map.route(place.menu, menu) ?? []) {
        place = place && (await visit.tryHidden(place));
        place = place && (await visit.navigator.walk(place, step.menu));
      }
      place = place && (await visit.tryHidden(place));
      const task = place && (await next(place.menu, standingMs[place.state]));
      if (place && task) await this.#work(visit, place, task, next);
    });
  }

  async #work(visit: Visit, from: Place, first: CrawlNode, next: NextTask): Promise<void> {
    let task: CrawlNode | undefined = first;
    let place: Place | undefined = from;
    try {
      while (task && place) {
        const standing = place;
        place =
          task === this.#map.root
            ? standing
            : await visit.navigator.walk(standing, this.#map.parentOf(task) ?? this.#map.root);
        if (!place) {
          this.#lose(visit, task);
          break;
        }
        place = await this.#explore(visit, place, task);
        task = place && (await next(place.menu, 0));
        if (place && !task) place = await visit.tryHidden(place);
        if (place && !task) task = await next(place.menu, standingMs[place.state]);
      }
    } finally {
      if (task?.status === 'exploring') this.#again(visit, task, callEnded);
    }
  }

  async #onCall(active: ActiveCall, hiddenKey: HiddenKey, work: (visit: Visit) => Promise<void>): Promise<void> {
    const log = new CallLog(active, this.#clock, () => undefined);
    const inbox = new Inbox(active, this.#clock);
    const call = { call: active, log, inbox, map: this.#map, clock: this.#clock, patienceMs: this.#patienceMs };
    const tryHidden = (place: Place): Promise<Place | undefined> => this.#tryHidden(visit, place, hiddenKey);
    const visit: Visit = { ...call, navigator: new Navigator(call), tryHidden };
    try {
      await work(visit);
    } finally {
      inbox.close();
      log.close();
      await active.hangUp();
    }
  }

  async #explore(visit: Visit, place: Place, task: CrawlNode): Promise<Place | undefined> {
    const { call, navigator } = visit;
    const isRoot = task === this.#map.root;
    const press = isRoot ? answer : await (task.byWaiting ? navigator.wait(place, task) : navigator.press(place, task));
    if (!press) {
      this.#lose(visit, task);
      return undefined;
    }
    const { atMs: stepMs } = press;
    const forget = this.#map.hears(task, () => call.fingerprint(stepMs, call.now()));
    const heard = await hearPrompt(visit, {
      fromMs: stepMs,
      armed: press.isArmed,
      patienceMs: this.#patienceAt(task),
      mayTimeOut: isRoot && task.isWhole !== true && this.#mayGuess,
      known: () => this.#map.known(task),
      pauseMs: () => this.#map.pauseMs,
      onReading: (reading, words) => {
        if (task.guessed !== true) this.#growEarly(task, reading, words, call.now(), stepMs);
      },
      ...(leadsBack(task) ? {} : { doubtedId: task.parentId }),
    });
    forget();
    const found: BranchResult = { visit, task, heard, press };
    return task.guessed === true && heard.kind !== 'cut' ? this.#settleGuess(found) : this.#settle(found);
  }

  #patienceAt({ fellSilent, byWaiting }: CrawlNode): number | undefined {
    const usualMs = this.#patienceMs ?? patience.timeout.longest;
    return fellSilent ? usualMs * longerBy : byWaiting ? usualMs : this.#patienceMs;
  }

  /** Keys that no prompt is known to offer are pressed only on practice IVRs. */
  get #mayGuess(): boolean {
    return !this.#map.guarded && this.#mode !== 'voice';
  }

  /** Returns true if these options may be the rest of the menu above, because its prompt doesn't stop for keys. */
  #mayGoOn(task: CrawlNode, { options }: MenuReading): boolean {
    const parent = this.#map.parentOf(task);
    if (!parent || parent.bargeIn === 'works') return false;
    const labels = new Map(this.#map.childrenOf(parent).map(({ digit, label }) => [digit, label]));
    return options.some(({ key, label }) => isSameLabel(labels.get(key) ?? '', label));
  }

  /** Adds options while their prompt is still playing, unless it may be the prompt of a known menu. */
  #growEarly(task: CrawlNode, reading: MenuReading, words: readonly Word[], nowMs: number, stepMs: number): void {
    if (this.#map.mayBeKnown(task, reading) || this.#mayGoOn(task, reading)) return;
    const offersFromMs = firstOptionMs({ words, reading, startMs: stepMs });
    if (offersFromMs > 0) task.offersFromMs = offersFromMs;
    // Phrases are incomplete while they are being said; keys aren't.
    this.#map.growEarly(task, { ...reading, speech: [] }, nowMs - stepMs);
  }

  #rehear(): void {
    if (this.#mode !== 'voice') rehear(this.#map, this.#keySounds);
  }

  async #settle(found: BranchResult): Promise<Place | undefined> {
    const { visit, task, heard } = found;
    this.#longestCallMs = Math.max(this.#longestCallMs, visit.call.now());
    if (!this.#map.has(task)) return undefined;
    const known = this.#map.node(heard.knownId);
    if (heard.kind === 'known' && this.#playsOn(found)) return this.#pressAgain(found);
    if (heard.kind === 'known' && known)
      return this.#link(found, playingAt(known, heard), heard.words.length > 0 ? heard.text : '');
    if (heard.kind === 'cut' && this.#alwaysDrops(found)) {
      this.#map.keep(task, heard, ...this.#recorded(found, { status: 'explored', end: 'hangup' }));
      return undefined;
    }
    if (heard.kind === 'cut' || heard.kind === 'known') {
      if (isOurs(visit.call.ended)) task.cut = true;
      this.#again(visit, task, 'The call dropped while this was playing.');
      return undefined;
    }
    this.#map.splitByEcho(task, heard.text);
    if (heard.kind === 'menu') return this.#settleMenu(found);
    this.#map.removeOpenChildren(task);
    const isRefusal = isRejection(heard);
    if (task.byWaiting ? isRefusal || heard.end === 'hangup' : isRefusal && !this.#map.offers(task)) {
      this.#map.remove(task);
      return undefined;
    }
    if (await this.#isForeign(found)) {
      this.#map.keep(task, heard, ...this.#recorded(found, { status: 'explored', foreign: true }));
      return visit.call.ended ? undefined : { menu: task, state: 'again' };
    }
    if (heard.kind === 'endless') {
      this.#map.keep(task, heard, ...this.#recorded(found, { status: 'failed', reason: endless }));
      return undefined;
    }
    const { end = 'dead-air', transferTo } = heard;
    this.#map.keep(
      task,
      heard,
      ...this.#recorded(found, { status: 'explored', end, ...withoutUndefined({ transferTo }) }),
    );
    this.#rehear();
    if (task === this.#map.root && task.end === 'dead-air' && heard.text !== '' && task.fellSilent !== true) {
      delete task.end;
      this.#map.update(task, { status: 'pending', fellSilent: true });
      return undefined;
    }
    if (heard.end === 'human') await visit.call.say(humanLine);
    return undefined;
  }

  /**
   * Returns true if the called side has hung up at once after this option, twice. The first time can be bad luck, and a
   * line that drops every call at this age shows nothing about the option.
   */
  #alwaysDrops({ visit: { call }, task, heard, press }: BranchResult): boolean {
    const ageMs = call.now();
    const isAtOnce = call.ended !== undefined && !isOurs(call.ended) && ageMs - press.atMs < atOnceMs;
    if (
      !isAtOnce ||
      ageMs + atOnceMs > this.#longestCallMs ||
      task === this.#map.root ||
      heard.reading.options.length > 0
    )
      return false;
    task.drops = (task.drops ?? 0) + 1;
    return task.drops > 1;
  }

  /**
   * Returns true for a prompt in a language that isn't understood, after a key that a menu may offer for it: what isn't
   * understood may be a menu. Its keys are guessed.
   */
  async #isForeign({ visit: { call, log }, task, heard }: BranchResult): Promise<boolean> {
    const { end, reading, startMs, endMs } = heard;
    const mayBeMenu = end === 'input' || end === 'dead-air' || end === 'hangup';
    if (!mayBeMenu || reading.input || !(task.hidden || namesOtherLanguage(task.label))) return false;
    const spans = log.speech.filter((span) => span.endMs > startMs && span.startMs < endMs);
    const heardIn = await call.languages(spans).catch(() => []);
    const secondsOf = (is: (language?: string) => boolean): number =>
      heardIn.reduce((sum, { language, speechSeconds }) => sum + (is(language) ? speechSeconds : 0), 0);
    return (
      secondsOf((language) => language !== 'en') >
      Math.max(
        shortestForeign,
        secondsOf((language) => language === 'en'),
      )
    );
  }

  async #settleMenu(found: BranchResult): Promise<Place | undefined> {
    const { visit, task, heard, press } = found;
    const parent = this.#map.parentOf(task);
    if (parent && press.isInto && this.#goesOn(found, parent)) {
      this.#map.update(parent, { bargeIn: 'none' });
      this.#map.removeChildren(task);
      if (task.attempts < maxAttempts - 1 && !hasLeft(visit, heard)) {
        task.attempts += 1;
        task.lost = (task.lost ?? 0) + 1;
        return this.#explore(visit, { menu: parent, state: heard.overrun ? 'again' : 'ended' }, task);
      }
      this.#again(visit, task, "The IVR doesn't take this key while its prompt plays.");
      return undefined;
    }
    const twin = this.#twinOf(found);
    if (twin && heard.asked) return this.#settle({ ...found, heard: heard.asked });
    if (twin?.byWaiting && twin.parentId === task.parentId && !task.byWaiting) {
      this.#map.keep(task, heard, ...this.#recorded(found, { status: 'explored' }));
      this.#map.takeOver(task, twin);
      this.#map.grow(task, heard.reading, heard.endMs - heard.startMs);
      this.#map.prune(task);
      return this.#standing(found, task);
    }
    if (twin) {
      const place = await this.#link(
        found,
        { menu: twin, state: heard.overrun ? 'again' : 'ended' },
        wordsBefore(found, twin),
      );
      return hasLeft(visit, heard) ? undefined : place;
    }
    this.#map.keep(task, heard, ...this.#recorded(found, { status: 'explored' }));
    this.#map.grow(task, heard.reading, heard.endMs - heard.startMs);
    this.#map.prune(task);
    if (heard.reading.options.length > 1) this.#map.heardPause(heard.pauseMs ?? 0);
    this.#rehear();
    if (heard.nextMenu) {
      // What comes before its offer may not take keys.
      this.#map.update(task, { nextMenu: heard.nextMenu, bargeIn: 'none' });
      this.#guess(task, '1');
    }
    return this.#standing(found, task);
  }

  /** Returns where the call is after it has heard a menu. If the menu continued by itself, explores where it led. */
  async #standing({ visit, heard }: BranchResult, menu: CrawlNode): Promise<Place | undefined> {
    const { knownId, knownStartMs, nextMs, overrun } = heard;
    if (visit.call.ended) return undefined;
    if (overrun !== 'other') return { menu, state: overrun ? 'again' : 'ended' };
    const known = this.#map.node(knownId);
    const beganMs = known ? knownStartMs : nextMs;
    if (beganMs === undefined || menu.depth >= this.#map.maxDepth) return undefined;
    const next = this.#map.addWait(menu);
    if (known && next.status === 'pending') this.#waitedInto(next, known);
    if (known) return playingAt(known, heard);
    if (next.status !== 'pending') return undefined;
    this.#map.update(next, { status: 'exploring' });
    return this.#explore(visit, { menu, state: 'left', beganMs }, next);
  }

  /** Waiting leads to a known menu. A menu that gives up and returns to one above it doesn't lead anywhere. */
  #waitedInto(task: CrawlNode, target: CrawlNode): void {
    if (this.#map.isBelow(task, target)) this.#map.remove(task);
    else this.#map.update(task, { status: 'linked', linksTo: target.id });
  }

  /** Tries a key at a menu that may have timed out. */
  #guess(menu: CrawlNode, key: string): void {
    const offered = this.#map.childrenOf(menu).some(({ digit }) => digit === key);
    const node = offered ? undefined : this.#map.addHidden(menu, key);
    if (node && this.#map.mayPress(node)) this.#map.update(node, { status: 'pending', guessed: true });
    else {
      if (node) this.#map.remove(node);
      this.#guessNext(menu, key, offered);
    }
  }

  /**
   * Tries the key after this one, if this one led somewhere. If all have been tried and none led to the menu after the
   * time-out, the silence was only a pause: the prompt is heard again, with that menu.
   */
  #guessNext(menu: CrawlNode, key: string, ledOn: boolean): void {
    if (key === '1' || (ledOn && key < '9')) this.#guess(menu, String(Number(key) + 1));
    else if (menu.listens !== true) this.#joinNextMenu(menu);
  }

  #joinNextMenu(menu: CrawlNode): void {
    this.#map.removeChildren(menu);
    delete menu.bargeIn;
    delete menu.fingerprint;
    this.#map.update(menu, { status: 'pending', isWhole: true });
  }

  /** Decides by what followed a guessed key, and when, whether the menu above listened to it. */
  async #settleGuess(found: BranchResult): Promise<Place | undefined> {
    const { visit, task, heard, press } = found;
    const menu = this.#map.parentOf(task);
    const { timeoutMs, options } = menu?.nextMenu ?? {};
    if (!menu || timeoutMs === undefined || !options) return undefined;
    const quietFromMs = visit.log.speech.findLast(({ endMs }) => endMs <= press.atMs)?.endMs ?? 0;
    const dueMs = quietFromMs + timeoutMs;
    const isAnswered = (heard.knownStartMs ?? heard.startMs) < dueMs - patience.timeout.slack;
    const isNext =
      heard.kind === 'menu' &&
      heard.reading.options.some(({ key, label }) =>
        options.some((option) => option.key === key && isSameLabel(option.label, label)),
      );
    if (!isAnswered && menu.listens !== true) {
      this.#joinNextMenu(menu);
      return undefined;
    }
    const isRejected = heard.kind === 'known' || isRejection(heard);
    if (!isAnswered || isRejected || (isNext && menu.listens === true)) {
      this.#map.remove(task);
      this.#guessNext(menu, task.digit ?? '', false);
      return undefined;
    }
    if (isNext) menu.listens = true;
    task.guessed = false;
    const place = await this.#settle(found);
    this.#guessNext(menu, task.digit ?? '', true);
    return place;
  }

  /** Returns the known menu that was heard, recognised by its words, its sound, or the sound of its options. */
  #twinOf({ visit: { call }, task, heard }: BranchResult): CrawlNode | undefined {
    const known = this.#map.others(task);
    const twin = this.#map.twinOf(task, heard) ?? this.#map.node(call.promptIn(...spanOf(heard), known));
    if (twin) return twin;
    const offeredMs = heard.endMs - heard.startMs - firstOptionMs(heard);
    for (const { id, fingerprint, offsetMs } of known) {
      const menu = this.#map.node(id);
      if (!menu?.reading || menu === task || offsetMs !== undefined) continue;
      const { words = [], reading, promptMs = 0 } = menu;
      const menuOfferedMs = promptMs - firstOptionMs({ words, reading, startMs: 0 });
      const neededMs = Math.max(shortestMenuMs, offeredMs, menuOfferedMs) - edgeOfOptionsMs;
      if (call.sharedTailMs(...spanOf(heard), fingerprint) >= neededMs) return menu;
    }
    return this.#likeness(task, heard.reading);
  }

  /** Returns a menu that may be this one, heard with other words, if a look-ahead key can decide that. */
  #likeness(task: CrawlNode, reading: MenuReading): CrawlNode | undefined {
    return [...this.#map.nodes].find(
      (menu) =>
        isMenu(menu) &&
        menu.reading !== undefined &&
        menu.parentId !== task.parentId &&
        !this.#map.isBelow(menu, task) &&
        task.notSame?.includes(menu.id) !== true &&
        mayBeSameMenu(reading, menu.reading) &&
        this.#witness(menu) !== undefined,
    );
  }

  /**
   * Returns what the map stores: the prompt's fingerprint, the step's audio, and the measurements. A step is unsure if
   * the prompt before its key was understood so late that the key may have counted somewhere else.
   */
  #recorded(
    { visit: { call, log }, task, heard, press }: BranchResult,
    change: Partial<CrawlNode> = {},
  ): [prompt: Fingerprint, step: Int16Array, change: Partial<CrawlNode>] {
    return [
      call.fingerprint(...spanOf(heard)),
      call.audio(press.atMs, call.now()),
      {
        ...this.#latencyOf(press, task, heard),
        ...boundsOf(heard, press.atMs),
        unsure: log.lateMs(press.arrivedAtMs, press.atMs) > patience.ofSystems,
        ...change,
      },
    ];
  }

  /**
   * Returns true if the known prompt that was heard is what the prompt of the menu above plays at this time anyway: an
   * announcement swallowed the key, and the options after it are those of another known menu too.
   */
  #playsOn({ visit: { call }, task, heard: { knownStartMs, knownId }, press }: BranchResult): boolean {
    const parent = this.#map.parentOf(task);
    if (!parent?.fingerprint || !press.isInto || knownStartMs === undefined || knownId === parent.id) return false;
    const offsetMs = knownStartMs - beganMs(press, parent);
    return call.soundsLikePartOf(knownStartMs, call.now(), parent.fingerprint, offsetMs);
  }

  /** The key was lost in the prompt of the menu above, which still plays. Presses it at the end of that prompt. */
  async #pressAgain({ visit, task, press }: BranchResult): Promise<Place | undefined> {
    const menu = this.#map.parentOf(task);
    this.#map.removeChildren(task);
    task.attempts += 1;
    task.lost = (task.lost ?? 0) + 1;
    if (menu && task.attempts < maxAttempts && (await visit.navigator.hearToEnd(press, menu)))
      return this.#explore(visit, { menu, state: 'ended' }, task);
    this.#again(visit, task, "The IVR doesn't take this key while its prompt plays.");
    return undefined;
  }

  /**
   * Returns true if the key was lost and the prompt of the menu above continued: it ended when it would have ended
   * anyway, with the same sound. If the prompt's sound isn't known, its words decide.
   */
  #goesOn({ visit: { call }, heard, press }: BranchResult, parent: CrawlNode): boolean {
    const { fingerprint, promptMs } = parent;
    if (!fingerprint || promptMs === undefined)
      return readsLikeTailOf(heard.text, heard.reading, parent.transcript ?? '', this.#map.childrenOf(parent));
    const endsInTime = Math.abs(beganMs(press, parent) + promptMs - heard.endMs) < unbrokenMs;
    // When a repetition began isn't known.
    return (endsInTime || press.isIntoRepeat) && call.soundsLikeTailOf(...spanOf(heard), fingerprint);
  }

  /**
   * Checks whether `task` is the menu of `place`, which it sounds like. This is certain if its label says so.
   * Otherwise, one look-ahead key must lead to the same prompt in both.
   *
   * @param before what was said before the menu began
   */
  async #link(found: BranchResult, place: Place, before: string): Promise<Place | undefined> {
    const { visit, task, press } = found;
    const target = place.menu;
    if (task === target) return place;
    if (task.byWaiting) {
      if (!this.#map.isBelow(task, target)) return this.#linked(found, target, place);
      this.#map.remove(task);
      return place;
    }
    const isParent = target === this.#map.parentOf(task);
    // The menu repeats although the key was pressed again, slowly, when the menu certainly accepted it.
    const isRepeat = (task.lost ?? 0) > 0 && press.isTimely;
    const said = classifyAnnouncement(before);
    const isNews = said === 'other' && before.split(' ').length > 3;
    // The key was understood, and another wrong key could use up the tries that the menu allows.
    if (isParent && said === 'invalid') return this.#linked(found, target, place);
    if (isParent && !leadsBack(task) && !isNews && !isRepeat) {
      // The key may have been lost: press it again slowly, at the end of the prompt.
      if (press.isInto) {
        target.triedEarly = true;
        delete target.opensMs;
      }
      task.attempts += 1;
      task.lost = (task.lost ?? 0) + 1;
      if (task.attempts < maxAttempts) return this.#explore(visit, place, task);
    }
    return isParent || (leadsBack(task) && !repeatsMenu(task))
      ? this.#linked(found, target, place)
      : this.#lookAhead(found, place);
  }

  async #lookAhead(found: BranchResult, place: Place): Promise<Place | undefined> {
    const { visit, task } = found;
    const target = place.menu;
    // The options read so far belong to that menu.
    this.#map.removeChildren(task);
    const back = this.#backKey(task, target);
    if (back) return this.#lookBack(found, place, back);
    const witness = await this.#awaitWitness(place);
    if (!witness) {
      if (task.attempts >= maxAttempts - 1 || this.#map.childrenOf(target).length === 0)
        return this.#linked(found, target, place);
      this.#again(visit, task, 'Sounds like a menu that is still being explored.');
      return undefined;
    }
    const verdict = await visit.navigator.lookAhead(place, witness);
    if (verdict === 'same')
      return this.#linked(found, target, isMenu(witness) ? { menu: witness, state: 'playing' } : undefined);
    if (verdict === 'other') task.notSame = [...(task.notSame ?? []), target.id];
    this.#again(visit, task, 'Sounds like another menu, but leads elsewhere.');
    return undefined;
  }

  /**
   * Two menus with the same words can differ in the menu above them. If their key for "the previous menu" leads to where
   * `target` was found, they are the same.
   */
  async #lookBack(found: BranchResult, place: Place, back: CrawlNode): Promise<Place | undefined> {
    const { visit, task } = found;
    const target = place.menu;
    const above = this.#map.node(back.linksTo) ?? this.#map.parentOf(target);
    const there = await visit.navigator.lookBack(place, back);
    if (there && there.menu === above) return this.#linked(found, target, there);
    if (there) task.notSame = [...(task.notSame ?? []), target.id];
    this.#again(visit, task, 'Sounds like another menu, but leads back to a different one.');
    return undefined;
  }

  /** Returns the key of `target` for the menu above it, if the menu above `task` is another. Asked once. */
  #backKey(task: CrawlNode, target: CrawlNode): CrawlNode | undefined {
    const above = this.#map.parentOf(target);
    if (task.attempts > 0 || !above || above === this.#map.parentOf(task)) return undefined;
    return this.#map
      .childrenOf(target)
      .find((key) => key.digit !== undefined && leadsAbove(key) && this.#map.mayPress(key));
  }

  /** Links the task to the menu `target`; the call is now at `after`. */
  #linked(found: BranchResult, target: CrawlNode, after: Place | undefined): Place | undefined {
    if (target === this.#map.parentOf(found.task) && !this.#map.offers(found.task)) {
      this.#map.remove(found.task);
      return after;
    }
    this.#map.link(found.task, target, found.heard, ...this.#recorded(found));
    return after;
  }

  /** Returns the response time in ms; undefined if nothing was heard, or the earlier prompt may have continued. */
  #latencyOf(
    { atMs, sentAtMs }: Press,
    task: CrawlNode,
    { startMs, endMs }: HeardPrompt,
  ): { readonly latencyMs?: number } {
    if (endMs <= startMs) return {};
    if (task === this.#map.root) return { latencyMs: Math.round(startMs) };
    return sentAtMs === undefined || startMs <= atMs ? {} : { latencyMs: Math.max(0, Math.round(startMs - sentAtMs)) };
  }

  /** Returns a child whose prompt distinguishes the menu from others: explored, and not a key that leads back. */
  #witness(menu: CrawlNode): CrawlNode | undefined {
    const children = this.#map
      .childrenOf(menu)
      .filter(
        (child) =>
          child.status === 'explored' &&
          child.digit !== undefined &&
          child.fingerprint !== undefined &&
          child.fingerprint.length > 40 &&
          this.#map.mayPress(child),
      );
    // After a menu, the call can continue.
    return children.find(isMenu) ?? children[0];
  }

  /** Another call may be about to hear one. */
  async #awaitWitness(place: Place): Promise<CrawlNode | undefined> {
    const { menu } = place;
    const until = this.#clock.now() + standingMs[place.state];
    for (;;) {
      const witness = this.#witness(menu);
      if (
        witness ||
        this.#clock.now() >= until ||
        !this.#map.childrenOf(menu).some((child) => child.status === 'exploring')
      )
        return witness;
      await sleep(this.#clock, 100);
    }
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
    else if (task.guessed === true && task.attempts >= maxAttempts) {
      const menu = this.#map.parentOf(task);
      this.#map.remove(task);
      if (menu) this.#guessNext(menu, task.digit ?? '', false);
    } else if (task.attempts >= maxAttempts) this.#map.fail(task, reason);
    else this.#map.update(task, { status: 'pending' });
  }

  async #tryHidden(visit: Visit, place: Place, hiddenKey: HiddenKey): Promise<Place | undefined> {
    let at: Place | undefined = place;
    for (let tried = 0; at && this.#mode !== 'voice'; tried += 1) {
      const key = hiddenKey(at.menu, tried);
      if (key === undefined) return at;
      at = await this.#tryKey(visit, at, key);
    }
    return at;
  }

  /** Presses an unoffered key. If the IVR rejects it, the call is still at the same menu. */
  async #tryKey(visit: Visit, place: Place, key: string): Promise<Place | undefined> {
    const { call, navigator } = visit;
    const { menu } = place;
    const node = this.#map.addHidden(menu, key);
    const press = await navigator.press(place, node);
    if (!press) {
      this.#map.remove(node);
      return undefined;
    }
    let isReported = false;
    const { atMs: stepMs } = press;
    const heard = await hearPrompt(visit, {
      fromMs: stepMs,
      patienceMs: this.#patienceMs,
      known: () => this.#map.known(node),
      knownSureMs: 1200,
      knownOnly: true,
      onReading: (reading, words) => {
        if (reading.options.length < 2 || this.#map.mayBeKnown(node, reading)) return;
        if (!isReported) this.#map.update(node, {});
        isReported = true;
        this.#growEarly(node, reading, words, call.now(), stepMs);
      },
    });
    const back: Place | undefined =
      heard.knownId === menu.id
        ? playingAt(menu, heard)
        : heard.kind === 'menu' && this.#map.twinOf(node, heard) === menu
          ? { menu, state: 'ended' }
          : undefined;
    if (back) {
      menu.rejects = true;
      this.#map.remove(node);
      return back;
    }
    if (heard.kind === 'cut' || heard.text === '' || isRejection(heard)) {
      if (heard.text !== '') menu.rejects = true;
      this.#map.remove(node);
      return undefined;
    }
    this.#map.update(node, { status: 'exploring' });
    const after = await this.#settle({ visit, task: node, heard, press });
    this.#dropDefault(call, menu, node, heard);
    return after;
  }

  /** If two unoffered keys lead to the same place, both are wrong keys, and this is where wrong keys lead. */
  #dropDefault(call: ActiveCall, menu: CrawlNode, node: CrawlNode, heard: HeardPrompt): void {
    if (!this.#map.has(node)) return;
    const isSameEnd = ({ id, end, fingerprint, transcript }: CrawlNode): boolean =>
      end !== undefined &&
      end === node.end &&
      fingerprint !== undefined &&
      (transcript === node.transcript || call.promptIn(...spanOf(heard), [{ id, fingerprint }]) !== undefined);
    const same = this.#map
      .childrenOf(menu)
      .filter(
        (other) =>
          other !== node &&
          other.hidden === true &&
          (isSameEnd(other) || (other.linksTo !== undefined && other.linksTo === node.linksTo)),
      );
    if (same.length === 0) return;
    for (const wrong of [node, ...same]) this.#map.remove(wrong);
  }
}

/** A first menu that fell silent is heard once more, with this much more patience. */
const longerBy = 2;
/** A prompt that continues ends within this time of when it would have ended without the key. */
const unbrokenMs = 600;
/** A call that ends within this time of a key was hung up because of it. */
const atOnceMs = 5000;
const shortestMenuMs = 2500;
/** Up to three words. */
const longestFarewellMs = 1500;
/** Seconds of speech from which its language is certain. */
const shortestForeign = 2;
/** Word times are accurate to this much. */
const edgeOfOptionsMs = 800;

/** A few words before a hang-up are a goodbye, however they were heard. */
const isRejection = ({ text, end, startMs, endMs }: HeardPrompt): boolean =>
  rejectsKey(text) || (end === 'hangup' && endMs - startMs < longestFarewellMs);

/** Returns the words before a known menu, found by their common sound. */
function wordsBefore({ visit: { call }, heard }: BranchResult, { fingerprint }: CrawlNode): string {
  if (!fingerprint) return '';
  const sharedMs = call.sharedTailMs(...spanOf(heard), fingerprint);
  const before = heard.words.filter(({ endMs }) => sharedMs > 0 && endMs <= heard.endMs - sharedMs + 100);
  return before.map(({ text }) => text).join(' ');
}

const endless = 'The called side was still talking when Dialtree stopped listening.';
const callEnded = 'The call ended before Dialtree heard this step.';
const differs = "A menu on the path to this step didn't play as it did before.";

/** Returns true if the call isn't at the menu that was heard any more. */
const hasLeft = ({ call }: Visit, { overrun }: HeardPrompt): boolean => call.ended !== undefined || overrun === 'other';

/** Returns the prompt's span in the call's audio, slightly extended at both ends. */
const spanOf = ({ startMs, endMs }: HeardPrompt): [fromMs: number, toMs: number] => [startMs - 40, endMs + 60];

/** Returns the span of the step's own prompt in its audio, without a menu that it leads back to. */
const boundsOf = (
  { startMs, endMs, knownStartMs = endMs }: HeardPrompt,
  stepMs: number,
): Pick<CrawlNode, 'promptStartMs' | 'promptEndMs'> => ({
  promptStartMs: Math.max(0, Math.round(startMs - stepMs)),
  promptEndMs: Math.max(0, Math.round(Math.max(startMs, knownStartMs) - stepMs)),
});

/** One call, with what controls it and listens to it. */
interface Visit extends MappingCall {
  readonly navigator: Navigator;
  tryHidden(place: Place): Promise<Place | undefined>;
}

/** The result of a call for a task, from its key or phrase. */
interface BranchResult {
  readonly visit: Visit;
  readonly task: CrawlNode;
  readonly heard: HeardPrompt;
  readonly press: Press;
}
