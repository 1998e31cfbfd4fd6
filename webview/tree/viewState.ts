import { isRecord } from '../../src/base/isRecord.ts';
import { speeds } from '../player/speeds.ts';
import type { Eye } from './scene.ts';
import { zoomRange, type View } from './drawing/viewport.ts';

/** The user's arrangement. It outlives the page: stored by `setState`, restored by `restoreState`. */
export interface ViewState {
  /** The run of the keys. */
  readonly runId: string | undefined;
  readonly focused: string | undefined;
  readonly selected: string | undefined;
  readonly collapsed: ReadonlySet<string>;
  readonly view: View;
  /** The view follows the tree until the user moves it, or navigates in it. */
  readonly following: boolean;
  readonly search: string;
  readonly paneOpen: boolean;
  /** Pixels: the pane's width, or its height if it is below. */
  readonly paneSize: number;
  readonly speed: number;
  /** Cards and links show the caller's waiting time. */
  readonly heat: boolean;
}

export type ViewAction =
  | { readonly type: 'focus'; readonly key: string }
  /** Also focuses, and opens the pane. */
  | { readonly type: 'select'; readonly key: string }
  | { readonly type: 'pane'; readonly open: boolean }
  | { readonly type: 'resizePane'; readonly size: number }
  | { readonly type: 'collapse'; readonly keys: readonly string[] }
  | { readonly type: 'expand'; readonly keys: readonly string[] }
  | { readonly type: 'expandAll' }
  | { readonly type: 'move'; readonly view: View }
  | { readonly type: 'follow'; readonly view: View }
  /** The tree has changed under the view. */
  | { readonly type: 'keep'; readonly view: View }
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'speed'; readonly speed: number }
  | { readonly type: 'heat'; readonly on: boolean }
  | {
      readonly type: 'run';
      readonly runId: string | undefined;
      readonly following: boolean;
      readonly focused: string | undefined;
      readonly selected: string | undefined;
      readonly collapsed: ReadonlySet<string>;
    };

export const paneLimits = { min: 240, max: 900 } as const;

export const initialState: ViewState = {
  runId: undefined,
  focused: undefined,
  selected: undefined,
  collapsed: new Set(),
  view: { x: 0, y: 0, zoom: 1 },
  following: true,
  search: '',
  paneOpen: false,
  paneSize: 360,
  speed: 1,
  heat: false,
};

export function reduce(state: ViewState, action: ViewAction): ViewState {
  switch (action.type) {
    case 'focus':
      // An open pane shows the focused node.
      return { ...state, focused: action.key, selected: state.paneOpen ? action.key : state.selected };
    case 'select':
      return { ...state, focused: action.key, selected: action.key, paneOpen: true, following: false };
    case 'pane':
      return {
        ...state,
        paneOpen: action.open,
        selected: action.open ? (state.focused ?? state.selected) : state.selected,
      };
    case 'resizePane':
      return { ...state, paneSize: Math.round(Math.min(paneLimits.max, Math.max(paneLimits.min, action.size))) };
    case 'collapse':
      return { ...state, collapsed: new Set([...state.collapsed, ...action.keys]) };
    case 'expand': {
      const expanded = new Set(action.keys);
      return { ...state, collapsed: new Set([...state.collapsed].filter((key) => !expanded.has(key))) };
    }
    case 'expandAll':
      return { ...state, collapsed: new Set() };
    case 'move':
      return { ...state, view: action.view, following: false };
    case 'follow':
      return { ...state, view: action.view, following: true };
    case 'keep':
      return { ...state, view: action.view };
    case 'search':
      return { ...state, search: action.text };
    case 'speed':
      return { ...state, speed: action.speed };
    case 'heat':
      return { ...state, heat: action.on };
    case 'run': {
      const { type: _type, ...found } = action;
      return { ...state, ...found };
    }
  }
}

/** Returns plain data for `setState`, with the anchor, because the tree can grow while the page is closed. */
export function storedState(state: ViewState, eye: Eye | undefined): object {
  return { ...state, collapsed: [...state.collapsed], eye };
}

export function restoredEye(stored: unknown): Eye | undefined {
  const eye = isRecord(stored) ? stored['eye'] : undefined;
  if (!isRecord(eye)) return undefined;
  const { key, x, y } = eye;
  return typeof key === 'string' && typeof x === 'number' && typeof y === 'number' ? { key, x, y } : undefined;
}

/** Parses stored data as far as it is valid, because another version of this page may have written it. */
export function restoreState(stored: unknown): ViewState {
  if (!isRecord(stored)) return initialState;
  const text = (name: string): string | undefined => (typeof stored[name] === 'string' ? stored[name] : undefined);
  const number = (value: unknown, otherwise: number): number =>
    typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
  const flag = (name: string, otherwise: boolean): boolean =>
    typeof stored[name] === 'boolean' ? stored[name] : otherwise;
  const view = isRecord(stored['view']) ? stored['view'] : {};
  const zoom = number(view['zoom'], 1);
  const resized = reduce(initialState, { type: 'resizePane', size: number(stored['paneSize'], initialState.paneSize) });
  return {
    runId: text('runId'),
    focused: text('focused'),
    selected: text('selected'),
    collapsed: new Set(
      Array.isArray(stored['collapsed']) ? stored['collapsed'].filter((key) => typeof key === 'string') : [],
    ),
    view: {
      x: number(view['x'], 0),
      y: number(view['y'], 0),
      zoom: Math.min(zoomRange.max, Math.max(zoomRange.min, zoom)),
    },
    following: flag('following', true),
    search: text('search') ?? '',
    paneOpen: flag('paneOpen', false),
    paneSize: resized.paneSize,
    speed: speeds.find((speed) => speed === stored['speed']) ?? 1,
    heat: flag('heat', false),
  };
}
