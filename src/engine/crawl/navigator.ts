import type { EarEvent } from '../../speech/ear.ts';
import type { Clock } from '../../base/clock.ts';
import type { CrawlMap, Step } from './crawlMap.ts';
import { expectedPrompts, type CrawlNode } from './crawlNode.ts';
import { hear, type HearOptions, type HeardPrompt } from './hear.ts';
import { firstOptionMs } from './sameMenu.ts';
import type { CallLog } from '../hearing/callLog.ts';
import type { Inbox } from '../hearing/inbox.ts';
import type { Talk, TalkEvent } from '../call/talk.ts';

type Matching = Extract<EarEvent, { type: 'promptMatched' | 'promptBroken' | 'promptEnded' | 'promptUnknown' }>;
const isMatching = (event: TalkEvent): event is Matching => event.type.startsWith('prompt');
const isEnded = (event: TalkEvent): event is Extract<TalkEvent, { type: 'ended' }> => event.type === 'ended';
type Outcome = Extract<EarEvent, { type: 'promptBroken' | 'promptEnded' }>;

/** A known menu comes within this, or within the patience of a caller who has more. */
const usualMenuMs = 15_000;
const longestPromptMs = 90_000;
/** A prompt that a key stops is silent or another this soon. */
const stopsWithinMs = 900;
const bufferedWithinMs = 1200;
/** Before a fingerprint exists a key waits so long into the prompt. */
const unknownPromptMs = 500;
const unknownEndMs = 1200;
const witnessSureMs = 1600;
/** A prompt is called unknown this long after it began. */
const unknownSinceMs = 1000;
/** A menu that no key interrupts takes one so long after its last sound. */
const afterPromptMs = 500;
/** A key that may have been lost is pressed again at least so slowly. */
const slow = { toneMs: 200, gapMs: 200 };

/**
 * Where a call stands: at a menu whose prompt has yet to come, plays and is followed, has just ended, or plays again
 * since a moment ago.
 */
export interface Place {
  readonly menu: CrawlNode;
  readonly state: 'coming' | 'playing' | 'ended' | 'again';
}

/**
 * Whether a key may be pressed at a menu: `early` while its prompt plays and is followed, `blind` while what plays
 * cannot be recognised yet, `now` after it ended; `lost` where another prompt plays or the call is over.
 */
type Ready = 'early' | 'blind' | 'now' | 'lost';

/** The wait for the moment at which a menu takes a key. */
interface Wait {
  readonly menu: CrawlNode;
  readonly step: CrawlNode;
  /** The key has to wait for the prompt's end. */
  readonly patient: boolean;
  /** The menu's prompt plays and is followed. */
  matched: boolean;
  /** The menu's prompt can still be told from others. */
  recognisable: boolean;
  /** On the clock. */
  deadline: number;
  /** A key counts from here on, in milliseconds of the prompt. */
  readonly opensMs: number;
}

/** Where a prompt's options begin: what comes before may be an announcement that takes no keys. */
const optionsFromMs = ({ words = [], reading }: CrawlNode): number =>
  reading ? firstOptionMs({ words, reading, startMs: 0 }) : 0;

/** What it means that nothing more came until the deadline. */
function readyInSilence({ matched, patient, recognisable }: Wait, guarded: boolean): Ready {
  if (matched) return patient ? 'now' : 'early';
  if (recognisable || guarded) return 'lost';
  return patient ? 'now' : 'blind';
}

/**
 * Walks a call along known menus: recognises each, presses the key as early as that menu lets one, and notices when it
 * is somewhere else. On a live number it presses nothing at a menu that it doesn't recognise by sound, unless its words
 * still offer that key: a menu may have changed since.
 */
export class Navigator {
  readonly #talk: Talk;
  readonly #log: CallLog;
  readonly #inbox: Inbox;
  readonly #map: CrawlMap;
  readonly #clock: Clock;
  readonly #patienceMs: number | undefined;
  readonly #menuWithinMs: number;
  /** When the last key was sent, or took effect, in the call's audio. */
  pressedAtMs = 0;
  /**
   * When its tone, or the phrase, was over, or the prompt that it waited for; undefined where it may have been taken at
   * another time.
   */
  sentAtMs: number | undefined = 0;
  /** The last key was sent while a prompt played: if it was not taken, the rest of that prompt follows. */
  pressedInto = false;
  /** Where the prompt that the last key was sent into began; undefined if it wasn't recognised by its sound. */
  promptStartMs: number | undefined;
  /** When the key before the last one was sent: the prompt that the last one was sent into answers it. */
  arrivedAtMs = 0;
  /** The last key was sent when the menu was sure to take it: it stopped the prompt, or followed its end at once. */
  wasTimely = false;
  /** The known prompts are being listened for since then. */
  armed = false;

  constructor(talk: Talk, log: CallLog, inbox: Inbox, map: CrawlMap, clock: Clock, patienceMs: number | undefined) {
    this.#talk = talk;
    this.#log = log;
    this.#inbox = inbox;
    this.#map = map;
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#menuWithinMs = Math.max(usualMenuMs, patienceMs ?? 0);
  }

  /** Listens until it is sure what plays. */
  async hear(options: HearOptions): Promise<HeardPrompt> {
    const heard = await hear({ log: this.#log, next: (timeoutMs) => this.#log.next(timeoutMs) }, this.#talk, options);
    this.#inbox.clear();
    return heard;
  }

  /** Goes along known menus to the menu `to`; undefined when the way is not as it was. */
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

  /** One key along a way. The first time that it is pressed before the menu's options, what it leads to is checked. */
  async #step(from: Place, { key, menu: to }: Step): Promise<Place | undefined> {
    const { menu } = from;
    const tries =
      menu.bargeIn === 'works' &&
      menu.takesEarly === undefined &&
      key.digit !== undefined &&
      to.fingerprint !== undefined;
    if (!(await this.press(from, key, tries))) return undefined;
    if (!tries || !this.pressedInto) return { menu: to, state: 'coming' };
    menu.takesEarly = await this.#landed(to, false);
    return menu.takesEarly ? { menu: to, state: 'playing' } : this.#whereNow();
  }

  /** The longest beginning of the way whose keys can be sent at once, without hearing the menus between. */
  #leapAlong(from: Place, way: readonly Step[]): readonly Step[] {
    const takes = (menu: CrawlNode): boolean => menu.bargeIn === 'works' && menu.takesAhead !== false;
    const left = (at: number): CrawlNode | undefined => (at === 0 ? from.menu : way[at - 1]?.menu);
    const free = way.findIndex((step, at) => {
      const menu = left(at);
      return step.key.digit === undefined || !menu || !takes(menu);
    });
    const leap = way.slice(0, free === -1 ? way.length : free);
    // Where it lands must be recognised.
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
    if (
      await this.#landed(
        landing,
        passed.every((menu) => menu.takesAhead === true),
      )
    ) {
      for (const menu of passed) menu.takesAhead = true;
      return { menu: landing, state: 'playing' };
    }
    // A key was swallowed: from now on these menus are heard first. Which one plays is told by its words.
    for (const menu of passed) menu.takesAhead = false;
    return this.#whereNow();
  }

  /** A key was lost: which known menu plays, by its sound or by its words. */
  async #whereNow(): Promise<Place | undefined> {
    if (this.#talk.ended) return undefined;
    const heard = await this.hear({
      fromMs: Math.max(0, this.#talk.now() - unknownSinceMs),
      patienceMs: this.#patienceMs,
      known: () => this.#map.known(),
    });
    const known = this.#map.node(heard.knownId);
    if (known) return { menu: known, state: 'playing' };
    const like = heard.kind === 'menu' && heard.overrun !== 'other' ? this.#map.menuLike(heard) : undefined;
    return like && { menu: like, state: heard.overrun ? 'again' : 'ended' };
  }

  /**
   * Whether the prompt of `landing` comes. The first time nothing is taken for granted: a lost key leads to a menu that
   * may begin alike.
   */
  async #landed(landing: CrawlNode, proven: boolean): Promise<boolean> {
    this.#talk.expect(proven ? expectedPrompts([landing]) : this.#map.known(), { recognise: false });
    const isVerdict = (event: TalkEvent): event is Matching =>
      isMatching(event) && (event.type === 'promptMatched' || event.type === 'promptUnknown');
    const verdict = await this.#inbox.find(isVerdict, this.#menuWithinMs);
    if (verdict?.type !== 'promptMatched' || verdict.id !== landing.id) return false;
    if (proven) return true;
    const isBreak = (event: TalkEvent): event is Outcome => event.type === 'promptBroken' && event.id === landing.id;
    return (
      (await this.#inbox.find(isBreak, Math.max(0, verdict.startMs + witnessSureMs - this.#talk.now()))) ===
        undefined && !this.#talk.ended
    );
  }

  /**
   * Presses (or says) what leads from the menu of `place` to `step`, as soon as the menu takes it. False when it did
   * not play as it had before.
   *
   * @param early before the menu's options, although that may be too early
   */
  async press(place: Place, step: CrawlNode, early = false): Promise<boolean> {
    const { menu } = place;
    const ready = await this.#await(place, step, early);
    if (ready === 'lost' || this.#talk.ended) return false;
    await this.#send(step, ready === 'now');
    if (ready === 'early' && menu.bargeIn === undefined) return this.#learn(menu, step);
    if (ready === 'blind' && menu.bargeIn !== 'works') this.sentAtMs = undefined;
    return true;
  }

  /** `quiet`: nothing plays any more, and what comes next may begin while the key still sounds. */
  async #send(step: CrawlNode, quiet: boolean): Promise<void> {
    this.#inbox.clear();
    this.armed = false;
    this.pressedInto = !quiet;
    this.arrivedAtMs = this.pressedAtMs;
    const fromMs = this.#talk.now();
    if (quiet) this.#talk.cut();
    if (step.digit !== undefined) await this.#talk.press(step.digit, step.attempts > 0 ? slow : undefined);
    else await this.#talk.say(step.phrase ?? step.label);
    if (!quiet) this.#talk.cut();
    const sentAtMs = this.#talk.now();
    this.sentAtMs = sentAtMs;
    this.pressedAtMs = quiet ? fromMs : sentAtMs;
  }

  async #await({ menu, state }: Place, step: CrawlNode, early: boolean): Promise<Ready> {
    this.promptStartMs = undefined;
    this.wasTimely = false;
    if (state === 'ended') return 'now';
    if (state === 'again') return 'blind';
    const { guarded } = this.#map;
    const patient = step.phrase !== undefined || menu.bargeIn === 'none' || step.attempts > 0;
    const matched = state === 'playing';
    if (matched && !patient) return 'early';
    // The way is known: only this menu is listened for, since prompts of one house begin alike ("You have reached …")
    // and telling them apart takes time.
    if (state === 'coming') this.#talk.expect(expectedPrompts([menu]), { recognise: false });
    const recognisable = menu.fingerprint !== undefined;
    const waitMs = matched ? longestPromptMs : recognisable || patient ? this.#menuWithinMs : this.#untilSaidMs(step);
    const wait: Wait = {
      menu,
      step,
      patient,
      matched,
      recognisable,
      deadline: this.#clock.now() + waitMs,
      opensMs: early || menu.takesEarly === true ? 0 : optionsFromMs(menu),
    };
    if (guarded && !wait.recognisable) return this.#recogniseByWords(wait);
    for (;;) {
      const event = await this.#inbox.next(wait.deadline - this.#clock.now());
      if (!event) return readyInSilence(wait, guarded);
      if (event.type === 'ended') return 'lost';
      const ready = isMatching(event) ? await this.#follow(wait, event) : undefined;
      if (ready) return ready;
      if (!wait.recognisable) this.#paceBySpeech(wait, event);
    }
  }

  /**
   * Until the place in the prompt at which another call understood this option: there the prompt offers it, so nothing
   * that comes before the menu can swallow the key.
   */
  #untilSaidMs({ understoodMs = unknownPromptMs }: CrawlNode): number {
    return Math.max(0, this.pressedAtMs + understoodMs - this.#talk.now());
  }

  /** Follows the menu's prompt until a key may be pressed. */
  async #follow(wait: Wait, event: Matching): Promise<Ready | undefined> {
    const { menu } = wait;
    // A bad line hides the beginning: the words tell whether it is the menu all the same.
    if (event.type === 'promptUnknown')
      return wait.recognisable && !wait.matched ? this.#recogniseByWords(wait) : undefined;
    if (event.id !== menu.id) return undefined;
    switch (event.type) {
      case 'promptMatched':
        this.promptStartMs = event.startMs;
        wait.matched = true;
        if (wait.patient) wait.deadline = this.#clock.now() + longestPromptMs;
        else wait.deadline = this.#clock.now() + Math.max(0, event.startMs + wait.opensMs - this.#talk.now());
        return undefined;
      case 'promptEnded':
        // After its last sound a prompt may go on in silence, and lose the key.
        await this.#inbox.peek(isEnded, afterPromptMs);
        this.wasTimely = true;
        return 'now';
      case 'promptBroken':
        // Nothing was pressed, so it is the line that breaks the match: wait for the prompt's end without it.
        if (!wait.matched) return undefined;
        if (this.#map.guarded) return this.#recogniseByWords(wait);
        wait.matched = wait.recognisable = false;
        wait.deadline = this.#clock.now() + this.#menuWithinMs;
        return undefined;
    }
  }

  /** Where a prompt cannot be recognised, speech alone tells when it plays and when it may be over. */
  #paceBySpeech(wait: Wait, { type }: TalkEvent): void {
    if (!wait.patient) return;
    const now = this.#clock.now();
    if (type === 'speechPause') wait.deadline = now + unknownEndMs;
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
    const keysOf = (options: readonly { readonly key: string }[]): string =>
      options
        .map(({ key }) => key)
        .sort()
        .join('');
    const keys = keysOf(heard.reading.options);
    return keys !== '' && keys === keysOf(menu.reading?.options ?? []) ? 'now' : 'lost';
  }

  /**
   * After the first key into a playing prompt: did it stop? If not, is the key remembered, or has it to be pressed
   * again?
   */
  async #learn(menu: CrawlNode, step: CrawlNode): Promise<boolean> {
    const sentAtMs = this.sentAtMs;
    this.sentAtMs = undefined;
    if (!menu.fingerprint) return true;
    const isOutcome = (event: TalkEvent): event is Outcome =>
      (event.type === 'promptBroken' || event.type === 'promptEnded') && event.id === menu.id;
    let outcome = await this.#inbox.find(isOutcome, stopsWithinMs);
    if (outcome?.type === 'promptBroken') {
      this.#map.update(menu, { bargeIn: 'works' });
      this.wasTimely = true;
      this.sentAtMs = sentAtMs;
      return true;
    }
    if (!outcome && !this.#talk.ended) {
      this.#map.update(menu, { bargeIn: 'none' });
      outcome = await this.#inbox.find(isOutcome, longestPromptMs);
    }
    if (!outcome) return false;
    const endedMs = outcome.atMs;
    this.#talk.expect(this.#map.known());
    this.armed = true;
    const isNews = (event: TalkEvent): event is TalkEvent =>
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

  /** Presses the key of `witness`, a child of the menu, and listens whether that child's prompt comes. */
  async lookAhead(place: Place, witness: CrawlNode): Promise<'same' | 'other' | 'lost'> {
    const { fingerprint } = witness;
    if (!fingerprint || !(await this.press(place, { ...witness, attempts: 0 }))) return 'lost';
    this.#talk.expect([{ id: witness.id, fingerprint }]);
    const isVerdict = (event: TalkEvent): event is Matching =>
      isMatching(event) && event.type !== 'promptBroken' && event.type !== 'promptEnded';
    const verdict = await this.#inbox.find(isVerdict, this.#menuWithinMs);
    if (!verdict) return this.#talk.ended ? 'lost' : 'other';
    if (verdict.type !== 'promptMatched') return 'other';
    const isEnd = (event: TalkEvent): event is Outcome =>
      (event.type === 'promptBroken' || event.type === 'promptEnded') && event.id === witness.id;
    const after = await this.#inbox.find(isEnd, Math.max(0, verdict.startMs + witnessSureMs - this.#talk.now()));
    return after?.type === 'promptBroken' ? 'other' : 'same';
  }
}
