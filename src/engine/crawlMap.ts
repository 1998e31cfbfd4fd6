import { randomUUID } from 'node:crypto';
import type { MappingConfig } from '../contract/mapping.ts';
import type { MenuReading } from '../contract/menu.ts';
import { isRisky } from '../language/menu/riskyKeys.ts';
import type { ExpectedPrompt, Fingerprint } from '../speech/ear.ts';
import type { CrawlEvent } from './crawlEvent.ts';
import { expectedPrompts, isMenu, isOpen, type CrawlNode } from './crawlNode.ts';
import type { Heard } from './hear.ts';
import { sameMenu } from './sameMenu.ts';

interface CrawlMapConfig extends Pick<MappingConfig, 'maxDepth' | 'mappingMode'> {
  readonly guarded: boolean;
  readonly forbiddenKeys: string;
}

/** One key on a way, and the menu that it leads to. */
export interface Step {
  readonly key: CrawlNode;
  readonly menu: CrawlNode;
}

/** The tree as far as it is known, and what is still to be tried. Tells every change. */
export class CrawlMap {
  readonly #nodes = new Map<string, CrawlNode>();
  readonly #children = new Map<string, CrawlNode[]>();
  readonly #config: CrawlMapConfig;
  readonly #emit: (event: CrawlEvent) => void;
  #root: CrawlNode | undefined;
  /** A menu at the deepest level had options that were not followed. */
  depthLimited = false;

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

  get root(): CrawlNode {
    if (!this.#root) throw new Error('The map has not begun.');
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
        if (this.#isForbidden(key)) continue;
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

  fail(node: CrawlNode, reason: string): void {
    this.update(node, { status: 'failed', reason });
  }

  /** Adds the options that can be read so far; called as often as the reading grows. */
  grow(parent: CrawlNode, reading: MenuReading, understoodMs: number): void {
    const { mappingMode, maxDepth } = this.#config;
    const byKey = mappingMode !== 'voice' || reading.speech.length === 0;
    const byVoice = mappingMode === 'voice' || (mappingMode === 'hybrid' && reading.options.length === 0);
    const offers: Pick<CrawlNode, 'digit' | 'phrase' | 'label'>[] = [
      ...(byKey ? reading.options.map(({ key, label }) => ({ digit: key, label })) : []),
      ...(byVoice ? reading.speech.map((phrase) => ({ phrase, label: phrase })) : []),
    ];
    if (offers.length === 0) return;
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
          ...this.#firstStatus(offer),
        });
      else if (isOpen(child) && child.label !== offer.label) this.update(child, { label: offer.label });
    }
  }

  #isForbidden({ digit }: Pick<CrawlNode, 'digit'>): boolean {
    return digit !== undefined && this.#config.forbiddenKeys.includes(digit);
  }

  #firstStatus(offer: Pick<CrawlNode, 'digit' | 'label'>): Pick<CrawlNode, 'status' | 'reason'> {
    if (this.#isForbidden(offer))
      return {
        status: 'skipped',
        reason: 'This workspace forbids this key on the public network (forbiddenKeys), so it was not pressed.',
      };
    return this.#config.guarded && isRisky(offer.label)
      ? { status: 'skipped', reason: 'This key may pay, cancel, report or agree to something, so it was not pressed.' }
      : { status: 'pending' };
  }

  /** Takes back options that a partial reading promised and the whole prompt does not offer. */
  prune(parent: CrawlNode, reading: MenuReading): void {
    const offered = new Set(reading.options.map(({ key }) => key));
    for (const child of [...this.childrenOf(parent)]) {
      if (child.digit !== undefined && !child.hidden && !offered.has(child.digit) && isOpen(child)) this.remove(child);
    }
  }

  removeOpenChildren(node: CrawlNode): void {
    for (const child of [...this.childrenOf(node)]) if (isOpen(child)) this.remove(child);
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
  keep(node: CrawlNode, heard: Heard, prompt: Fingerprint, step: Int16Array, change: Partial<CrawlNode>): void {
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
    heard: Heard,
    prompt: Fingerprint,
    step: Int16Array,
    change: Partial<CrawlNode>,
  ): void {
    this.removeChildren(node);
    this.keep(node, heard, prompt, step, { ...change, status: 'linked', linksTo: target.id });
    if (heard.kind !== 'known' && node.fingerprint) target.aliases = [...(target.aliases ?? []), node.fingerprint];
  }

  /** Another menu with the same words and options, where `heard` is it with or without an announcement in front. */
  twinOf(node: CrawlNode, heard: Heard): CrawlNode | undefined {
    return this.menuLike(heard, [node.id, ...(node.notSame ?? [])]);
  }

  /** A known menu that sounds like `heard`. */
  menuLike(heard: Heard, except: readonly string[] = []): CrawlNode | undefined {
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
