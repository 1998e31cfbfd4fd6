import { randomUUID } from 'node:crypto';
import type { MappingConfig } from '../../contract/mapping.ts';
import type { MenuReading } from '../../contract/menu.ts';
import { actsOfKey } from '../../language/labels/announced.ts';
import { whyNotPressed, type PressRules } from '../../language/labels/pressRules.ts';
import { english } from '../../language/menu/english.ts';
import type { ExpectedPrompt, Fingerprint } from '../../speech/ear.ts';
import type { CrawlEvent } from './crawlEvent.ts';
import { expectedPrompts, isMenu, isOpen, type CrawlNode } from './crawlNode.ts';
import type { HeardPrompt } from './hear.ts';
import { isSameLabel } from '../hearing/promptText.ts';
import { sameMenu } from './sameMenu.ts';

interface CrawlMapConfig extends Pick<MappingConfig, 'maxDepth' | 'mappingMode'>, PressRules {
  readonly guarded: boolean;
  readonly forbiddenKeys: string;
}

/** Why an open place was not explored when its run ended; `why` is part of a sentence. */
export const whyLeftOut = ({ cut }: Pick<CrawlNode, 'cut'>, why: string): string =>
  cut === true ? `Dialtree hung up while this was playing, because ${why}.` : `Not reached, because ${why}.`;

/** One key on a way, and the menu that it leads to. */
export interface Step {
  readonly key: CrawlNode;
  readonly menu: CrawlNode;
}

const forbiddenWhy =
  "This workspace forbids this key on the public network (forbiddenKeys), so Dialtree didn't press it.";

type Offer = Pick<CrawlNode, 'digit' | 'label' | 'means' | 'hidden' | 'parentId'>;

/** While a run goes on, only what must not be pressed is skipped. */
const isUntried = (node: CrawlNode): boolean => isOpen(node) || node.status === 'skipped';

/** "Press or say two": the phrase stands for what the key does. */
function meaningOf(phrase: string, { options }: MenuReading): Pick<CrawlNode, 'means'> {
  const option = options.find(({ key }) => english.keyNames[key] === phrase);
  return option ? { means: option.label } : {};
}

/** A key that IVRs hide, other than one that a menu left out in its numbering. */
const isUsuallyHidden = ({ digit }: CrawlNode): boolean => digit === '0' || digit === '*' || digit === '#';

/** The tree as far as it is known, and what is still to be tried. Tells every change. */
export class CrawlMap {
  readonly #nodes = new Map<string, CrawlNode>();
  readonly #children = new Map<string, CrawlNode[]>();
  readonly #config: CrawlMapConfig;
  readonly #emit: (event: CrawlEvent) => void;
  #root: CrawlNode | undefined;
  /** A menu at the deepest level had options that were not followed. */
  depthLimited = false;
  #pauseMs: number | undefined;

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

  /** The longest silence between two options of a menu, in milliseconds; undefined before the first menu. */
  get pauseMs(): number | undefined {
    return this.#pauseMs;
  }
  heardPause(pauseMs: number): void {
    this.#pauseMs = Math.max(this.#pauseMs ?? 0, pauseMs);
  }

  /** The number is live. */
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
  childrenOf(node: CrawlNode): readonly CrawlNode[] {
    return this.#children.get(node.id) ?? [];
  }
  parentOf(node: CrawlNode): CrawlNode | undefined {
    return node.parentId === undefined ? undefined : this.#nodes.get(node.parentId);
  }
  openNodes(): CrawlNode[] {
    return [...this.#nodes.values()].filter(isOpen);
  }

  known(except?: CrawlNode): ExpectedPrompt[] {
    return expectedPrompts(this.#nodes.values(), except?.notSame ?? []);
  }

  /** The keys from the menu `from` to every place that known menus and links lead to, the fewest for each. */
  waysFrom(from: CrawlNode): ReadonlyMap<CrawlNode, readonly Step[]> {
    const ways = new Map<CrawlNode, readonly Step[]>([[from, []]]);
    for (const [menu, way] of ways) {
      // Another call may still be hearing it: nothing leads on from there yet.
      if (menu !== from && !isMenu(menu)) continue;
      for (const key of this.childrenOf(menu)) {
        if (!this.mayPress(key)) continue;
        const menuThere = key.status === 'linked' && key.linksTo !== undefined ? this.#nodes.get(key.linksTo) : key;
        if (menuThere && !ways.has(menuThere)) ways.set(menuThere, [...way, { key, menu: menuThere }]);
      }
    }
    return ways;
  }

  /** Undefined where there is no way. */
  route(from: CrawlNode, to: CrawlNode): readonly Step[] | undefined {
    return this.waysFrom(from).get(to);
  }

  /** False once the prompt that promised this node turned out to be another. */
  has(node: CrawlNode): boolean {
    return this.#nodes.get(node.id) === node;
  }

  update(node: CrawlNode, change: Partial<CrawlNode>): void {
    if (!this.has(node)) return;
    Object.assign(node, change);
    this.#emit({ type: 'node', node: { ...node } });
  }

  /**
   * Leaves out all that is still open; `why` is part of a sentence. What we cut off proves nothing: it is no end of
   * theirs.
   */
  skipOpen(why: string): void {
    for (const node of [...this.#nodes.values()]) {
      if (node.status === 'exploring' || node.status === 'pending')
        this.update(node, { status: 'skipped', reason: whyLeftOut(node, why) });
    }
  }

  fail(node: CrawlNode, reason: string): void {
    this.update(node, { status: 'failed', reason });
  }

  /**
   * Adds the options that can be read while the prompt still plays. On a live number it waits: the rest may yet tell
   * what they do ("press 2 for your account … cancellation").
   */
  growEarly(parent: CrawlNode, reading: MenuReading, understoodMs: number): void {
    if (!this.#config.guarded) this.grow(parent, reading, understoodMs);
  }

  /** Adds the options that can be read so far; called as often as the reading grows. */
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
          ...this.#firstStatus({ ...offer, parentId: parent.id }),
        });
      else if (isOpen(child) && child.label !== offer.label) {
        // It was heard in other words: what it was thought to do no longer counts.
        this.update(child, {
          label: offer.label,
          ...this.#firstStatus({ ...offer, parentId: parent.id, ...(child.hidden && { hidden: true }) }),
        });
      }
    }
  }

  #isForbidden({ digit }: Pick<CrawlNode, 'digit'>): boolean {
    return digit !== undefined && this.#config.forbiddenKeys.includes(digit);
  }

  /** Whether a menu that was read just now still offers this place, in words that let it be chosen. */
  stillOffers({ digit, phrase, label }: CrawlNode, { text, reading }: Pick<HeardPrompt, 'text' | 'reading'>): boolean {
    if (digit === undefined)
      return (
        phrase !== undefined &&
        reading.speech.includes(phrase) &&
        this.#whyNot({ label: phrase, ...meaningOf(phrase, reading) }, text) === undefined
      );
    const offered = reading.options.filter(({ key }) => key === digit);
    return (
      offered.length > 0 &&
      offered.every(
        (option) =>
          isSameLabel(option.label, label) && this.#whyNot({ digit, label: option.label }, text) === undefined,
      )
    );
  }

  /** Whether the key of this place, or its phrase, may be given on this number. */
  mayPress(offer: Offer): boolean {
    return this.#whyNot(offer) === undefined;
  }

  #firstStatus(offer: Offer): Pick<CrawlNode, 'status' | 'reason'> {
    const reason = this.#whyNot(offer);
    return reason === undefined ? { status: 'pending' } : { status: 'skipped', reason };
  }

  /** @param prompt What was said where it is offered. */
  #whyNot(offer: Offer, prompt = this.node(offer.parentId)?.transcript ?? ''): string | undefined {
    if (this.#isForbidden(offer)) return forbiddenWhy;
    if (!this.#config.guarded) return undefined;
    if (offer.hidden === true) return "No prompt offers this key. Dialtree doesn't press such keys on a live number.";
    const announced = offer.digit === undefined ? undefined : actsOfKey(prompt, offer.digit);
    return whyNotPressed(offer.means ?? offer.label, this.#config, announced);
  }

  /** Takes back options that a partial reading promised and the whole prompt does not offer. */
  prune(parent: CrawlNode, reading: MenuReading): void {
    const offered = new Set(reading.options.map(({ key }) => key));
    for (const child of [...this.childrenOf(parent)]) {
      if (child.digit !== undefined && !child.hidden && !offered.has(child.digit) && isUntried(child))
        this.remove(child);
    }
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

  /**
   * Keys that lead somewhere although no prompt offers them. As long as no menu of this number ever rejected a key, they
   * prove nothing: where one try is allowed, each wrong key leads to the same place.
   */
  unproven(): CrawlNode[] {
    const nodes = [...this.#nodes.values()];
    return nodes.some((node) => node.rejects === true)
      ? []
      : nodes.filter((node) => node.hidden === true && node.status !== 'exploring' && isUsuallyHidden(node));
  }

  /** Takes a node back, with all below it. */
  remove(node: CrawlNode): void {
    if (!this.has(node)) return;
    this.removeChildren(node);
    this.#nodes.delete(node.id);
    const siblings = node.parentId === undefined ? undefined : this.#children.get(node.parentId);
    siblings?.splice(siblings.indexOf(node), 1);
    this.#emit({ type: 'nodeRemoved', nodeId: node.id });
  }

  /** Keeps what was heard at a node, with its fingerprint and its recording. */
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
      ...(heard.kind === 'known' ? {} : { fingerprint: prompt }),
    });
    this.#emit({ type: 'audio', nodeId: node.id, pcm: step });
  }

  /** `node` is the menu `target` over again; what was heard before it, if anything, is kept as its transcript. */
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
    if (heard.kind !== 'known' && node.fingerprint) target.aliases = [...(target.aliases ?? []), node.fingerprint];
  }

  /** Whether another menu is known to offer all of this: it may play on, or be reached again. */
  mayBeKnown(task: CrawlNode, { options }: MenuReading): boolean {
    if (options.length === 0) return false;
    return [...this.#children].some(([id, children]) => {
      const labels = new Map(children.map(({ digit, label }) => [digit, label]));
      return id !== task.id && options.every(({ key, label }) => isSameLabel(labels.get(key) ?? '', label));
    });
  }

  /** Another menu with the same words and options, where `heard` is it with or without an announcement in front. */
  twinOf(node: CrawlNode, heard: HeardPrompt): CrawlNode | undefined {
    return this.menuLike(heard, [node.id, ...(node.notSame ?? [])]);
  }

  /** A known menu that sounds like `heard`. */
  menuLike(heard: HeardPrompt, except: readonly string[] = []): CrawlNode | undefined {
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
