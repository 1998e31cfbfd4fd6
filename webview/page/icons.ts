import { looks } from '../../src/contract/runState.ts';
import type { EndKind } from '../../src/contract/tree.ts';
import { svg } from './svg.ts';

/**
 * Line drawings on a 16 by 16 grid in the text colour. Each has a distinct shape, so that none depends on colour alone.
 */
const drawings = {
  phone:
    'M3.2 2.5h2.3l1.2 3-1.5 1a8 8 0 0 0 4.3 4.3l1-1.5 3 1.2v2.3a1 1 0 0 1-1.1 1A11.2 11.2 0 0 1 2.2 3.6a1 1 0 0 1 1-1.1Z',
  speech: 'M2.5 3.5h11v7h-6l-3 2.8v-2.8h-2zM5.5 6.2h5M5.5 8.2h3',
  pending:
    'M8 2.5a5.5 5.5 0 0 1 2.9.8M12.7 5.1a5.5 5.5 0 0 1 .8 2.9M13.2 10a5.5 5.5 0 0 1-1.9 2.4M9 13.4a5.5 5.5 0 0 1-2.9-.2M3.9 11.7A5.5 5.5 0 0 1 2.6 9M2.7 6.4a5.5 5.5 0 0 1 1.7-2.6',
  exploring: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5M8 5.2v2.9l2 1.3',
  explored: 'M8 2.3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 2.3ZM5.4 8.2l1.8 1.8 3.5-3.8',
  failed: 'M8 2.3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 2.3ZM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2',
  skipped: 'M8 2.3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 2.3ZM4 4l8 8',
  linked: 'M2.5 3v4.5a2 2 0 0 0 2 2h8.3M9.8 6.2l3.3 3.3-3.3 3.3',
  hangup: 'M1.8 9.6c0-4 12.4-4 12.4 0v1.6l-3.1-.5V8.5a9 9 0 0 0-6.2 0v2.2l-3.1.5z',
  transfer:
    'M2.6 3.5h1.9l1 2.5-1.2.8a6.7 6.7 0 0 0 3.6 3.6l.8-1.2 2.5 1v1.9a.9.9 0 0 1-.9.8A9.3 9.3 0 0 1 1.8 4.4a.9.9 0 0 1 .8-.9ZM9 5h5M11.7 2.6 14.1 5l-2.4 2.4',
  human: 'M8 2.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4ZM2.8 13.6c.3-3 2.3-4.3 5.2-4.3s4.9 1.3 5.2 4.3',
  music:
    'M5.8 11.7V3.4l7-1.2v8.2M5.8 6l7-1.2M5.8 11.7a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0ZM12.8 10.4a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0Z',
  voicemail: 'M7 8A2.6 2.6 0 1 1 1.8 8 2.6 2.6 0 0 1 7 8ZM14.2 8A2.6 2.6 0 1 1 9 8a2.6 2.6 0 0 1 5.2 0ZM4.4 10.6h7.2',
  busy: 'M2 6.5v3M5 4v8M8 6.5v3M11 4v8M14 6.5v3',
  fax: 'M4.5 6V2.3h5.2l1.8 1.8V6M4.5 12.2H2.3V7.3c0-.7.5-1.3 1.2-1.3h9c.7 0 1.2.6 1.2 1.3v4.9h-2.2M4.5 9.8h7v3.9h-7z',
  silence: 'M2.3 6.2v3.6h2.4L8 12.6V3.4L4.7 6.2zM10.4 6.2l3.6 3.6M14 6.2l-3.6 3.6',
  input: 'M2.2 4.5h11.6v7H2.2zM4.8 8h.01M7 8h.01M9.2 8h.01M11.4 6.6v2.8',
  speaker: 'M2.3 6.2v3.6h2.4L8 12.6V3.4L4.7 6.2zM10.3 5.8a3.2 3.2 0 0 1 0 4.4M12.2 3.9a5.9 5.9 0 0 1 0 8.2',
  play: 'M4.8 2.8 12.8 8l-8 5.2z',
  pause: 'M5.2 3v10M10.8 3v10',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  close: 'M4 4l8 8M12 4l-8 8',
  up: 'M3.5 10 8 5.5l4.5 4.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  expandAll: 'M4.5 5.8 8 2.3l3.5 3.5M4.5 10.2 8 13.7l3.5-3.5',
  collapseAll: 'M4.5 2.5 8 6l3.5-3.5M4.5 13.5 8 10l3.5 3.5',
  fit: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M6 6.5h4v3H6z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.4 3.4',
  warning: 'M8 2.3 14.2 13H1.8zM8 6.3v3.2M8 11.3v.1',
  info: 'M8 2.3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 2.3ZM8 7.3v3.6M8 5v.1',
  help: 'M8 2.3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 2.3ZM6.3 6.6a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 11.3v.1',
  transcript: 'M3.5 2.3h9v11.4h-9zM5.7 5.2h4.6M5.7 8h4.6M5.7 10.8h2.8',
  pane: 'M2.3 3h11.4v10H2.3zM9.5 3v10',
  compare: 'M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4M8 1.5v13',
  coverage: 'M2.5 3.5h5M2.5 8h5M2.5 12.5h5M9.5 4l1.6 1.6 2.7-3M9.5 11l1.6 1.6 2.7-3',
  heat: 'M8 3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 3ZM8 6v2.8l1.9 1.2M6.4 1.5h3.2',
  keypad: 'M3.5 3h2v2h-2zM7 3h2v2H7zM10.5 3h2v2h-2zM3.5 7h2v2h-2zM7 7h2v2H7zM10.5 7h2v2h-2zM7 11h2v2H7z',
} as const;

export type IconName = keyof typeof drawings;

export const endIcons: Readonly<Record<EndKind, IconName>> = {
  hangup: 'hangup',
  'transfer-ringback': 'transfer',
  human: 'human',
  'hold-music': 'music',
  voicemail: 'voicemail',
  busy: 'busy',
  fax: 'fax',
  'dead-air': 'silence',
  input: 'input',
};

/**
 * Decorative: its meaning is in adjacent text or in the name of its button.
 *
 * @param slot of the control that it is in
 */
export const icon = (name: IconName, slot?: 'start'): SVGSVGElement =>
  svg('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true', slot }, svg('path', { d: drawings[name] }));

/** The drawing of each codicon that is the sign of a state. */
const stateDrawings = {
  pass: 'explored',
  error: 'failed',
  warning: 'warning',
  question: 'help',
  info: 'info',
  link: 'linked',
  'circle-slash': 'skipped',
  'circle-outline': 'pending',
  'loading~spin': 'exploring',
} as const;

/** The sign of a state, as views show it too. */
export function stateIcon(state: keyof typeof looks): SVGSVGElement {
  const { id, color } = looks[state];
  const sign = icon(stateDrawings[id]);
  sign.style.color = `var(--vscode-${color.replace('.', '-')})`;
  return sign;
}

export function changeIcon(sign: SVGSVGElement, name: IconName): void {
  sign.firstElementChild?.setAttribute('d', drawings[name]);
}
