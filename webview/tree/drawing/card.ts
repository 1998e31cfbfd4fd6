import type { TreeNode } from '../../../src/contract/tree.ts';
import type { LatencyLevel } from '../../../src/model/tree/treeTimes.ts';
import { changeMarks } from '../marks/comparison.ts';
import { coverageMarks } from '../marks/coverage.ts';
import { element, setAttributes, setText } from '../../page/element.ts';
import { endIcons, icon, stateIcon } from '../../page/icons.ts';
import { t } from '../../page/l10n.ts';
import { isVoice, signWords, subtitleOf, nodeTitleOf, unsureMark, whyUnsure } from '../nodeText.ts';
import { textPartsOf, passageOf } from '../search/search.ts';
import { progressRing } from '../../toolkit.ts';
import type { IndexedNode } from '../treeIndex.ts';

/** How much of a node is readable at this zoom: the whole card, or only its title in large letters. */
export type CardDetail = 'full' | 'compact';

interface CardLook {
  readonly indexed: IndexedNode;
  readonly linkTarget: TreeNode | undefined;
  readonly detail: CardDetail;
  readonly x: number;
  readonly y: number;
  readonly collapsed: boolean;
  readonly focused: boolean;
  readonly selected: boolean;
  readonly live: boolean;
  /** A match is below the collapsed node. */
  readonly hidesMatch: boolean;
  /** Empty for nodes that don't match. */
  readonly query: string;
  /**
   * The differences here if the tree is compared, or whether it is covered; as words, so that two looks are
   * distinguishable.
   */
  readonly marks: string;
  /** Replaces the second line: how long the caller waits. */
  readonly heat: string | undefined;
  readonly level: LatencyLevel | undefined;
  /** See `menuContext`. */
  readonly menu: string;
  /** Progress rings turn, unless the user wants no motion. */
  readonly motion: boolean;
}

/** The maximum number of elements in a card. */
export const cardCost: Readonly<Record<CardDetail, number>> = { full: 10, compact: 2 };

const longestText = 90;
const still: ReadonlySet<keyof CardLook> = new Set(['x', 'y', 'focused', 'selected', 'live', 'level']);

/** A node as an element. It updates only what differs. Its parts in order are its name for a screen reader. */
export class Card {
  readonly element: HTMLElement;
  #look: CardLook | undefined;

  constructor(id: string, key: string) {
    this.element = element('div', { id, class: 'card', role: 'treeitem' });
    this.element.dataset['key'] = key;
  }

  show(look: CardLook): void {
    const before = this.#look;
    this.#look = look;
    if (before?.x !== look.x || before.y !== look.y)
      this.element.style.transform = `translate(${look.x}px, ${look.y}px)`;
    this.#markState(look);
    if (before && sameContent(before, look)) return;
    this.#describe(look);
    this.element.replaceChildren(...(look.detail === 'full' ? fullContent(look) : compactContent(look)));
  }

  #markState({ indexed, detail, focused, selected, live, collapsed, query, marks, level }: CardLook): void {
    const { status, hidden, end } = indexed.node;
    const classes = ['card', 'boxed', detail, `is-${status ?? 'explored'}`];
    if (hidden) classes.push('is-hidden');
    if (focused) classes.push('is-focused');
    if (selected) classes.push('is-selected');
    if (live) classes.push('is-live');
    if (query !== '') classes.push('is-match');
    if (end) classes.push('is-leaf');
    if (level !== undefined) classes.push('heated', `heat-${String(level)}`);
    for (const mark of marksIn(marks)) classes.push(`is-${mark}`);
    if (!indexed.parent) classes.push('is-root');
    if (this.element.classList.contains('fresh')) classes.push('fresh');
    setAttributes(this.element, {
      class: classes.join(' '),
      'aria-selected': String(selected),
      'aria-expanded': indexed.children.length > 0 ? String(!collapsed) : undefined,
    });
  }

  #describe({ indexed, menu }: CardLook): void {
    setAttributes(this.element, {
      'aria-level': String(indexed.depth + 1),
      'aria-posinset': String(indexed.position),
      'aria-setsize': String(indexed.siblings),
      'data-vscode-context': menu,
    });
  }
}

function sameContent(before: CardLook, after: CardLook): boolean {
  return (Object.keys(after) as (keyof CardLook)[]).every((name) => still.has(name) || before[name] === after[name]);
}

function fullContent({ indexed, linkTarget, collapsed, query, hidesMatch, motion, heat, marks }: CardLook): Node[] {
  const { node, children } = indexed;
  const subtitle = heat ?? subtitleOf(node, linkTarget);
  const title = nodeTitleOf(node);
  const shown =
    query !== '' && !title.toLowerCase().includes(query.trim().toLowerCase())
      ? (passageOf(node, query) ?? subtitle)
      : subtitle;
  const content: Node[] = [
    keyBadge(node, indexed.parent === undefined),
    marked('title', cut(title), query),
    marked(linkTarget && heat === undefined && shown === subtitle ? 'subtitle jump' : 'subtitle', cut(shown), query),
    sign(node, motion),
  ];
  if (children.length > 0) {
    content.push(
      element(
        'span',
        { class: `twistie${collapsed ? ' closed' : ''}${hidesMatch ? ' hides-match' : ''}`, 'aria-hidden': 'true' },
        collapsed ? `+${countBelow(indexed)}` : undefined,
      ),
    );
  }
  const told = [...marksIn(marks).map((mark) => signs[mark]), ...(node.unsure ? [unsureMark] : [])].join(' · ');
  if (told !== '')
    content.push(element('span', { class: 'change cut', title: node.unsure ? whyUnsure : undefined }, told));
  return content;
}

const signs = { ...changeMarks, ...coverageMarks };
const marksIn = (marks: string): (keyof typeof signs)[] =>
  marks.split(' ').filter((mark): mark is keyof typeof signs => Object.hasOwn(signs, mark));

function compactContent({ indexed, query }: CardLook): Node[] {
  const { digit } = indexed.node;
  const title = marked('title', cut(nodeTitleOf(indexed.node)), query);
  if (digit !== undefined) title.dataset['digit'] = digit;
  return [title];
}

function keyBadge(node: TreeNode, root: boolean): HTMLElement {
  if (root) return element('span', { class: 'key', role: 'img', 'aria-label': t('Start of the call') }, icon('phone'));
  if (isVoice(node))
    return element(
      'span',
      {
        class: 'key',
        role: 'img',
        'aria-label': t('Spoken'),
        title: t('Say “{0}”', node.voicePrompt ?? node.spokenResponse ?? ''),
      },
      icon('speech'),
    );
  return element(
    'span',
    { class: 'key', title: node.hidden ? t('No prompt offers this key') : undefined },
    node.digit ?? '·',
  );
}

/** How the path ends if known, otherwise the state of the crawl. */
function sign(node: TreeNode, motion: boolean): HTMLElement {
  const status = node.status ?? 'explored';
  const end = status === 'explored' ? node.end : undefined;
  const words = signWords(node);
  return element(
    'span',
    { class: `sign sign-${end ? endIcons[end] : status}`, role: 'img', 'aria-label': words, title: words },
    end ? icon(endIcons[end]) : status === 'exploring' && motion ? progressRing(undefined) : stateIcon(status),
  );
}

function marked(name: string, text: string, query: string): HTMLElement {
  const holder = element('span', { class: `${name} cut` });
  const parts = query === '' ? [] : textPartsOf(text, query);
  if (!parts.some(({ match }) => match)) {
    setText(holder, text);
    return holder;
  }
  // One mark per line is enough, and limits a card's elements.
  const first = parts.findIndex(({ match }) => match);
  const rest = parts
    .slice(first + 1)
    .map((part) => part.text)
    .join('');
  holder.append(...parts.slice(0, first).map((part) => part.text), element('mark', {}, parts[first]?.text), rest);
  return holder;
}

/** Longer text would only burden a screen reader. */
const cut = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

function countBelow({ children }: IndexedNode): number {
  return children.reduce((sum, child) => sum + 1 + countBelow(child), 0);
}
