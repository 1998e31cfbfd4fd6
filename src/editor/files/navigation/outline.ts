import type { Node } from 'jsonc-parser';
import type { L10n } from '../../basics/localise.ts';
import { joined } from '../../basics/words/markdownText.ts';
import { promptWordsIn } from '../reading/ivrPrompts.ts';
import { entriesOf, membersOf, nodeAt, textAt, type ParsedFile } from '../../folders/parsedFile.ts';
import type { TextSpan } from '../reading/span.ts';

export interface OutlineEntry {
  readonly name: string;
  readonly detail: string;
  readonly icon: 'state' | 'way' | 'step' | 'row' | 'text' | 'menu';
  readonly whole: TextSpan;
  /** The name's range, inside the whole. */
  readonly named: TextSpan;
  readonly children: readonly OutlineEntry[];
}

export function outlineOf(file: ParsedFile, l10n: L10n): OutlineEntry[] {
  const { root, kind } = file;
  switch (kind) {
    case 'ivr':
      return membersOf(nodeAt(root, ['states'])).map(({ name, key, value, node }) =>
        entry(name, excerpt(promptWordsIn(value) ?? ''), 'state', node, key, ways(value)),
      );
    case 'calltest':
      return [...entriesOf(nodeAt(root, ['steps'])).map(stepEntry), ...rows(root, l10n)];
    case 'mission':
      return [...text(root, 'mission'), ...text(root, 'acceptance')];
    case 'probe':
      return [...probeEntries(root, 'steps', 'id'), ...probeEntries(root, 'checks', 'name')];
    case 'calltree': {
      const tree = nodeAt(root, ['tree']);
      return tree ? [menuEntry(tree, l10n)] : [];
    }
  }
}

const longest = 80;
/** A row of the outline has one line. */
export const excerpt = (words: string): string =>
  (words.length > longest ? `${words.slice(0, longest - 1).trimEnd()}…` : words).replaceAll(/\s+/g, ' ');

/** The editor would refuse an entry without a name. */
function entry(
  name: string,
  detail: string,
  icon: OutlineEntry['icon'],
  whole: Node,
  named: Node = whole,
  children: readonly OutlineEntry[] = [],
): OutlineEntry {
  return { name: name.trim() === '' ? '…' : name, detail, icon, whole: spanOf(whole), named: spanOf(named), children };
}

const spanOf = ({ offset, length }: Node): TextSpan => ({ offset, length });

function ways(state: Node | undefined): OutlineEntry[] {
  const targets = [...membersOf(nodeAt(state, ['keys'])), ...membersOf(nodeAt(state, ['speech']))];
  return targets.map(({ name, key, value, node }) =>
    entry(name, typeof value?.value === 'string' ? `→ ${value.value}` : '', 'way', node, key),
  );
}

function stepEntry(step: Node, index: number): OutlineEntry {
  const said = [
    textAt(step, 'action', 'type'),
    textAt(step, 'action', 'keys') ?? textAt(step, 'action', 'text') ?? textAt(step, 'action', 'name'),
  ];
  return entry(
    `${String(index + 1)} ${textAt(step, 'name') ?? ''}`,
    joined(' ', said),
    'step',
    step,
    nodeAt(step, ['name']),
  );
}

const probeEntries = (root: Node | undefined, list: 'steps' | 'checks', name: 'id' | 'name'): OutlineEntry[] =>
  entriesOf(nodeAt(root, [list])).map((node) =>
    entry(textAt(node, name) ?? '', textAt(node, list === 'steps' ? 'do' : 'kind') ?? '', 'step', node),
  );

function rows(root: Node | undefined, l10n: L10n): OutlineEntry[] {
  const list = nodeAt(root, ['rows']);
  const count = entriesOf(list).length;
  return list?.parent && count > 0
    ? [entry(l10n.t('Rows'), String(count), 'row', list.parent, list.parent.children?.[0])]
    : [];
}

function text(root: Node | undefined, name: string): OutlineEntry[] {
  const value = nodeAt(root, [name]);
  return value?.parent
    ? [entry(name, excerpt(textAt(root, name) ?? ''), 'text', value.parent, value.parent.children?.[0])]
    : [];
}

function menuEntry(step: Node, l10n: L10n): OutlineEntry {
  const key = textAt(step, 'digit');
  const label = textAt(step, 'label') ?? textAt(step, 'menuLabel') ?? textAt(step, 'spokenResponse') ?? '';
  const name = [key, label].filter((part) => part !== undefined && part !== '').join(' ');
  return entry(
    name === '' ? l10n.t('Root') : name,
    excerpt(textAt(step, 'transcript') ?? ''),
    'menu',
    step,
    nodeAt(step, ['label']) ?? nodeAt(step, ['digit']) ?? nodeAt(step, ['stepId']),
    entriesOf(nodeAt(step, ['children'])).map((child) => menuEntry(child, l10n)),
  );
}
