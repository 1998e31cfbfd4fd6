import type { Clock } from '../../base/clock.ts';
import type { EarEvent } from '../../speech/ear.ts';
import type { ActiveCall, ActiveCallEvent } from '../call/activeCall.ts';
import type { Door } from '../call/door.ts';
import type { CallLog } from '../hearing/callLog.ts';
import type { Inbox } from '../hearing/inbox.ts';
import { patience } from '../hearing/patience.ts';
import type { CrawlMap } from './crawlMap.ts';
import { acceptsKeysFromMs, restsOfPrompt, type CrawlNode } from './crawlNode.ts';
import { hear, type HearOptions, type HeardPrompt } from './hear.ts';
import { resemblesMenu } from './sameMenu.ts';

/** A call of a mapping: what hears it, and what all calls know. */
export interface MappingCall {
  readonly call: ActiveCall;
  readonly log: CallLog;
  readonly inbox: Inbox;
  readonly door: Door;
  /** Where in the call's audio the last prompt ended that was heard, or the last action began. */
  readonly heard: { untilMs: number };
  readonly map: CrawlMap;
  readonly clock: Clock;
  /** See `HearOptions.patienceMs`. */
  readonly patienceMs: number | undefined;
}

/** Listens until it is certain what is playing. */
export async function hearPrompt(
  { log, call, inbox, door, heard }: MappingCall,
  options: HearOptions,
): Promise<HeardPrompt> {
  const { fromMs = log.nowMs } = options;
  const prompt = await hear({ log, next: (timeoutMs) => log.next(timeoutMs) }, call, { ...options, fromMs });
  inbox.clear();
  heard.untilMs = prompt.endMs;
  door.hear({ text: prompt.clauses, fromMs, endMs: prompt.endMs });
  return prompt;
}

export type Matching = Extract<EarEvent, { type: 'promptMatched' | 'promptBroken' | 'promptEnded' | 'promptUnknown' }>;
export const isMatching = (event: ActiveCallEvent): event is Matching => event.type.startsWith('prompt');
export const isEnded = (event: ActiveCallEvent): event is Extract<ActiveCallEvent, { type: 'ended' }> =>
  event.type === 'ended';

/** A known menu begins within this time, or within the caller's patience if that is longer. */
export const menuWithinMs = ({ patienceMs = 0 }: MappingCall): number => Math.max(15_000, patienceMs);
export const longestPromptMs = 90_000;
/** A prompt counts as unknown this long after it began. */
export const unknownSinceMs = 1000;
/** Without a fingerprint, a key waits until this far into the prompt. */
const unknownPromptMs = 500;
const unknownEndMs = 1200;
/** A menu that keys don't interrupt accepts one this long after its last sound. */
const afterPromptMs = 500;

/**
 * The menu's prompt hasn't begun, is playing and recognised, has just ended, or has just begun to repeat; or the call
 * has left it without a key.
 */
export interface MenuPlace {
  readonly menu: CrawlNode;
  readonly state: 'coming' | 'playing' | 'ended' | 'again' | 'left';
  /**
   * If the prompt is playing: when it began in the call's audio, or would have begun if only its rest was heard. If the
   * call has left it: when what followed began.
   */
  readonly beganMs?: number;
}

/** A call with nothing to do waits this long for other calls' results, before the menu times out. */
export const standingMs: Readonly<Record<MenuPlace['state'], number>> = {
  ended: 1800,
  playing: 4000,
  coming: 4000,
  again: 4000,
  left: 0,
};

/**
 * When a key can be pressed at a menu: `early` while its recognised prompt plays, `blind` while the prompt can't be
 * recognised yet, `now` after it ended, `lost` if another prompt plays or the call is over.
 */
type Ready = 'early' | 'blind' | 'now' | 'lost';

/**
 * Returns true if the key of this step has to wait for the end of its menu's prompt, because it may have got lost. Once
 * it led on and keys stop this prompt, a bad line can have been the reason, so the prompt is interrupted again.
 */
const mayGetLost = ({ lost = 0, status }: CrawlNode, { bargeIn }: CrawlNode): boolean =>
  lost > (bargeIn === 'works' && (status === 'explored' || status === 'linked') ? 1 : 0);

/** The wait for the moment at which a known menu accepts a key. */
export class MenuWait {
  readonly #call: MappingCall;
  readonly #place: MenuPlace;
  readonly #step: CrawlNode;
  /** When the key before was pressed. */
  readonly #arrivedAtMs: number;
  /** A key counts from this time, in milliseconds of the prompt. */
  readonly #opensMs: number;
  /** The key has to wait for the prompt's end. */
  #patient: boolean;
  /** The menu's prompt is playing and recognised. */
  #matched: boolean;
  /** The prompt was recognised, and then continued differently. */
  #broken = false;
  /** The menu's prompt can still be distinguished from others. */
  #recognisable: boolean;
  /** In clock time. */
  #deadline = 0;
  #beganMs: number | undefined;
  #sawEnd = false;

  /** `early`: before the menu's options, although that can be too early. */
  constructor(call: MappingCall, place: MenuPlace, step: CrawlNode, arrivedAtMs: number, early: boolean) {
    const { menu, state, beganMs } = place;
    this.#call = call;
    this.#place = place;
    this.#step = step;
    this.#arrivedAtMs = arrivedAtMs;
    this.#opensMs = early ? 0 : acceptsKeysFromMs(menu);
    this.#patient =
      step.phrase !== undefined || step.byWaiting === true || menu.bargeIn === 'none' || mayGetLost(step, menu);
    this.#matched = state === 'playing';
    this.#recognisable = menu.fingerprint !== undefined && state !== 'again';
    this.#beganMs = beganMs;
  }

  /** When the menu's prompt began in the call's audio; undefined if it wasn't recognised by its sound. */
  get beganMs(): number | undefined {
    return this.#beganMs;
  }

  /** The prompt was followed to its end, after which a menu certainly accepts a key. */
  get sawEnd(): boolean {
    return this.#sawEnd;
  }

  async ready(): Promise<Ready> {
    const { call, inbox, map } = this.#call;
    const { menu, state } = this.#place;
    if (state === 'ended') return 'now';
    if (state === 'again' && !this.#patient) return 'blind';
    if (this.#matched && !this.#patient && this.#untilMs(this.#beganMs, this.#opensMs) === 0) return 'early';
    // The path is known, so only this menu is expected. Prompts of one IVR begin alike ("You have reached …"), and
    // distinguishing them takes time.
    if (state === 'coming') call.expect(map.expected([menu]), { recognise: map.guarded });
    // Its repetition has begun, so it is recognised only after its next pause.
    if (state === 'again') call.expect(restsOfPrompt(menu));
    this.#wait(this.#firstWaitMs());
    for (;;) {
      const event = await inbox.next(this.#leftMs);
      this.#heedOthers();
      if (!event && this.#leftMs > 0) continue;
      if (!event) return this.#readyInSilence();
      if (event.type === 'ended') return 'lost';
      const ready = isMatching(event) ? await this.#follow(event) : undefined;
      if (ready) return ready;
      if (!this.#recognisable) this.#paceBySpeech(event);
    }
  }

  #wait(ms: number): void {
    this.#deadline = this.#call.clock.now() + ms;
  }

  get #leftMs(): number {
    return this.#deadline - this.#call.clock.now();
  }

  #firstWaitMs(): number {
    if (this.#matched) return this.#patient ? longestPromptMs : this.#untilMs(this.#beganMs, this.#opensMs);
    return this.#recognisable || this.#patient ? menuWithinMs(this.#call) : this.#untilSaidMs();
  }

  /** Decides what it means if nothing more was heard before the deadline. */
  #readyInSilence(): Ready {
    if (this.#matched) return this.#patient ? 'now' : 'early';
    if (this.#recognisable) return 'lost';
    return this.#patient ? 'now' : 'blind';
  }

  /** Other calls may have learned by now that keys don't interrupt the prompt, or that the key counts earlier. */
  #heedOthers(): void {
    const { menu } = this.#place;
    if (!this.#patient && this.#matched && menu.bargeIn === 'none') {
      this.#patient = true;
      this.#wait(longestPromptMs);
    }
    if (this.#patient || this.#broken || (this.#recognisable && !this.#matched)) return;
    const untilMs = this.#matched ? this.#untilMs(this.#beganMs, acceptsKeysFromMs(menu)) : this.#untilSaidMs();
    this.#wait(Math.min(this.#leftMs, untilMs));
  }

  /** Returns how long it takes until a prompt that began at `beganMs` has played for this long; 0 if that isn't known. */
  #untilMs(beganMs: number | undefined, playedMs: number): number {
    return beganMs === undefined ? 0 : Math.max(0, beganMs + playedMs - this.#call.call.now());
  }

  /**
   * Returns how long it takes until the prompt offers options. If another call is still hearing it, and doesn't know
   * where they begin, the key waits for where that call understood it. Nothing before the menu can swallow the key then.
   */
  #untilSaidMs(): number {
    const { menu } = this.#place;
    const { understoodMs = unknownPromptMs } = this.#step;
    const { promptStartMs, offersFromMs = understoodMs } = menu;
    return promptStartMs === undefined
      ? this.#untilMs(this.#arrivedAtMs, Math.min(offersFromMs, understoodMs))
      : this.#untilMs(this.#arrivedAtMs + promptStartMs, acceptsKeysFromMs(menu));
  }

  /** Follows the menu's prompt until a key can be pressed. */
  async #follow(event: Matching): Promise<Ready | undefined> {
    // On a bad line the beginning isn't recognised; the words show whether it is this menu.
    if (event.type === 'promptUnknown')
      return this.#recognisable && !this.#matched ? this.#recogniseByWords() : undefined;
    if (event.id !== this.#place.menu.id) return undefined;
    switch (event.type) {
      case 'promptMatched':
        this.#beganMs = event.startMs - (event.offsetMs ?? 0);
        this.#matched = true;
        this.#wait(this.#firstWaitMs());
        return undefined;
      case 'promptEnded':
        // After its last sound a prompt can continue in silence, and lose the key.
        await this.#call.inbox.peek(isEnded, afterPromptMs);
        this.#sawEnd = true;
        return 'now';
      case 'promptBroken':
        // Nothing was pressed, so the bad line breaks the match. Wait for the prompt's end without it.
        if (!this.#matched) return undefined;
        this.#matched = this.#recognisable = false;
        this.#broken = true;
        this.#wait(menuWithinMs(this.#call));
        return undefined;
    }
  }

  /** If a prompt can't be recognised, only speech shows when it plays and when it may be over. */
  #paceBySpeech({ type }: ActiveCallEvent): void {
    if (!this.#patient || this.#matched) return;
    const { map } = this.#call;
    if (type === 'speechPause') this.#wait(Math.max(unknownEndMs, (map.pauseMs ?? 0) * patience.pause.growth));
    if (type === 'speechStart' || type === 'speechResume') this.#wait(menuWithinMs(this.#call));
  }

  async #recogniseByWords(): Promise<Ready> {
    const { call, map, patienceMs } = this.#call;
    const { menu } = this.#place;
    const heard = await hearPrompt(this.#call, {
      fromMs: Math.max(0, call.now() - unknownSinceMs),
      patienceMs,
      known: () => map.known(),
    });
    if (heard.knownId !== undefined) return heard.knownId === menu.id ? 'early' : 'lost';
    if (heard.kind !== 'menu') return 'lost';
    return menu.reading && resemblesMenu(heard.reading, menu.reading) ? 'now' : 'lost';
  }
}
