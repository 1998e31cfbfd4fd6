import { ivrFileSchema, type IvrFile } from '../../src/contract/ivrFile.ts';
import { seededRandom } from '../../src/practice/random.ts';
import { listed } from './listed.ts';
import type { SimulatedCall } from './simulatedDialer.ts';

const plainLabels = listed(`
  opening hours | directions | our address | billing | your balance | questions about a bill | store locations |
  the latest news | parking information | today's weather
`);
const actLabels = listed(`
  cancel your appointment | pay your bill | close your account | delete your messages | order a new card
`);
const sorry = 'Sorry, we did not hear you.';
const warning = 'By pressing any key you agree to a charge of five pounds.';

interface Menu {
  readonly before: string;
  readonly options: { readonly key: string; readonly label: string; readonly next: string; readonly acts: boolean }[];
  readonly timeoutMs: number;
  readonly onTimeout: string | undefined;
}

interface State {
  readonly prompt: string;
  readonly keys?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly onTimeout?: { readonly prompt: string; readonly next?: string };
  readonly end?: 'hangup';
}

/** What a prompt offers: whether each of its keys acts. A warning makes all of them act. */
type Offers = ReadonlyMap<string, boolean>;

/** A small IVR of harmless menus that changes at any call and place, so that some keys become harmful. */
export class ChangingIvr {
  readonly #random: () => number;
  readonly #seed: number;
  readonly #firstChange: number;
  readonly #base: ReadonlyMap<string, Menu>;
  readonly #leaves = new Map<string, string>();
  /** By prompt. */
  readonly #offers = new Map<string, Offers>();

  constructor(seed: number) {
    this.#random = seededRandom(seed * 7717 + 5);
    this.#seed = seed;
    this.#firstChange = this.#below(4);
    const labels = plainLabels.toSorted(() => this.#random() - 0.5);
    const timeoutMs = this.#one([1200, 2000, 2800, 4000, 6000]);
    const base = new Map<string, Menu>();
    const menuAt = (name: string, depth: number): void => {
      const options = Array.from({ length: 1 + this.#below(depth === 0 ? 4 : 3) }, (_, index) => {
        const key = String(index + 1);
        const label = labels.pop() ?? 'information';
        const next = `${name}${key}`;
        if (depth < 2 && this.#random() < (depth === 0 ? 0.6 : 0.3)) menuAt(next, depth + 1);
        else this.#leaves.set(next, `This is the page ${next.split('').join(' ')} about ${label}. Goodbye.`);
        return { key, label, next, acts: false };
      });
      const before = depth === 0 ? 'Welcome to the harbour office.' : `This is part ${name.split('').join(' ')}.`;
      base.set(name, { before, options, timeoutMs, onTimeout: this.#random() < 0.5 ? sorry : undefined });
    };
    menuAt('m', 0);
    this.#base = base;
  }

  /** The IVR as the nth call meets it, from 0. */
  at(call: number): IvrFile {
    const menus = new Map(this.#base);
    const changed = call < this.#firstChange ? [] : [...menus.keys()].filter(() => this.#random() < 0.5);
    for (const name of changed) this.#change(menus, name);
    const states: Record<string, State> = {};
    for (const [name, menu] of menus) {
      const prompt = this.#promptOf(menu);
      this.#offers.set(
        prompt,
        new Map(menu.options.map(({ key, acts }) => [key, acts || menu.before.includes(warning)])),
      );
      const elsewhere = menus.has(menu.onTimeout ?? '') ? menu.onTimeout : undefined;
      states[name] = {
        prompt,
        keys: Object.fromEntries(menu.options.map(({ key, next }) => [key, next])),
        timeoutMs: menu.timeoutMs,
        ...(elsewhere !== undefined && { onTimeout: { prompt: sorry, next: elsewhere } }),
        ...(menu.onTimeout === sorry && { onTimeout: { prompt: sorry } }),
      };
    }
    for (const [name, prompt] of this.#leaves) states[name] = { prompt, end: 'hangup' };
    for (const act of actLabels) states[nameOf(act)] = { prompt: `We will now ${act}. Done.`, end: 'hangup' };
    const reached = new Set(['m']);
    for (const name of reached) {
      const { keys = {}, onTimeout } = states[name] ?? {};
      for (const next of [...Object.values(keys), onTimeout?.next ?? 'm']) reached.add(next);
    }
    const own = Object.entries(states).filter(([name]) => reached.has(name));
    return ivrFileSchema.parse({ name: 'Changing', start: 'm', states: Object.fromEntries(own) });
  }

  /**
   * Returns what is wrong with pressing this key now: its harmless offer wasn't heard whole since the last one. A menu
   * that has just begun can't be noticed yet, so `race` counts that apart.
   */
  wrongKey(call: SimulatedCall, key: string, sinceMs: number): string | undefined {
    const now = call.now();
    const heard = call.played.filter(({ endMs }) => endMs > sinceMs);
    const isRace = now - (heard.at(-1)?.startMs ?? 0) < unnoticedMs;
    const [last, ...before] = (isRace ? heard.slice(0, -1) : heard).toReversed();
    if (!last) return 'heard nothing';
    const offers = this.#offers.get(last.text);
    const acts = offers?.get(key);
    if (acts === undefined) return `unoffered: ${last.text}`;
    if (acts) return `acts: ${last.text}`;
    if (before.some(({ text }) => text.includes(warning))) return 'after a warning';
    return last.endMs > now && !isRace ? `into: ${last.text}` : undefined;
  }

  #change(menus: Map<string, Menu>, name: string): void {
    const menu = menus.get(name)!;
    const act = this.#one(actLabels);
    const acting = (key: string) => ({ key, label: act, next: nameOf(act), acts: true });
    const at = this.#below(menu.options.length);
    const harmful = menu.options.map((option, index) => (index === at ? acting(option.key) : option));
    switch (this.#below(5)) {
      case 0:
        menus.set(name, { ...menu, options: harmful });
        break;
      case 1: // Lengthened: what was first moves on.
        menus.set(name, {
          ...menu,
          options: [acting('1'), ...menu.options.map((option) => ({ ...option, key: String(Number(option.key) + 1) }))],
        });
        break;
      case 2:
        menus.set(name, { ...menu, before: this.#one([`${warning} ${menu.before}`, `${menu.before} ${warning}`]) });
        break;
      case 3:
        menus.set(`${name}x`, { ...menu, before: 'You are in the account office.', options: harmful });
        menus.set(name, { ...menu, onTimeout: `${name}x` });
        break;
      default: {
        const other = this.#one([...menus.values()]);
        menus.set(name, { ...other, before: `${this.#one([warning, 'One moment.'])} ${other.before}` });
      }
    }
  }

  #promptOf({ before, options }: Menu): string {
    const isKeyFirst = this.#seed % 3 === 0;
    return [
      before,
      ...options.map(({ key, label, acts }) =>
        isKeyFirst ? `Press ${key} ${acts ? 'to' : 'for'} ${label}.` : `${acts ? 'To' : 'For'} ${label}, press ${key}.`,
      ),
    ].join(' ');
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
  #one<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }
}

const nameOf = (act: string): string => act.replaceAll(' ', '-');
/** Speech is known to have begun after this time, and a key takes 100 ms. */
const unnoticedMs = 450;
