import { sleep } from '../../base/clock.ts';
import { patience } from '../hearing/patience.ts';
import { whySkipped } from '../../language/labels/pressRules.ts';
import type { EarEvent } from '../../speech/ear.ts';
import type { ActiveCallEvent } from '../call/activeCall.ts';
import type { Refused } from '../call/door.ts';
import type { PathStep } from './crawlMap.ts';
import { acceptsKeysFromMs, openedAt, recordingsOf, worthSavingMs, type CrawlNode } from './crawlNode.ts';
import type { HeardPrompt } from './hear.ts';
import { sameMenu } from './sameMenu.ts';
import {
  hearPrompt,
  isEnded,
  isMatching,
  longestPromptMs,
  menuWithinMs,
  MenuWait,
  unknownSinceMs,
  type MappingCall,
  type Matching,
  type MenuPlace,
} from './menuWait.ts';

type PromptOutcome = Extract<EarEvent, { type: 'promptBroken' | 'promptEnded' }>;

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
const witnessSureMs = 1600;
/** How often a menu that repeats itself without a pause is heard before its key is pressed. */
const mostRounds = 4;
/** A key that may have been lost is pressed again at least this slowly. */
const slow = { toneMs: 200, gapMs: 200 };

/** A key or phrase that was sent. Times are in milliseconds of the call's audio. */
export interface Press {
  /** When it was sent, or took effect. */
  readonly atMs: number;
  /** When its tone, phrase or awaited prompt ended; undefined if it may have been accepted at another time. */
  readonly sentAtMs: number | undefined;
  /** During a prompt. If it wasn't accepted, the rest of that prompt follows. */
  readonly isInto: boolean;
  /** While the menu repeated itself. */
  readonly isIntoRepeat: boolean;
  /** Where the prompt during which it was sent began; undefined if it wasn't recognised by its sound. */
  readonly promptBeganMs: number | undefined;
  /** When the key before it was sent. The prompt during which this one was sent responds to that key. */
  readonly arrivedAtMs: number;
  /** Sent when the menu certainly accepted it: it stopped the prompt, or immediately followed its end. */
  readonly isTimely: boolean;
  /** The listener has expected the known prompts since then. */
  readonly isArmed: boolean;
}

/** The beginning of a call, before any key. */
export const answer: Press = {
  atMs: 0,
  sentAtMs: 0,
  isInto: false,
  isIntoRepeat: false,
  promptBeganMs: undefined,
  arrivedAtMs: 0,
  isTimely: false,
  isArmed: false,
};

/** Returns the place of a call that hears a known menu. */
export const playingAt = (menu: CrawlNode, { knownStartMs, knownOffsetMs = 0 }: HeardPrompt): MenuPlace => ({
  menu,
  state: 'playing',
  ...(knownStartMs !== undefined && { beganMs: knownStartMs - knownOffsetMs }),
});

/** Returns when the prompt of `menu` began, during which a key was sent. */
export const beganMs = ({ promptBeganMs, arrivedAtMs }: Press, { promptStartMs = 0 }: CrawlNode): number =>
  promptBeganMs ?? arrivedAtMs + promptStartMs;

/** Returns true if a key counts from the first sound of this prompt. */
const opensAtOnce = (menu: CrawlNode): boolean => acceptsKeysFromMs(menu) < worthSavingMs;

/** Moves a call through known menus, and notices when the call is somewhere else. */
export class Navigator {
  readonly #call: MappingCall;
  #pressedAtMs = 0;
  /** The option whose key was sent last. */
  #sent: CrawlNode | undefined;

  constructor(call: MappingCall) {
    this.#call = call;
  }

  /** Waits for the end of the prompt during which a key was sent. Returns false if the call ends before. */
  async hearToEnd(press: Press, menu: CrawlNode): Promise<boolean> {
    const { call, inbox } = this.#call;
    const endMs = beganMs(press, menu) + (menu.promptMs ?? 0);
    return (await inbox.find(isEnded, Math.max(0, endMs - call.now()))) === undefined;
  }

  /** Moves through known menus to the menu `to`. Returns undefined if the path isn't as it was. */
  async walk(from: MenuPlace, to: CrawlNode): Promise<MenuPlace | undefined> {
    let place: MenuPlace | undefined = from;
    while (place && place.menu !== to) {
      const way: readonly PathStep[] = this.#call.map.route(place.menu, to) ?? [];
      const [first] = way;
      if (!first) return undefined;
      const leap = this.#call.map.guarded ? [] : this.#leapAlong(place, way);
      if (leap.length > 1) place = await this.#leap(leap, place);
      else place = await this.#step(place, first);
    }
    return place;
  }

  /** Takes one step of a path. The first time the key is pressed before the options, checks where it leads. */
  async #step(from: MenuPlace, { key, menu: to }: PathStep): Promise<MenuPlace | undefined> {
    const { menu } = from;
    if (key.byWaiting) return (await this.wait(from, key)) && { menu: to, state: 'coming' };
    const tries =
      !this.#call.map.guarded &&
      menu.bargeIn === 'works' &&
      menu.triedEarly !== true &&
      !opensAtOnce(menu) &&
      key.digit !== undefined &&
      to.fingerprint !== undefined &&
      this.#call.map.openNodes().length > 0;
    // One call tries it, if later calls can gain from the result; others don't wait for it.
    if (tries) this.#call.map.learn(menu, { triedEarly: true });
    const press = await this.press(from, key, tries);
    if (!press) return undefined;
    if (!tries || !press.isInto) return { menu: to, state: 'coming' };
    const landedMs = await this.#landed(to, false);
    if (landedMs === undefined) return this.#whereNow();
    const playedMs = press.promptBeganMs === undefined ? Infinity : press.atMs - press.promptBeganMs;
    this.#call.map.learn(menu, openedAt(menu, playedMs));
    return { menu: to, state: 'playing', beganMs: landedMs };
  }

  /** Returns the longest part of the path whose keys can be sent at once, without hearing the menus in between. */
  #leapAlong(from: MenuPlace, way: readonly PathStep[]): readonly PathStep[] {
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

  async #leap(leap: readonly PathStep[], from: MenuPlace): Promise<MenuPlace | undefined> {
    const passed = [from.menu, ...leap.slice(0, -1).map(({ menu }) => menu)];
    const landing = leap.at(-1)?.menu;
    if (!landing) return undefined;
    for (const { key } of leap) {
      if (this.#call.call.ended) return undefined;
      await this.#send(key, { isInto: true });
    }
    const landedMs = await this.#landed(
      landing,
      passed.every((menu) => menu.takesAhead === true),
    );
    if (landedMs !== undefined) {
      for (const menu of passed) this.#call.map.learn(menu, { takesAhead: true });
      return { menu: landing, state: 'playing', beganMs: landedMs };
    }
    // A key was lost, so from now on these menus are heard first. The words show which one is playing.
    for (const menu of passed) this.#call.map.learn(menu, { takesAhead: false });
    return this.#whereNow();
  }

  /** A key was lost: finds the known menu that is playing, by its sound or its words. */
  async #whereNow(): Promise<MenuPlace | undefined> {
    const { call, map, patienceMs } = this.#call;
    if (call.ended) return undefined;
    const heard = await hearPrompt(this.#call, {
      fromMs: Math.max(this.#pressedAtMs, call.now() - unknownSinceMs),
      patienceMs,
      known: () => map.known(),
    });
    const known = map.menu(heard.knownId);
    if (known) return playingAt(known, heard);
    const like = heard.kind === 'menu' && heard.overrun !== 'other' ? map.menuLike(heard) : undefined;
    return like && { menu: like, state: heard.overrun ? 'again' : 'ended' };
  }

  /**
   * Returns when the prompt of `landing` began, or undefined if another follows. The first time, it must hear more,
   * because a lost key can lead to a menu with a similar beginning.
   */
  async #landed(landing: CrawlNode, proven: boolean): Promise<number | undefined> {
    const { call, map, inbox } = this.#call;
    call.expect(proven ? map.expected([landing]) : map.known(), { recognise: false });
    const isVerdict = (event: ActiveCallEvent): event is Matching =>
      isMatching(event) && (event.type === 'promptMatched' || event.type === 'promptUnknown');
    const verdict = await inbox.find(isVerdict, menuWithinMs(this.#call));
    if (verdict?.type !== 'promptMatched' || verdict.id !== landing.id) return undefined;
    const landedMs = verdict.startMs - (verdict.offsetMs ?? 0);
    if (proven) return landedMs;
    const isBreak = (event: ActiveCallEvent): event is PromptOutcome =>
      event.type === 'promptBroken' && event.id === landing.id;
    const broken = await inbox.find(isBreak, Math.max(0, verdict.startMs + witnessSureMs - call.now()));
    return broken || call.ended ? undefined : landedMs;
  }

  /**
   * Sends the key or phrase that leads from the menu of `place` to `step`, as soon as the menu accepts it. Returns
   * undefined if the menu didn't play as before.
   *
   * @param early before the menu's options, although that can be too early
   */
  async press(place: MenuPlace, step: CrawlNode, early = false): Promise<Press | undefined> {
    if (this.#call.map.guarded) return this.#pressHeard(place, step);
    const { menu, state } = place;
    const wait = new MenuWait(this.#call, place, step, this.#pressedAtMs, early);
    const ready = await wait.ready();
    if (this.#call.call.ended) return undefined;
    if (ready === 'lost') {
      // The key that should have led here may have got lost.
      if (state === 'coming' && this.#sent) this.#sent.lost = (this.#sent.lost ?? 0) + 1;
      return undefined;
    }
    const isInto = ready !== 'now';
    const press = await this.#send(
      step,
      { isInto, isIntoRepeat: state === 'again', promptBeganMs: wait.beganMs, isTimely: wait.sawEnd },
      isInto ? menu : undefined,
    );
    if ('because' in press) return undefined;
    if (ready === 'early' && menu.bargeIn === undefined) return this.#learn(menu, step, press);
    return ready === 'blind' && menu.bargeIn !== 'works' ? { ...press, sentAtMs: undefined } : press;
  }

  /**
   * On a live number: hears this menu to its end on this call, and sends what it offers there, because a menu can change,
   * and its time-out can lead to another one. A step that may not be sent is skipped.
   */
  async #pressHeard({ menu, state }: MenuPlace, step: CrawlNode): Promise<Press | undefined> {
    const { call, log, map, heard, patienceMs } = this.#call;
    let isHeard = state === 'ended';
    for (let round = 0; round < mostRounds && !call.ended; round += 1) {
      if (!isHeard || log.spokeSince(heard.untilMs)) {
        const prompt = await hearPrompt(this.#call, {
          fromMs: heard.untilMs,
          patienceMs,
          known: () => [],
          pauseMs: () => map.pauseMs,
          wholeMs: (text, reading) =>
            menu.reading && sameMenu(text, reading, menu.transcript ?? '', menu.reading)
              ? patience.prompt.wholeMenu
              : undefined,
        });
        if (prompt.kind !== 'menu' || prompt.overrun === 'other' || !map.stillOffers(step, prompt)) return undefined;
        isHeard = prompt.overrun === undefined;
        if (!isHeard) continue;
      }
      const press = await this.#send(step, { isInto: false, isTimely: true });
      if (!('because' in press)) return press;
      if (press.because === 'ended') return undefined;
      if (press.because === 'unheard' || press.because === 'forbidden') continue;
      if (step.status === 'exploring') map.update(step, { status: 'skipped', reason: whySkipped(press) });
      return undefined;
    }
    return undefined;
  }

  /** Presses no key: waits until the prompt of this menu is over. What follows it then is heard as an answer. */
  async wait(place: MenuPlace, step: CrawlNode): Promise<Press | undefined> {
    const { call } = this.#call;
    const wait = new MenuWait(this.#call, place, step, this.#pressedAtMs, false);
    if ((place.state !== 'left' && (await wait.ready()) === 'lost') || call.ended) return undefined;
    const arrivedAtMs = this.#pressedAtMs;
    this.#sent = step;
    this.#pressedAtMs = place.state === 'left' ? (place.beganMs ?? call.now()) : call.now();
    this.#call.heard.untilMs = this.#pressedAtMs;
    return { ...answer, atMs: this.#pressedAtMs, sentAtMs: undefined, arrivedAtMs };
  }

  /**
   * If it isn't sent into a prompt, nothing plays any more, and the next prompt can begin during the key's tone. Returns
   * why it wasn't sent, if the door refuses it.
   *
   * @param during the menu whose prompt plays
   */
  async #send(
    step: CrawlNode,
    how: Pick<Press, 'isInto'> & Partial<Press>,
    during?: CrawlNode,
  ): Promise<Press | Refused> {
    const { call, inbox, door, heard } = this.#call;
    const { isInto } = how;
    const arrivedAtMs = this.#pressedAtMs;
    const deed = step.digit === undefined ? { say: step.phrase ?? step.label } : { press: step.digit };
    const sent = await door.send(
      deed,
      {},
      {
        ...((step.lost ?? 0) > 0 && slow),
        heardUntilMs: heard.untilMs,
        onOpen: () => {
          inbox.clear();
          this.#sent = step;
          if (!isInto) call.cut();
          if (during) this.#watch(during, how.promptBeganMs ?? arrivedAtMs);
        },
      },
    );
    if ('because' in sent) return sent;
    const { startMs: fromMs } = sent;
    if (isInto) call.cut();
    const sentAtMs = call.now();
    // The next prompt can begin before the pause after the tone has ended.
    if (during) await this.#awaitStop();
    this.#pressedAtMs = isInto ? Math.min(sentAtMs, call.stop?.atMs ?? sentAtMs) : fromMs;
    heard.untilMs = this.#pressedAtMs;
    return { ...answer, ...how, atMs: this.#pressedAtMs, sentAtMs, arrivedAtMs };
  }

  /** Waits until it is certain whether the prompt stopped during the key and the pause after its tone. */
  async #awaitStop(): Promise<void> {
    const { clock, call } = this.#call;
    await sleep(clock, lineDelayMs);
    const until = clock.now() + stopKnownMs;
    while (call.stop?.isSure === false && clock.now() < until) await sleep(clock, packetMs);
  }

  /** Notices where the prompt of this menu stops. If another call is still hearing it, compares what that one heard. */
  #watch(menu: CrawlNode, promptBeganMs: number): void {
    const { call, map } = this.#call;
    const known = recordingsOf(menu);
    const fingerprints = known.length > 0 ? known : [map.soundSoFar(menu)].filter((sound) => sound !== undefined);
    if (fingerprints.length > 0) call.follow({ fingerprints, beganMs: promptBeganMs });
  }

  /** After the first key during a prompt: checks if it stopped, and if not, if the key was kept or must be repeated. */
  async #learn(menu: CrawlNode, step: CrawlNode, press: Press): Promise<Press | undefined> {
    const { call, inbox, map } = this.#call;
    if (!menu.fingerprint) return { ...press, sentAtMs: undefined };
    const isOutcome = (event: ActiveCallEvent): event is PromptOutcome =>
      (event.type === 'promptBroken' || event.type === 'promptEnded') && event.id === menu.id;
    let outcome = await inbox.find(isOutcome, stopsWithinMs);
    if (outcome?.type === 'promptBroken') {
      map.learn(menu, { bargeIn: 'works' });
      return { ...press, isTimely: true };
    }
    if (!outcome && !call.ended) {
      map.learn(menu, { bargeIn: 'none' });
      outcome = await inbox.find(isOutcome, longestPromptMs);
    }
    if (!outcome) return undefined;
    const endedMs = outcome.atMs;
    if (!this.#continued(menu, press, endedMs)) {
      map.learn(menu, { bargeIn: 'works' });
      return { ...press, sentAtMs: undefined, isTimely: true };
    }
    call.expect(map.known());
    const isNews = (event: ActiveCallEvent): event is ActiveCallEvent =>
      (event.type === 'speechStart' && event.atMs >= endedMs) ||
      event.type === 'promptMatched' ||
      (event.type === 'sound' && event.sound !== 'silence' && event.sinceMs >= endedMs);
    const taken = await inbox.peek(isNews, bufferedWithinMs);
    if (call.ended) return undefined;
    if (!taken) {
      const { isIntoRepeat, promptBeganMs, isTimely } = press;
      const again = await this.#send(step, { isInto: false, isIntoRepeat, promptBeganMs, isTimely });
      return 'because' in again ? undefined : { ...again, sentAtMs: undefined };
    }
    this.#pressedAtMs = endedMs;
    return { ...press, atMs: endedMs, sentAtMs: endedMs, isTimely: true, isArmed: true };
  }

  /** Returns false if what followed the key until `untilMs` isn't the rest of this prompt: the key was accepted. */
  #continued(menu: CrawlNode, press: Press, untilMs: number): boolean {
    const { atMs } = press;
    if (untilMs - atMs < shortestRestMs) return true;
    return recordingsOf(menu).some((recording) =>
      this.#call.call.soundsLikePartOf(atMs, untilMs, recording, atMs - beganMs(press, menu)),
    );
  }

  /** Presses this key, and returns the known menu that follows, or undefined if none does. */
  async lookBack(place: MenuPlace, key: CrawlNode): Promise<MenuPlace | undefined> {
    return (await this.press(place, { ...key, attempts: 0, lost: 0 })) ? this.#whereNow() : undefined;
  }

  /** Presses the key of `witness`, a child of the menu, and checks whether that child's prompt follows. */
  async lookAhead(place: MenuPlace, witness: CrawlNode): Promise<'same' | 'other' | 'lost'> {
    const { call, inbox } = this.#call;
    const { fingerprint } = witness;
    if (!fingerprint || !(await this.press(place, { ...witness, attempts: 0, lost: 0 }))) return 'lost';
    call.expect([{ id: witness.id, fingerprint }]);
    const isVerdict = (event: ActiveCallEvent): event is Matching =>
      isMatching(event) && event.type !== 'promptBroken' && event.type !== 'promptEnded';
    const verdict = await inbox.find(isVerdict, menuWithinMs(this.#call));
    if (!verdict) return call.ended ? 'lost' : 'other';
    if (verdict.type !== 'promptMatched') return 'other';
    const isEnd = (event: ActiveCallEvent): event is PromptOutcome =>
      (event.type === 'promptBroken' || event.type === 'promptEnded') && event.id === witness.id;
    const after = await inbox.find(isEnd, Math.max(0, verdict.startMs + witnessSureMs - call.now()));
    return after?.type === 'promptBroken' ? 'other' : 'same';
  }
}
