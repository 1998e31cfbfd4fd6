import { randomUUID } from 'node:crypto';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { MappingConfig } from '../../contract/mapping.ts';
import { partedByEcho } from '../../language/menu/spoken.ts';
import type { MenuReading } from '../../contract/menu.ts';
import { stayWay } from '../../contract/tree.ts';
import { actsOfKey } from '../../language/labels/announced.ts';
import { forbiddenKeyIn } from '../../model/calls/forbiddenKeys.ts';
import { upwards } from '../../model/tree/upwards.ts';
import { whyLabelsDoubted, whyNotPressed, type PressRules } from '../../language/labels/pressRules.ts';
import { englishLexicon } from '../../language/menu/english.ts';
import { LiveGuard } from '../../language/mission/liveGuard.ts';
import type { ExpectedPrompt, Fingerprint } from '../../speech/ear.ts';
import type { CrawlEvent } from './crawlEvent.ts';
import {
  decided,
  expectedPrompts,
  isMenu,
  isOpen,
  type CrawlNode,
  type MenuFacts,
  type ReportedStep,
} from './crawlNode.ts';
import type { HeardPrompt } from './hear.ts';
import { isSameLabel } from '../hearing/promptText.ts';
import { sameMenu } from './sameMenu.ts';

interface CrawlMapConfig extends Pick<MappingConfig, 'maxDepth' | 'mappingMode'>, PressRules {
  readonly guarded: boolean;
  readonly forbiddenKeys: string;
}

/** Returns why an open option wasn't explored when its run ended. `why` is part of a sentence. */
export const whyLeftOut = ({ cut }: Pick<CrawlNode, 'cut'>, why: string): string =>
  cut === true ? `Dialtree hung up while this was playing, because ${why}.` : `Not reached, because ${why}.`;

/** One key of a path, and the menu that it leads to. */
export interface PathStep {
  readonly key: CrawlNode;
  readonly menu: CrawlNode;
}

const forbiddenWhy =
  "This workspace forbids this key on the public network (forbiddenKeys), so Dialtree didn't press it.";

type Offer = Pick<CrawlNode, 'digit' | 'label' | 'means' | 'hidden' | 'parentId' | 'byWaiting'>;

/** During a run, only options that must not be pressed are skipped. */
const isUntried = (node: CrawlNode): boolean => isOpen(node) || node.status === 'skipped';

/** "Press or say two": the phrase means the same as the key. */
function meaningOf(phrase: string, { options }: MenuReading): Pick<CrawlNode, 'means'> {
  const option = options.find(({ key }) => englishLexicon.keyNames[key] === phrase);
  return option ? { means: option.label } : {};
}

/** Returns true for a key that IVRs often hide, unlike one that a menu left out of its numbering. */
const isUsuallyHidden = ({ digit }: CrawlNode): boolean => digit === '0' || digit === '*' || digit === '#';

/** The tree as far as it is known, and the options that are still open. Reports every change. */
export class CrawlMap {
  readonly #nodes = new Map<string, CrawlNode>();
  readonly #children = new Map<string, CrawlNode[]>();
  readonly #config: CrawlMapConfig;
  readonly #emit: (event: CrawlEvent) => void;
  #root: CrawlNode | undefined;
  /** A menu at the maximum depth had options that weren't followed. */
  depthLimited = false;
  #pauseMs: number | undefined;
  readonly #heardNow = new Map<string, () => Fingerprint>();

  constructor(config: CrawlMapConfig, emit: (event: CrawlEvent) => void) {
    this.#config = config;
    this.#emit = emit;
  }

  begin(resumed: readonly CrawlNode[]): void {
    for (const node of resumed) {
      const open = node.status === 'exploring' || node.status === 'pending';
      this.#add({ ...node, ...(open ? this.#firstStatus(node) : {}) });
    }
    if (!this.#root) this.#add({ id: randomUUID(), label: '', depth: 0, status: 'pending', attempts: 0 });
  }

  /** The longest silence between two options of a menu, in milliseconds, or undefined before the first menu. */
  get pauseMs(): number | undefined {
    return this.#pauseMs;
  }
  /** A call hears this step, and this is its sound so far. Returns a function for when it has been heard. */
  hears(node: CrawlNode, soundSoFar: () => Fingerprint): () => void {
    this.#heardNow.set(node.id, soundSoFar);
    return () => {
      this.#heardNow.delete(node.id);
    };
  }
  /** Returns what a call has heard so far of this step, from the key that leads there. */
  soundSoFar({ id }: CrawlNode): Fingerprint | undefined {
    return this.#heardNow.get(id)?.();
  }

  heardPause(pauseMs: number): void {
    this.#pauseMs = Math.max(this.#pauseMs ?? 0, pauseMs);
  }

  /** What may be sent on a call. */
  get rules(): { readonly forbiddenKeys: string; readonly guard: LiveGuard | undefined } {
    const { guarded, forbiddenKeys } = this.#config;
    return { forbiddenKeys, guard: guarded ? new LiveGuard('', this.#config) : undefined };
  }

  /** Whether the number is live. */
  get guarded(): boolean {
    return this.#config.guarded;
  }

  get root(): CrawlNode {
    if (!this.#root) throw new Error("The map hasn't begun.");
    return this.#root;
  }

  get nodes(): IterableIterator<CrawlNode> {
    return this.#nodes.values();
  }
  node(id: string | undefined): CrawlNode | undefined {
    return id === undefined ? undefined : this.#nodes.get(id);
  }
  /** Returns the menu with this id, or the one that a key leads to since, so that waiting only links to it. */
  menu(id: string | undefined): CrawlNode | undefined {
    const node = this.node(id);
    return node?.byWaiting === true && node.linksTo !== undefined ? this.node(node.linksTo) : node;
  }
  childrenOf(node: CrawlNode): readonly CrawlNode[] {
    return this.#children.get(node.id) ?? [];
  }
  parentOf(node: CrawlNode): CrawlNode | undefined {
    return node.parentId === undefined ? undefined : this.#nodes.get(node.parentId);
  }
  openNodes(): CrawlNode[] {
    return [...this.#nodes.values()].filter(isOpen);
  }

  /**
   * Returns the prompts by which known menus are recognised on the way to `task`. A key that may lead where waiting leads
   * is heard to its end, because the menu then moves there.
   */
  known(task?: CrawlNode): ExpectedPrompt[] {
    return this.others(task, (menu) => menu.byWaiting === true && menu.parentId === task?.parentId);
  }

  /** Returns the prompts of all menus that `task` may link to. A menu is never a link to one below it. */
  others(task?: CrawlNode, except: (menu: CrawlNode) => boolean = () => false): ExpectedPrompt[] {
    const menus = [...this.#nodes.values()].filter((menu) => !(task && (this.isBelow(menu, task) || except(menu))));
    return this.expected(menus, task?.notSame);
  }

  /** Returns true if a node is `above`, or is below it. */
  isBelow(node: CrawlNode, above: CrawlNode): boolean {
    for (const at of upwards(node, (below) => this.parentOf(below))) if (at === above) return true;
    return false;
  }

  /** Returns what can be recognised of these menus by sound: on a live number, only whole prompts. */
  expected(menus: Iterable<CrawlNode>, except: readonly string[] = []): ExpectedPrompt[] {
    return expectedPrompts(menus, { except, whole: this.#config.guarded });
  }

  /** Returns the shortest key sequence from the menu `from` to every node that known menus and links lead to. */
  waysFrom(from: CrawlNode): ReadonlyMap<CrawlNode, readonly PathStep[]> {
    const ways = new Map<CrawlNode, readonly PathStep[]>([[from, []]]);
    for (const [menu, way] of ways) {
      // Another call may still be hearing it, so nothing leads on from there yet.
      if (menu !== from && !isMenu(menu)) continue;
      for (const key of this.childrenOf(menu)) {
        if (!this.mayPress(key)) continue;
        const menuThere = key.status === 'linked' && key.linksTo !== undefined ? this.#nodes.get(key.linksTo) : key;
        if (menuThere && !ways.has(menuThere)) ways.set(menuThere, [...way, { key, menu: menuThere }]);
      }
    }
    return ways;
  }

  /** Returns undefined if there is no path. */
  route(from: CrawlNode, to: CrawlNode): readonly PathStep[] | undefined {
    return this.waysFrom(from).get(to);
  }

  /** Returns false once the prompt that promised this node turned out to be another. */
  has(node: CrawlNode): boolean {
    return this.#nodes.get(node.id) === node;
  }

  update(node: CrawlNode, change: Partial<ReportedStep>): void {
    if (!this.has(node)) return;
    Object.assign(node, change);
    this.#emit({ type: 'node', node: { ...node } });
  }

  /** Adds what a call found out about a menu. */
  learn(menu: CrawlNode, facts: MenuFacts): void {
    Object.assign(menu, facts);
  }

  /** Leaves out what is still open. `why` is part of a sentence. A call that Dialtree cut off proves no end. */
  skipOpen(why: string): void {
    for (const node of [...this.#nodes.values()]) {
      if (node.status !== 'exploring' && node.status !== 'pending') continue;
      // It was heard once, and the call that would have waited longer wasn't placed.
      if (node.fellSilent === true) this.update(node, { status: 'explored', end: 'dead-air' });
      else this.update(node, { status: 'skipped', reason: whyLeftOut(node, why) });
    }
  }

  fail(node: CrawlNode, reason: string): void {
    this.update(node, { status: 'failed', reason });
  }

  /**
   * Adds the options that can be read while the prompt still plays. On a live number it waits, because the rest can
   * change their meaning ("press 2 for your account … cancellation").
   */
  growEarly(parent: CrawlNode, reading: MenuReading, understoodMs: number): void {
    if (!this.#config.guarded) this.grow(parent, reading, understoodMs);
  }

  /** Adds the options that can be read so far. Called whenever the reading grows. */
  grow(parent: CrawlNode, reading: MenuReading, understoodMs: number): void {
    const { mappingMode, maxDepth } = this.#config;
    const byKey = mappingMode !== 'voice' || reading.speech.length === 0;
    const byVoice = mappingMode === 'voice' || (mappingMode === 'hybrid' && reading.options.length === 0);
    const offers: Pick<CrawlNode, 'digit' | 'phrase' | 'label' | 'means'>[] = [
      ...(byKey ? reading.options.map(({ key, label }) => ({ digit: key, label })) : []),
      ...(byVoice ? reading.speech.map((phrase) => ({ phrase, label: phrase, ...meaningOf(phrase, reading) })) : []),
    ];
    if (offers.length === 0 || !this.has(parent)) return;
    if (parent.depth >= maxDepth) {
      this.depthLimited = true;
      return;
    }
    const present = this.childrenOf(parent);
    for (const offer of offers) {
      const child = present.find((other) =>
        offer.digit === undefined ? other.phrase === offer.phrase : other.digit === offer.digit,
      );
      if (!child)
        this.#add({
          id: randomUUID(),
          parentId: parent.id,
          ...offer,
          depth: parent.depth + 1,
          attempts: 0,
          understoodMs,
          ...this.#firstStatus({ ...offer, parentId: parent.id }, reading),
        });
      else if (isOpen(child) && child.label !== offer.label) {
        // It was heard with other words, so its earlier meaning no longer counts.
        this.update(child, {
          label: offer.label,
          ...this.#firstStatus({ ...offer, parentId: parent.id, ...(child.hidden && { hidden: true }) }, reading),
        });
      }
    }
  }

  /**
   * If the state after a phrase begins by repeating only the phrase's first words ("Billing. You can say …" after
   * "billing technical support"), the recogniser joined two phrases: makes them two options.
   */
  splitByEcho(node: CrawlNode, text: string): void {
    const parent = this.parentOf(node);
    const [first, rest] = partedByEcho(node.phrase ?? '', text);
    if (!parent?.reading || first === undefined || rest === undefined) return;
    this.update(node, { phrase: first, label: first });
    this.grow(parent, { ...parent.reading, options: [], speech: [rest] }, node.understoodMs ?? 0);
  }

  #isForbidden({ digit }: Pick<CrawlNode, 'digit'>): boolean {
    return digit !== undefined && forbiddenKeyIn(digit, this.#config.forbiddenKeys) !== undefined;
  }

  /** Returns true if a menu that was just read still offers this option, and nothing else under its key. */
  stillOffers({ digit, phrase, label }: CrawlNode, { reading }: Pick<HeardPrompt, 'reading'>): boolean {
    if (digit === undefined) return phrase !== undefined && reading.speech.includes(phrase);
    const offered = reading.options.filter(({ key }) => key === digit);
    return offered.length > 0 && offered.every((option) => isSameLabel(option.label, label));
  }

  /** Returns true if the key or phrase of this option may be used on this number. */
  mayPress(offer: Offer): boolean {
    return this.#whyNot(offer) === undefined;
  }

  #firstStatus(offer: Offer, reading?: MenuReading): Pick<CrawlNode, 'status' | 'reason'> {
    const reason = this.#whyNot(offer, undefined, reading);
    return reason === undefined ? { status: 'pending' } : { status: 'skipped', reason };
  }

  /**
   * @param prompt the prompt that offers it
   * @param reading what is read from that prompt
   */
  #whyNot(
    offer: Offer,
    prompt = this.node(offer.parentId)?.transcript ?? '',
    reading = this.node(offer.parentId)?.reading,
  ): string | undefined {
    if (this.#isForbidden(offer)) return forbiddenWhy;
    if (!this.#config.guarded || offer.byWaiting === true) return undefined;
    if (offer.hidden === true) return "No prompt offers this key. Dialtree doesn't press such keys on a live number.";
    const announced = offer.digit === undefined ? undefined : actsOfKey(prompt, offer.digit);
    const own = whyNotPressed(offer.means ?? offer.label, this.#config, announced);
    if (own !== undefined || !reading || (offer.digit ?? offer.means) === undefined) return own;
    // A system can take the first of several keys for an option.
    const firstKeys = reading.options.filter(({ key }) => key !== offer.digit && offer.digit?.startsWith(key));
    return (
      whyLabelsDoubted(reading, this.#config) ??
      firstKeys
        .map(({ key, label }) => whyNotPressed(label, this.#config, actsOfKey(prompt, key)))
        .find((why) => why !== undefined)
    );
  }

  /** Returns false if the whole prompt of the menu above doesn't offer this key. */
  offers(node: CrawlNode): boolean {
    const { digit } = node;
    const menu = this.parentOf(node);
    if (digit === undefined || menu?.status !== 'explored' || !menu.reading) return true;
    return menu.reading.options.some(({ key }) => key === digit);
  }

  /** Removes options that a partial reading promised but the whole prompt doesn't offer, unless they lead somewhere. */
  prune(parent: CrawlNode): void {
    for (const child of [...this.childrenOf(parent)])
      if (!child.hidden && !this.offers(child) && (isUntried(child) || child.linksTo === parent.id)) this.remove(child);
  }

  removeOpenChildren(node: CrawlNode): void {
    for (const child of [...this.childrenOf(node)]) if (isUntried(child)) this.remove(child);
  }

  removeChildren(node: CrawlNode): void {
    for (const child of [...this.childrenOf(node)]) this.remove(child);
  }

  addHidden(parent: CrawlNode, digit: string): CrawlNode {
    return this.#add(
      {
        id: randomUUID(),
        parentId: parent.id,
        digit,
        label: '',
        depth: parent.depth + 1,
        status: 'exploring',
        attempts: 0,
        hidden: true,
      },
      false,
    );
  }

  /** Returns where this menu leads by itself, added if that isn't known yet; undefined at the maximum depth. */
  addWait(menu: CrawlNode): CrawlNode | undefined {
    if (menu.depth >= this.#config.maxDepth) return undefined;
    const known = this.childrenOf(menu).find(({ byWaiting }) => byWaiting === true);
    const { id: parentId, depth } = menu;
    return (
      known ??
      this.#add({
        id: randomUUID(),
        parentId,
        byWaiting: true,
        label: stayWay,
        depth: depth + 1,
        status: 'pending',
        attempts: 0,
      })
    );
  }

  /** Waiting leads to a known menu. A menu that gives up and returns to one above it doesn't lead anywhere. */
  waitInto(waited: CrawlNode, target: CrawlNode): void {
    if (this.isBelow(waited, target)) this.remove(waited);
    else this.update(waited, { status: 'linked', linksTo: target.id });
  }

  /** A key leads where waiting leads: moves what was found below `waited` to `node`, which is reached faster. */
  takeOver(node: CrawlNode, waited: CrawlNode): void {
    this.#moveChildren(waited, node);
    this.update(waited, { status: 'linked', linksTo: node.id });
  }

  /** No key is taken before the menu `waited`: both are one prompt, which is heard again as a whole. */
  absorb(waited: CrawlNode): void {
    const menu = this.parentOf(waited);
    if (!menu) return;
    this.learn(menu, { ...decided, fingerprint: undefined });
    this.#moveChildren(waited, menu);
    for (const link of [...this.#nodes.values()])
      if (link.linksTo === waited.id) this.update(link, { linksTo: menu.id });
    this.remove(waited);
    menu.isWhole = true;
    this.update(menu, { status: 'pending' });
  }

  /** Returns true if this menu has a key that seems to lead where `key` of another menu leads. */
  isOfferedAt(menu: CrawlNode, key: CrawlNode): boolean {
    const same = this.childrenOf(menu).find(({ digit }) => digit === key.digit);
    if (!same || same.transcript === undefined || key.transcript === undefined) return same !== undefined;
    return same.linksTo === key.id || key.linksTo === same.id || isSameLabel(same.transcript, key.transcript);
  }

  #moveChildren(from: CrawlNode, to: CrawlNode): void {
    const wayOf = ({ digit, phrase }: CrawlNode): string | undefined => digit ?? phrase;
    const present = new Map(this.childrenOf(to).map((child) => [wayOf(child), child]));
    for (const child of [...this.childrenOf(from)]) {
      const same = present.get(wayOf(child));
      // A guessed key turned out to be offered here.
      if (same?.hidden === true) this.update(same, { label: child.label, hidden: child.hidden });
      if (same) this.remove(child);
      else this.#move(child, to);
    }
  }

  /** The menu moves to a step that linked to it. */
  #inherit(heir: CrawlNode, menu: CrawlNode): void {
    const { transcript, words, reading, promptMs } = menu;
    this.#moveChildren(menu, heir);
    this.learn(heir, { fingerprint: menu.fingerprint });
    const heard = withoutUndefined({ transcript, words, reading, promptMs });
    this.update(heir, { ...heard, status: 'explored', linksTo: undefined });
  }

  #move(child: CrawlNode, parent: CrawlNode): void {
    this.#leaveParent(child);
    this.#children.set(parent.id, [...this.childrenOf(parent), child]);
    this.#sink(child, parent);
  }

  #leaveParent({ id, parentId = '' }: CrawlNode): void {
    const siblings = this.#children.get(parentId) ?? [];
    this.#children.set(
      parentId,
      siblings.filter((sibling) => sibling.id !== id),
    );
  }

  /** Gives a step its place below `parent`, and all steps below it theirs. */
  #sink(child: CrawlNode, parent: CrawlNode): void {
    this.update(child, { parentId: parent.id, depth: parent.depth + 1 });
    for (const below of this.childrenOf(child)) this.#sink(below, child);
  }

  /** Returns true if this option is below a menu that waiting leads to, and a key may still lead there faster. */
  isPremature(node: CrawlNode): boolean {
    for (const at of upwards(this.parentOf(node), (below) => below && this.parentOf(below))) {
      const menu = at.byWaiting === true ? this.parentOf(at) : undefined;
      const isUndecided = ({ status }: CrawlNode): boolean => status === 'pending' || status === 'exploring';
      if (menu && (menu.doubtedMs !== undefined || this.childrenOf(menu).some(isUndecided))) return true;
    }
    return false;
  }

  /**
   * Returns unoffered keys that seem to lead somewhere. Until a menu of this number has rejected a key, they prove
   * nothing: if only one try is allowed, each wrong key leads to the same node.
   */
  unproven(): CrawlNode[] {
    const nodes = [...this.#nodes.values()];
    return nodes.some((node) => node.rejects === true)
      ? []
      : nodes.filter((node) => node.hidden === true && node.status !== 'exploring' && isUsuallyHidden(node));
  }

  /** Removes a node with everything below it. A menu that another step links to moves there. */
  remove(node: CrawlNode): void {
    if (!this.has(node)) return;
    const links = [...this.#nodes.values()].filter((other) => other.linksTo === node.id && !this.isBelow(other, node));
    const [heir] = links;
    const target = node.status === 'linked' ? node.linksTo : heir?.id;
    if (heir && target === heir.id) this.#inherit(heir, node);
    for (const link of links) if (link.id !== target) this.update(link, { linksTo: target });
    this.removeChildren(node);
    this.#nodes.delete(node.id);
    this.#leaveParent(node);
    this.#emit({ type: 'nodeRemoved', nodeId: node.id });
  }

  /** Stores what was heard at a node, with its fingerprint and its recording. */
  keep(node: CrawlNode, heard: HeardPrompt, prompt: Fingerprint, step: Int16Array, change: Partial<CrawlNode>): void {
    const promptMs = heard.endMs - heard.startMs;
    this.update(node, {
      ...change,
      transcript: heard.text,
      words: heard.words.map((word) => ({
        ...word,
        startMs: word.startMs - heard.startMs,
        endMs: word.endMs - heard.startMs,
      })),
      reading: heard.reading,
      promptMs,
      durationMs: step.length / 8,
    });
    if (heard.kind !== 'known') this.learn(node, { fingerprint: prompt });
    this.#emit({ type: 'audio', nodeId: node.id, pcm: step });
  }

  /** Links `node` to the menu `target`, which it repeats. Words before the menu are kept as the node's transcript. */
  link(
    node: CrawlNode,
    target: CrawlNode,
    heard: HeardPrompt,
    prompt: Fingerprint,
    step: Int16Array,
    change: Partial<CrawlNode>,
  ): void {
    this.removeChildren(node);
    this.keep(node, heard, prompt, step, { ...change, status: 'linked', linksTo: target.id });
    if (heard.kind !== 'known' && node.fingerprint)
      this.learn(target, { aliases: [...(target.aliases ?? []), node.fingerprint] });
  }

  /** Returns true if another menu is known to offer all of this: it may still play, or have been reached again. */
  mayBeKnown(task: CrawlNode, { options }: MenuReading): boolean {
    if (options.length === 0) return false;
    return [...this.#children].some(([id, children]) => {
      const labels = new Map(children.map(({ digit, label }) => [digit, label]));
      return id !== task.id && options.every(({ key, label }) => isSameLabel(labels.get(key) ?? '', label));
    });
  }

  /** Returns another menu with the same words and options, if `heard` is it, with or without an announcement. */
  twinOf(node: CrawlNode, heard: HeardPrompt): CrawlNode | undefined {
    const below = [...this.#nodes.values()].filter((other) => this.isBelow(other, node)).map(({ id }) => id);
    return this.menuLike(heard, [...below, ...(node.notSame ?? [])]);
  }

  menuLike(heard: Pick<HeardPrompt, 'text' | 'reading'>, except: readonly string[] = []): CrawlNode | undefined {
    for (const menu of this.#nodes.values()) {
      if (
        isMenu(menu) &&
        !except.includes(menu.id) &&
        menu.reading &&
        sameMenu(heard.text, heard.reading, menu.transcript ?? '', menu.reading)
      )
        return menu;
    }
    return undefined;
  }

  #add(node: CrawlNode, tell = true): CrawlNode {
    this.#nodes.set(node.id, node);
    if (node.parentId === undefined) this.#root = node;
    else this.#children.set(node.parentId, [...(this.#children.get(node.parentId) ?? []), node]);
    if (tell) this.#emit({ type: 'node', node: { ...node } });
    return node;
  }
}
