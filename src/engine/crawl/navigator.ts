import type { EarEvent } from '../../speech/ear.ts';
import { sleep, type Clock } from '../../base/clock.ts';
import type { CrawlMap, Step } from './crawlMap.ts';
import { opensFromMs, recordingsOf, restsOfPrompt, type CrawlNode } from './crawlNode.ts';
import { hear, type HearOptions, type HeardPrompt } from './hear.ts';
import type { CallLog } from '../hearing/callLog.ts';
import type { Inbox } from '../hearing/inbox.ts';
import { patience } from '../hearing/patience.ts';
import { resemblesMenu } from './sameMenu.ts';
import type { ActiveCall, ActiveCallEvent } from '../call/talk.ts';

type Matching = Extract<EarEvent, { type: 'promptMatched' | 'promptBroken' | 'promptEnded' | 'promptUnknown' }>;
const isMatching = (event: ActiveCallEvent): event is Matching => event.type.startsWith('prompt');
const isEnded = (event: ActiveCallEvent): event is Extract<ActiveCallEvent, { type: 'ended' }> =>
  event.type === 'ended';
type Outcome = Extract<EarEvent, { type: 'promptBroken' | 'promptEnded' }>;

/** A known menu begins within this time, or within the caller's patience if that is longer. */
const usualMenuMs = 15_000;
const longestPromptMs = 90_000;
/** A prompt that a key stops is silent, or replaced by another, within this time. */
const stopsWithinMs = 900;
const bufferedWithinMs = 1200;
/** The rest of a prompt is recognised from this length. */
const shortestRestMs = 700;
/** What the called side sent when the pause after a tone ended has arrived after this time. */
const lineDelayMs = 60;
/** Where a prompt stopped is certain after this time. */
const stopKnownMs = 200;
const packetMs = 20;
/** Without a fingerprint, a key waits until this far into the prompt. */
const unknownPromptMs = 500;
const unknownEndMs = 1200;
const witnessSureMs = 1600;
/** A prompt counts as unknown this long after it began. */
const unknownSinceMs = 1000;
/** A menu that keys don't interrupt accepts one this long after its last sound. */
const afterPromptMs = 500;
/** A key that may have been lost is pressed again at least this slowly. */
const slow = { toneMs: 200, gapMs: 200 };

/**
 * The state of a call at a menu: its prompt hasn't begun, is playing and recognised, has just ended, or has just begun
 * to repeat.
 */
export interface Place {
  readonly menu: CrawlNode;
  readonly state: 'coming' | 'playing' | 'ended' | 'again';
  /** If the prompt is playing: when it began in the call's audio, or would have begun if only its rest was heard. */
  readonly beganMs?: number;
}

/**
 * When a key can be pressed at a menu: `early` while its recognised prompt plays, `blind` while the prompt can't be
 * recognised yet, `now` after it ended, `lost` if another prompt plays or the call is over.
 */
type Ready = 'early' | 'blind' | 'now' | 'lost';

/** Returns the place of a call that hears a known menu. */
export const playingAt = (menu: CrawlNode, { knownStartMs, knownOffsetMs = 0 }: HeardPrompt): Place => ({
  menu,
  state: 'playing',
  ...(knownStartMs !== undefined && { beganMs: knownStartMs - knownOffsetMs }),
});

/** The wait for the moment at which a menu accepts a key. */
interface Wait {
  readonly menu: CrawlNode;
  readonly step: CrawlNode;
  /** The key has to wait for the prompt's end. */
  patient: boolean;
  /** The menu's prompt is playing and recognised. */
  matched: boolean;
  /** The prompt was recognised, and then continued differently. */
  broken?: true;
  /** The menu's prompt can still be distinguished from others. */
  recognisable: boolean;
  /** In clock time. */
  deadline: number;
  /** A key counts from this time, in milliseconds of the prompt. */
  readonly opensMs: number;
}

/** A key is sent before the options of a menu only if that saves more than this. */
const worthSavingMs = 1000;

/**
 * Returns true if the key of this step has to wait for the end of its menu's prompt, because it may have got lost. Once
 * it led on and keys stop this prompt, a bad line can have been the reason, so the prompt is interrupted again.
 */
const mayGetLost = ({ lost = 0, status }: CrawlNode, { bargeIn }: CrawlNode): boolean =>
  lost > (bargeIn === 'works' && (status === 'explored' || status === 'linked') ? 1 : 0);

/** Returns true if a key counts from the first sound of this prompt. */
const opensAtOnce = (menu: CrawlNode): boolean => opensFromMs(menu) < worthSavingMs;

/** Decides what it means if nothing more was heard before the deadline. */
function readyInSilence({ matched, patient, recognisable }: Wait, guarded: boolean): Ready {
  if (matched) return patient ? 'now' : 'early';
  if (recognisable || guarded) return 'lost';
  return patient ? 'now' : 'blind';
}

/**
 * Moves a call through known menus: recognises each, presses the key as early as the menu allows, and notices when the
 * call is somewhere else. On a live number it doesn't press a key at a menu that it doesn't recognise by sound, unless
 * its words still offer that key, because a menu can change.
 */
export class Navigator {
  readonly #talk: ActiveCall;
  readonly #log: CallLog;
  readonly #inbox: Inbox;
  readonly #map: CrawlMap;
  readonly #clock: Clock;
  readonly #patienceMs: number | undefined;
  readonly #menuWithinMs: number;
  /** When the last key was sent, or took effect, in the call's audio. */
  pressedAtMs = 0;
  /**
   * When its tone or phrase ended, or the prompt that it waited for; undefined if it may have been accepted at another
   * time.
   */
  sentAtMs: number | undefined = 0;
  /** The last key was sent during a prompt. If it wasn't accepted, the rest of that prompt follows. */
  pressedInto = false;
  /** Where the prompt during which the last key was sent began; undefined if it wasn't recognised by its sound. */
  promptStartMs: number | undefined;
  /** The last key was sent while the menu repeated itself. */
  pressedIntoRepeat = false;
  /** When the key before the last one was sent. The prompt during which the last key was sent responds to it. */
  arrivedAtMs = 0;
  /**
   * The last key was sent when the menu certainly accepted it: it stopped the prompt, or immediately followed its end.
   */
  wasTimely = false;
  /** The option whose key was sent last. */
  #sent: CrawlNode | undefined;
  /** The listener has expected the known prompts since then. */
  armed = false;

  constructor(
    talk: ActiveCall,
    log: CallLog,
    inbox: Inbox,
    map: CrawlMap,
    clock: Clock,
    patienceMs: number | undefined,
  ) {
    this.#talk = talk;
    this.#log = log;
    this.#inbox = inbox;
    this.#map = map;
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#menuWithinMs = Math.max(usualMenuMs, patienceMs ?? 0);
  }

  /** Returns when the prompt began during which the last key was sent, in the call's audio. */
  beganMs({ promptStartMs = 0 }: CrawlNode): number {
    return this.promptStartMs ?? this.arrivedAtMs + promptStartMs;
  }

  /** Waits for the end of the prompt during which the last key was sent. Returns false if the call ends before. */
  async hearToEnd(menu: CrawlNode): Promise<boolean> {
    const endMs = this.beganMs(menu) + (menu.promptMs ?? 0);
    return (await this.#inbox.find(isEnded, Math.max(0, endMs - this.#talk.now()))) === undefined;
  }

  /** Until when the called side had spoken when the last key was sent. */
  get quietFromMs(): number {
    return this.#log.speech.findLast(({ endMs }) => endMs <= this.pressedAtMs)?.endMs ?? 0;
  }

  /** Listens until it is certain what is playing. */
  async hear(options: HearOptions): Promise<HeardPrompt> {
    const heard = await hear({ log: this.#log, next: (timeoutMs) => this.#log.next(timeoutMs) }, this.#talk, options);
    this.#inbox.clear();
    return heard;
  }

  /** Moves through known menus to the menu `to`. Returns undefined if the path isn't as it was. */
  async walk(from: Place, to: CrawlNode): Promise<Place | undefined> {
    let place: Place | undefined = from;
    while (place && place.menu !== to) {
      const way: readonly Step[] = this.#map.route(place.menu, to) ?? [];
      const [first] = way;
      if (!first) return undefined;
      const leap = this.#leapAlong(place, way);
      if (leap.length > 1) place = await this.#leap(place, leap);
      else place = await this.#step(place, first);
    }
    return place;
  }

  /**
   * Takes one step of a path. The first time that the key is pressed before the menu's options, checks where it leads.
   */
  async #step(from: Place, { key, menu: to }: Step): Promise<Place | undefined> {
    const { menu } = from;
    const tries =
      menu.bargeIn === 'works' &&
      menu.triedEarly !== true &&
      !opensAtOnce(menu) &&
      key.digit !== undefined &&
      to.fingerprint !== undefined &&
      this.#map.openNodes().length > 0;
    // One call tries it, if later calls can gain from the result; others don't wait for it.
    if (tries) menu.triedEarly = true;
    if (!(await this.press(from, key, tries))) return undefined;
    const playedMs = this.promptStartMs === undefined ? Infinity : this.pressedAtMs - this.promptStartMs;
    if (!tries || !this.pressedInto) return { menu: to, state: 'coming' };
    const beganMs = await this.#landed(to, false);
    if (beganMs === undefined) return this.#whereNow();
    menu.opensMs = Math.min(menu.opensMs ?? Infinity, playedMs);
    // If only the rest of the prompt played, its beginning hasn't been tried.
    menu.triedEarly = opensAtOnce(menu);
    return { menu: to, state: 'playing', beganMs };
  }

  /** Returns the longest part of the path whose keys can be sent at once, without hearing the menus in between. */
  #leapAlong(from: Place, way: readonly Step[]): readonly Step[] {
    const takes = (menu: CrawlNode): boolean =>
      menu.bargeIn === 'works' && menu.takesAhead !== false && opensAtOnce(menu);
    const menuLeftAt = (at: number): CrawlNode | undefined => (at === 0 ? from.menu : way[at - 1]?.menu);
    const free = way.findIndex((step, at) => {
      const menu = menuLeftAt(at);
      return step.key.digit === undefined || !menu || !takes(menu);
    });
    const leap = way.slice(0, free === -1 ? way.length : free);
    // The menu at its end must be recognisable.
    return leap.slice(0, leap.findLastIndex(({ menu }) => menu.fingerprint !== undefined) + 1);
  }

  async #leap(from: Place, leap: readonly Step[]): Promise<Place | undefined> {
    const passed = [from.menu, ...leap.slice(0, -1).map(({ menu }) => menu)];
    const landing = leap.at(-1)?.menu;
    if (!landing) return undefined;
    for (const { key } of leap) {
      if (this.#talk.ended) return undefined;
      await this.#send(key, false);
    }
    const beganMs = await this.#landed(
      landing,
      passed.every((menu) => menu.takesAhead === true),
    );
    if (beganMs !== undefined) {
      for (const menu of passed) menu.takesAhead = true;
      return { menu: landing, state: 'playing', beganMs };
    }
    // A key was lost, so from now on these menus are heard first. The words show which one is playing.
    for (const menu of passed) menu.takesAhead = false;
    return this.#whereNow();
  }

  /** A key was lost: finds the known menu that is playing, by its sound or its words. */
  async #whereNow(): Promise<Place | undefined> {
    if (this.#talk.ended) return undefined;
    const heard = await this.hear({
      fromMs: Math.max(this.pressedAtMs, this.#talk.now() - unknownSinceMs),
      patienceMs: this.#patienceMs,
      known: () => this.#map.known(),
    });
    const known = this.#map.node(heard.knownId);
    if (known) return playingAt(known, heard);
    const like = heard.kind === 'menu' && heard.overrun !== 'other' ? this.#map.menuLike(heard) : undefined;
    return like && { menu: like, state: heard.overrun ? 'again' : 'ended' };
  }

  /**
   * Returns when the prompt of `landing` began, or undefined if another follows. The first time, it must hear more,
   * because a lost key can lead to a menu with a similar beginning.
   */
  async #landed(landing: CrawlNode, proven: boolean): Promise<number | undefined> {
    this.#talk.expect(proven ? this.#map.expected([landing]) : this.#map.known(), { recognise: false });
    const isVerdict = (event: ActiveCallEvent): event is Matching =>
      isMatching(event) && (event.type === 'promptMatched' || event.type === 'promptUnknown');
    const verdict = await this.#inbox.find(isVerdict, this.#menuWithinMs);
    if (verdict?.type !== 'promptMatched' || verdict.id !== landing.id) return undefined;
    const beganMs = verdict.startMs - (verdict.offsetMs ?? 0);
    if (proven) return beganMs;
    const isBreak = (event: ActiveCallEvent): event is Outcome =>
      event.type === 'promptBroken' && event.id === landing.id;
    const broken = await this.#inbox.find(isBreak, Math.max(0, verdict.startMs + witnessSureMs - this.#talk.now()));
    return broken || this.#talk.ended ? undefined : beganMs;
  }

  /**
   * Sends the key or phrase that leads from the menu of `place` to `step`, as soon as the menu accepts it. Returns
   * false if the menu didn't play as before.
   *
   * @param early before the menu's options, although that can be too early
   */
  async press(place: Place, step: CrawlNode, early = false): Promise<boolean> {
    const { menu } = place;
    const ready = await this.#await(place, step, early);
    if (this.#talk.ended) return false;
    if (ready === 'lost') {
      // The key that should have led here may have got lost.
      if (place.state === 'coming' && this.#sent) this.#sent.lost = (this.#sent.lost ?? 0) + 1;
      return false;
    }
    await this.#send(step, ready === 'now', ready === 'now' ? undefined : menu);
    if (ready === 'early' && menu.bargeIn === undefined) return this.#learn(menu, step);
    if (ready === 'blind' && menu.bargeIn !== 'works') this.sentAtMs = undefined;
    return true;
  }

  /**
   * `quiet`: nothing plays any more, and the next prompt can begin during the key's tone. `during`: the menu whose
   * recognised prompt plays.
   */
  async #send(step: CrawlNode, quiet: boolean, during?: CrawlNode): Promise<void> {
    this.#inbox.clear();
    this.armed = false;
    this.pressedInto = !quiet;
    this.arrivedAtMs = this.pressedAtMs;
    this.#sent = step;
    const fromMs = this.#talk.now();
    if (quiet) this.#talk.cut();
    if (during) this.#watch(during);
    if (step.digit !== undefined) await this.#talk.press(step.digit, (step.lost ?? 0) > 0 ? slow : undefined);
    else await this.#talk.say(step.phrase ?? step.label);
    if (!quiet) this.#talk.cut();
    const sentAtMs = this.#talk.now();
    // The next prompt can begin before the pause after the tone has ended.
    if (during) await this.#awaitStop();
    this.sentAtMs = sentAtMs;
    this.pressedAtMs = quiet ? fromMs : Math.min(sentAtMs, this.#talk.stop?.atMs ?? sentAtMs);
  }

  /** Waits until it is certain whether the prompt stopped during the key and the pause after its tone. */
  async #awaitStop(): Promise<void> {
    await sleep(this.#clock, lineDelayMs);
    const until = this.#clock.now() + stopKnownMs;
    while (this.#talk.stop?.isSure === false && this.#clock.now() < until) await sleep(this.#clock, packetMs);
  }

  /** Notices where the prompt of this menu stops. If another call is still hearing it, compares what that one heard. */
  #watch(menu: CrawlNode): void {
    const known = recordingsOf(menu);
    const fingerprints = known.length > 0 ? known : [this.#map.soundSoFar(menu)].filter((sound) => sound !== undefined);
    if (fingerprints.length > 0) this.#talk.follow({ fingerprints, beganMs: this.promptStartMs ?? this.arrivedAtMs });
  }

  async #await({ menu, state, beganMs }: Place, step: CrawlNode, early: boolean): Promise<Ready> {
    this.promptStartMs = beganMs;
    this.pressedIntoRepeat = state === 'again';
    this.wasTimely = false;
    if (state === 'ended') return 'now';
    const { guarded } = this.#map;
    const patient = step.phrase !== undefined || menu.bargeIn === 'none' || mayGetLost(step, menu);
    if (state === 'again' && !patient) return 'blind';
    const matched = state === 'playing';
    const opensMs = early ? 0 : opensFromMs(menu);
    if (matched && !patient && this.#untilMs(beganMs, opensMs) === 0) return 'early';
    // The path is known, so only this menu is expected. Prompts of one IVR begin alike ("You have reached …"), and
    // distinguishing them takes time.
    if (state === 'coming') this.#talk.expect(this.#map.expected([menu]), { recognise: false });
    // Its repetition has begun, so it is recognised only after its next pause.
    if (state === 'again') this.#talk.expect(restsOfPrompt(menu));
    const recognisable = menu.fingerprint !== undefined && state !== 'again';
    const waitMs = matched
      ? patient
        ? longestPromptMs
        : this.#untilMs(beganMs, opensMs)
      : recognisable || patient
        ? this.#menuWithinMs
        : this.#untilSaidMs(menu, step);
    const wait: Wait = {
      menu,
      step,
      patient,
      matched,
      recognisable,
      deadline: this.#clock.now() + waitMs,
      opensMs,
    };
    if (guarded && !wait.recognisable) return this.#recogniseByWords(wait);
    for (;;) {
      const event = await this.#inbox.next(wait.deadline - this.#clock.now());
      this.#heedOthers(wait);
      if (!event && wait.deadline > this.#clock.now()) continue;
      if (!event) return readyInSilence(wait, guarded);
      if (event.type === 'ended') return 'lost';
      const ready = isMatching(event) ? await this.#follow(wait, event) : undefined;
      if (ready) return ready;
      if (!wait.recognisable) this.#paceBySpeech(wait, event);
    }
  }

  /** Other calls may have learned by now that keys don't interrupt the prompt, or that the key counts earlier. */
  #heedOthers(wait: Wait): void {
    const { menu, step, matched, recognisable, broken, patient } = wait;
    if (!patient && matched && menu.bargeIn === 'none') {
      wait.patient = true;
      wait.deadline = this.#clock.now() + longestPromptMs;
    }
    if (wait.patient || broken || (recognisable && !matched)) return;
    const untilMs = matched ? this.#untilMs(this.promptStartMs, opensFromMs(menu)) : this.#untilSaidMs(menu, step);
    wait.deadline = Math.min(wait.deadline, this.#clock.now() + untilMs);
  }

  /** Returns how long it takes until a prompt that began at `beganMs` has played for this long; 0 if that isn't known. */
  #untilMs(beganMs: number | undefined, playedMs: number): number {
    return beganMs === undefined ? 0 : Math.max(0, beganMs + playedMs - this.#talk.now());
  }

  /**
   * Returns how long it takes until the prompt offers options. If another call is still hearing it, and doesn't know
   * where they begin, the key waits for where that call understood it. Nothing before the menu can swallow the key then.
   */
  #untilSaidMs(menu: CrawlNode, { understoodMs = unknownPromptMs }: CrawlNode): number {
    const { promptStartMs, offersFromMs = understoodMs } = menu;
    return promptStartMs === undefined
      ? this.#untilMs(this.pressedAtMs, Math.min(offersFromMs, understoodMs))
      : this.#untilMs(this.pressedAtMs + promptStartMs, opensFromMs(menu));
  }

  /** Follows the menu's prompt until a key can be pressed. */
  async #follow(wait: Wait, event: Matching): Promise<Ready | undefined> {
    const { menu } = wait;
    // On a bad line the beginning isn't recognised; the words show whether it is this menu.
    if (event.type === 'promptUnknown')
      return wait.recognisable && !wait.matched ? this.#recogniseByWords(wait) : undefined;
    if (event.id !== menu.id) return undefined;
    switch (event.type) {
      case 'promptMatched':
        this.promptStartMs = event.startMs - (event.offsetMs ?? 0);
        wait.matched = true;
        wait.deadline =
          this.#clock.now() + (wait.patient ? longestPromptMs : this.#untilMs(this.promptStartMs, wait.opensMs));
        return undefined;
      case 'promptEnded':
        // After its last sound a prompt can continue in silence, and lose the key.
        await this.#inbox.peek(isEnded, afterPromptMs);
        this.wasTimely = true;
        return 'now';
      case 'promptBroken':
        // Nothing was pressed, so the bad line breaks the match. Wait for the prompt's end without it.
        if (!wait.matched) return undefined;
        if (this.#map.guarded) return this.#recogniseByWords(wait);
        wait.matched = wait.recognisable = false;
        wait.broken = true;
        wait.deadline = this.#clock.now() + this.#menuWithinMs;
        return undefined;
    }
  }

  /** If a prompt can't be recognised, only speech shows when it plays and when it may be over. */
  #paceBySpeech(wait: Wait, { type }: ActiveCallEvent): void {
    if (!wait.patient || wait.matched) return;
    const now = this.#clock.now();
    if (type === 'speechPause')
      wait.deadline = now + Math.max(unknownEndMs, (this.#map.pauseMs ?? 0) * patience.pause.growth);
    if (type === 'speechStart' || type === 'speechResume') wait.deadline = now + this.#menuWithinMs;
  }

  async #recogniseByWords({ menu, step }: Wait): Promise<Ready> {
    const heard = await this.hear({
      fromMs: Math.max(0, this.#talk.now() - unknownSinceMs),
      patienceMs: this.#patienceMs,
      known: () => this.#map.known(),
    });
    if (heard.knownId !== undefined) return heard.knownId === menu.id ? 'early' : 'lost';
    if (heard.kind !== 'menu') return 'lost';
    if (this.#map.guarded) return this.#map.stillOffers(step, heard) ? 'now' : 'lost';
    return menu.reading && resemblesMenu(heard.reading, menu.reading) ? 'now' : 'lost';
  }

  /**
   * After the first key during a prompt: checks whether it stopped, and if not, whether the key was kept or must be
   * pressed again.
   */
  async #learn(menu: CrawlNode, step: CrawlNode): Promise<boolean> {
    const sentAtMs = this.sentAtMs;
    this.sentAtMs = undefined;
    if (!menu.fingerprint) return true;
    const isOutcome = (event: ActiveCallEvent): event is Outcome =>
      (event.type === 'promptBroken' || event.type === 'promptEnded') && event.id === menu.id;
    let outcome = await this.#inbox.find(isOutcome, stopsWithinMs);
    if (outcome?.type === 'promptBroken') return this.#hasStopped(menu, sentAtMs);
    if (!outcome && !this.#talk.ended) {
      this.#map.update(menu, { bargeIn: 'none' });
      outcome = await this.#inbox.find(isOutcome, longestPromptMs);
    }
    if (!outcome) return false;
    const endedMs = outcome.atMs;
    if (!this.#continued(menu, endedMs)) return this.#hasStopped(menu, undefined);
    this.#talk.expect(this.#map.known());
    this.armed = true;
    const isNews = (event: ActiveCallEvent): event is ActiveCallEvent =>
      (event.type === 'speechStart' && event.atMs >= endedMs) ||
      event.type === 'promptMatched' ||
      (event.type === 'sound' && event.sound !== 'silence' && event.sinceMs >= endedMs);
    const taken = await this.#inbox.peek(isNews, bufferedWithinMs);
    if (this.#talk.ended) return false;
    if (taken) {
      this.pressedAtMs = this.sentAtMs = endedMs;
      this.wasTimely = true;
      return true;
    }
    await this.#send(step, true);
    this.sentAtMs = undefined;
    return true;
  }

  /** A key stopped the prompt, at `sentAtMs` if that is known. */
  #hasStopped(menu: CrawlNode, sentAtMs: number | undefined): true {
    this.#map.update(menu, { bargeIn: 'works' });
    this.wasTimely = true;
    this.sentAtMs = sentAtMs;
    return true;
  }

  /** Returns false if what followed the key until `untilMs` isn't the rest of this prompt: the key was accepted. */
  #continued(menu: CrawlNode, untilMs: number): boolean {
    if (untilMs - this.pressedAtMs < shortestRestMs) return true;
    const offsetMs = this.pressedAtMs - this.beganMs(menu);
    return recordingsOf(menu).some((recording) =>
      this.#talk.soundsLikePartOf(this.pressedAtMs, untilMs, recording, offsetMs),
    );
  }

  /** Presses this key, and returns the known menu that follows, or undefined if none does. */
  async lookBack(place: Place, key: CrawlNode): Promise<Place | undefined> {
    return (await this.press(place, { ...key, attempts: 0, lost: 0 })) ? this.#whereNow() : undefined;
  }

  /** Presses the key of `witness`, a child of the menu, and checks whether that child's prompt follows. */
  async lookAhead(place: Place, witness: CrawlNode): Promise<'same' | 'other' | 'lost'> {
    const { fingerprint } = witness;
    if (!fingerprint || !(await this.press(place, { ...witness, attempts: 0, lost: 0 }))) return 'lost';
    this.#talk.expect([{ id: witness.id, fingerprint }]);
    const isVerdict = (event: ActiveCallEvent): event is Matching =>
      isMatching(event) && event.type !== 'promptBroken' && event.type !== 'promptEnded';
    const verdict = await this.#inbox.find(isVerdict, this.#menuWithinMs);
    if (!verdict) return this.#talk.ended ? 'lost' : 'other';
    if (verdict.type !== 'promptMatched') return 'other';
    const isEnd = (event: ActiveCallEvent): event is Outcome =>
      (event.type === 'promptBroken' || event.type === 'promptEnded') && event.id === witness.id;
    const after = await this.#inbox.find(isEnd, Math.max(0, verdict.startMs + witnessSureMs - this.#talk.now()));
    return after?.type === 'promptBroken' ? 'other' : 'same';
  }
}
