import type { PanelSnapshot, PictureFormat } from '../src/contract/panel.ts';
import { Banner, emptyView } from './banner.ts';
import { Comparing } from './comparing.ts';
import type { Comparison } from './comparison.ts';
import { CompareBar } from './compareBar.ts';
import type { EditorHost } from './editorHost.ts';
import { element, on, setText } from './element.ts';
import { emptyState, runTrouble } from './explain.ts';
import { Header } from './header.ts';
import { HeatLegend } from './heat.ts';
import type { Handlers } from './incoming.ts';
import { commandOf } from './keyboard.ts';
import type { Command } from './keyboard.ts';
import { t } from './l10n.ts';
import { Pane } from './pane.ts';
import { pictureOf } from './picture.ts';
import { followedView, placedView } from './placement.ts';
import type { Target } from './placement.ts';
import { cardSizes, eyeOf, sceneOf } from './scene.ts';
import type { Eye, Scene } from './scene.ts';
import { SearchBox } from './searchBox.ts';
import { runSentence } from './shownRun.ts';
import { Splitter } from './splitter.ts';
import { Stage } from './stage.ts';
import { stepMatch } from './search.ts';
import { ThemeColours } from './themeColours.ts';
import type { ColourName } from './themeColours.ts';
import { ancestorsOf, sameWay } from './treeIndex.ts';
import { clampZoom, fit, leashed, zoomAt } from './viewport.ts';
import type { View } from './viewport.ts';
import { reduce, restoreState, restoredEye, storedState } from './viewState.ts';
import type { Action, ViewState } from './viewState.ts';
import { ZoomBar } from './zoomBar.ts';

const storeDelayMs = 250;

/** Holds the snapshot and what the user has arranged, and has the parts show both, once a frame. */
export class App {
  readonly #host: EditorHost;
  readonly #act: (message: 'start' | 'refresh') => void;
  readonly #stage: Stage;
  readonly #header: Header;
  readonly #search: SearchBox;
  readonly #pane: Pane;
  readonly #splitter: Splitter;
  readonly #zoomBar: ZoomBar;
  readonly #compare: CompareBar;
  readonly #comparing = new Comparing((snapshot, comparison) => { this.#take(snapshot, comparison); });
  readonly #legend = new HeatLegend();
  readonly #colours: ThemeColours;
  readonly #notice = new Banner();
  readonly #trouble = new Banner();
  readonly #empty = element('div', { class: 'empty-holder' });
  readonly #said = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  #state: ViewState;
  #snapshot: PanelSnapshot | undefined;
  /** What the snapshot's tree has come to since its base, as soon as that is known. */
  #comparison: Comparison | undefined;
  #scene: Scene | undefined;
  /** The scene of a snapshot or a search that has come, as long as nothing else has changed. */
  #next: Scene | undefined;
  /** The place that the view is held by when the tree changes. */
  #eye: Eye | undefined;
  /** To be brought into sight when the layout is known. */
  #target: Target | undefined;
  /** Asked for before the snapshot that has it. */
  #awaited: string | undefined;
  #frame: number | undefined;
  #storing: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, host: EditorHost) {
    this.#host = host;
    const stored = host.stored();
    this.#state = restoreState(stored);
    this.#eye = restoredEye(stored);
    this.#act = (message) => { host.post({ type: message }); };
    this.#search = new SearchBox({
      onText: (text) => { this.#searchFor(text); },
      onStep: (by) => { this.#toMatch(by); },
      onLeave: () => { this.#leaveSearch(); },
    });
    this.#header = new Header({
      onRun: (version) => { host.post({ type: 'showRun', version }); },
      onStart: () => { this.#act('start'); },
      onCancel: () => { host.post({ type: 'cancel' }); },
      onExpandAll: () => { this.#dispatch({ type: 'expandAll' }); },
      onCollapseAll: () => { this.#collapseAll(); },
      onHeat: (wanted) => { this.#dispatch({ type: 'heat', on: wanted }); },
    }, this.#search.element);
    this.#stage = new Stage({
      onMove: (view) => { this.#move(view); },
      onSelect: (key) => { this.#dispatch({ type: 'select', key }); },
      onToggle: (key) => { this.#toggle(key); },
      onJump: (key) => { this.#jump(key); },
      onKey: (event) => { this.#key(event); },
      onResize: () => { this.#resized(); },
    });
    this.#pane = new Pane({
      onClose: () => { this.#closePane(); },
      onJump: (key) => { this.#goTo(key, 'select'); },
      onRequestAudio: (stepId) => { host.post({ type: 'requestAudio', stepId }); },
      onSpeed: (speed) => { this.#dispatch({ type: 'speed', speed }); },
      onTranscript: (stepId) => { host.post({ type: 'openTranscript', ...(stepId === undefined ? {} : { stepId }) }); },
      onCopied: (what) => { this.#say(what); },
      onCall: (stepId) => { host.post({ type: 'callPath', stepId }); },
    });
    this.#compare = new CompareBar({ onStep: (by) => { this.#toChange(by); }, onStop: () => { host.post({ type: 'stopComparing' }); } });
    this.#splitter = new Splitter((size) => { this.#dispatch({ type: 'resizePane', size }); });
    this.#zoomBar = new ZoomBar({ onZoom: (factor) => { this.#zoom(factor); }, onFit: () => { this.#fit(); } });
    this.#trouble.clear();
    this.#notice.clear();
    this.#colours = new ThemeColours(root, () => undefined);
    root.append(this.#header.element, this.#notice.element, this.#trouble.element, this.#compare.element,
      element('main', { class: 'split' },
        element('div', { class: 'stage-holder' }, this.#stage.element, this.#empty, this.#legend.element, this.#zoomBar.element), this.#splitter.element, this.#pane.element),
      this.#said);
    on(document.body, 'keydown', (event) => { this.#pageKey(event); });
    addEventListener('pagehide', () => { this.#store(); });
  }

  readonly handlers: Handlers = {
    snapshot: (snapshot) => { this.#comparing.take(snapshot); },
    audio: ({ stepId, wav, error }) => { this.#pane.player.receive(stepId, wav, error); },
    reveal: ({ stepId }) => {
      this.#awaited = stepId;
      this.#reveal();
    },
    draw: ({ format }) => { void this.#draw(format); },
    notice: ({ message, severity }) => {
      this.#notice.clear();
      this.#notice.show(severity, undefined, message, severity === 'error' ? { label: t('Try again'), onPress: () => { this.#act('refresh'); } } : undefined);
    },
  };

  #dispatch(action: Action): void {
    this.#state = reduce(this.#state, action);
    this.#frame ??= requestAnimationFrame(() => { this.#render(); });
    this.#storing ??= setTimeout(() => { this.#store(); }, storeDelayMs);
  }

  #store(): void {
    clearTimeout(this.#storing);
    this.#storing = undefined;
    this.#host.store(storedState(this.#state, this.#eye));
  }

  #take(snapshot: PanelSnapshot, comparison: Comparison | undefined): void {
    const before = this.#scene;
    this.#snapshot = snapshot;
    this.#comparison = comparison;
    this.#notice.clear();
    this.#enterRun();
    // At once, not in the next frame: a page that is hidden gets no frames, but its words must be right when it shows.
    this.#render();
    this.#reveal();
    const sentence = this.#scene?.run && runSentence(this.#scene.run);
    if (before?.run?.status !== this.#scene?.run?.status || before?.run?.id !== this.#scene?.run?.id) this.#say(sentence ?? '');
  }

  /** Another run has other stepIds: what was chosen is found again by its way from the root. */
  #enterRun(): void {
    if (!this.#snapshot) return;
    const next = sceneOf(this.#scene, this.#snapshot, this.#comparison, this.#state.collapsed, this.#state.search);
    this.#next = next;
    const runId = next.run?.id;
    const { index: old } = this.#scene ?? {};
    const { index } = next;
    if (runId === this.#state.runId || !index) return;
    const found = (key: string | undefined): string | undefined => {
      const node = key === undefined ? undefined : old?.byKey.get(key);
      return node ? sameWay(node, index)?.key : key !== undefined && index.byKey.has(key) ? key : undefined;
    };
    const { size } = this.#state.collapsed;
    const collapsed = size === 0 ? this.#state.collapsed : new Set([...this.#state.collapsed].map(found).filter((key) => key !== undefined));
    this.#state = reduce(this.#state, { type: 'run', runId, focused: found(this.#state.focused), selected: found(this.#state.selected), collapsed });
  }

  #render(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    if (!this.#snapshot) return;
    const before = this.#scene;
    const { collapsed, search } = this.#state;
    const isReady = this.#next?.collapsed === collapsed && this.#next.query === search;
    const scene = isReady && this.#next ? this.#next : sceneOf(before, this.#snapshot, this.#comparison, collapsed, search);
    this.#next = undefined;
    this.#scene = scene;
    this.#header.show(scene, this.#state.heat);
    this.#compare.show(scene, this.#state.focused);
    // What a comparison puts back answers nobody any more.
    this.#legend.show(this.#state.heat ? scene.snapshot.tree.tree ?? undefined : undefined);
    this.#pane.show(scene, this.#state);
    this.#splitter.show(this.#state.paneSize, this.#pane.element.hidden === true);
    this.#pane.element.style.setProperty('--pane-size', `${this.#state.paneSize}px`);
    this.#search.show(this.#state.search, scene.matches, this.#state.focused);
    this.#explain(scene);
    this.#place(before, scene);
    this.#stage.draw(scene, this.#state);
    this.#zoomBar.show(this.#state.view.zoom);
  }

  #place(before: Scene | undefined, scene: Scene): void {
    const { size } = this.#stage;
    const view = placedView({ before, scene, state: this.#state, eye: this.#eye, target: this.#target, size });
    this.#target = undefined;
    if (view !== this.#state.view) this.#state = reduce(this.#state, { type: 'keep', view });
    if (scene.layout) this.#eye = eyeOf(scene.layout, view, size, [this.#state.focused, this.#state.selected]);
  }

  #explain(scene: Scene): void {
    const instead = emptyState(scene.snapshot);
    this.#stage.element.hidden = instead !== undefined;
    this.#zoomBar.element.hidden = instead !== undefined;
    this.#empty.hidden = instead === undefined;
    const shown = instead ? JSON.stringify(instead) : '';
    if (this.#empty.dataset['shown'] !== shown) {
      this.#empty.dataset['shown'] = shown;
      this.#empty.replaceChildren(...(instead ? [emptyView(instead, this.#act)] : []));
    }
    const { job } = scene.snapshot;
    const trouble = instead || !scene.run || !job ? undefined : runTrouble(scene.run, job.config);
    if (trouble) this.#trouble.show(trouble.kind === 'failed' ? 'error' : 'warning', trouble.title, trouble.text, undefined);
    else this.#trouble.clear();
  }

  #say(text: string): void {
    setText(this.#said, text);
  }

  #move(view: View): void {
    const bounds = this.#scene?.layout?.bounds;
    this.#dispatch({ type: 'move', view: bounds ? leashed(view, this.#stage.size, bounds) : view });
  }

  /** Around what the user looks at, so that it does not drift off the screen. */
  #zoom(factor: number): void {
    const { view } = this.#state;
    const { width, height } = this.#stage.size;
    const eye = this.#eye && { x: (this.#eye.x + cardSizes.nodeWidth / 2) * view.zoom + view.x, y: (this.#eye.y + cardSizes.nodeHeight / 2) * view.zoom + view.y };
    const shows = eye && eye.x > 0 && eye.x < width && eye.y > 0 && eye.y < height;
    this.#move(zoomAt(view, shows ? eye : { x: width / 2, y: height / 2 }, clampZoom(view.zoom * factor)));
  }

  #fit(): void {
    const bounds = this.#scene?.layout?.bounds;
    if (bounds) this.#dispatch({ type: 'follow', view: fit(bounds, this.#stage.size) });
  }

  #resized(): void {
    const view = this.#state.following && this.#scene ? followedView(this.#scene, this.#stage.size) : undefined;
    // What had the eye stays in sight also on the smaller stage.
    if (!view && this.#eye) this.#target = { key: this.#eye.key, centre: false };
    this.#dispatch(view ? { type: 'follow', view } : { type: 'keep', view: this.#state.view });
  }

  #goTo(key: string, how: 'focus' | 'select', centre = false): void {
    const node = this.#scene?.index?.byKey.get(key);
    if (!node) return;
    const hidden = ancestorsOf(node).map((ancestor) => ancestor.key).filter((ancestor) => this.#state.collapsed.has(ancestor));
    if (hidden.length > 0) this.#dispatch({ type: 'expand', keys: hidden });
    this.#target = { key, centre };
    this.#dispatch({ type: how, key });
    if (how === 'select') this.#stage.takeFocus();
  }

  #reveal(): void {
    if (this.#awaited === undefined || !this.#scene?.index?.byKey.has(this.#awaited)) return;
    this.#goTo(this.#awaited, 'select', true);
    this.#awaited = undefined;
  }

  /** Of a linked node to the menu that it equals; of any other its branch, open or closed. */
  #jump(key: string): void {
    const target = this.#scene?.index?.byKey.get(key)?.node.linksTo;
    if (target !== undefined && this.#scene?.index?.byKey.has(target)) this.#goTo(target, 'select');
    else this.#toggle(key);
  }

  #toggle(key: string): void {
    if (this.#scene?.index?.byKey.get(key)?.children.length === 0) return;
    this.#holdBy(key);
    this.#dispatch({ type: this.#state.collapsed.has(key) ? 'expand' : 'collapse', keys: [key] });
    const focused = this.#scene?.index?.byKey.get(this.#state.focused ?? '');
    if (focused && ancestorsOf(focused).some((ancestor) => this.#state.collapsed.has(ancestor.key))) this.#dispatch({ type: 'focus', key });
  }

  /** The node under the user's hand stays where it is. */
  #holdBy(key: string): void {
    const placed = this.#scene?.layout?.byKey.get(key);
    if (!placed) return;
    this.#eye = { key, x: placed.x, y: placed.y };
    this.#dispatch({ type: 'move', view: this.#state.view });
  }

  #collapseAll(): void {
    const { index } = this.#scene ?? {};
    if (!index) return;
    this.#dispatch({ type: 'collapse', keys: index.nodes.filter(({ children, parent }) => children.length > 0 && parent).map(({ key }) => key) });
    this.#goTo(index.root.key, 'focus');
  }

  #searchFor(text: string): void {
    this.#dispatch({ type: 'search', text });
    if (!this.#snapshot) return;
    this.#next = sceneOf(this.#scene, this.#snapshot, this.#comparison, this.#state.collapsed, text);
    const { matches } = this.#next;
    const first = matches.includes(this.#state.focused ?? '') ? this.#state.focused : matches[0];
    if (first !== undefined) this.#goTo(first, 'focus');
  }

  #toMatch(by: 1 | -1): void {
    const next = stepMatch(this.#scene?.matches ?? [], this.#state.focused, by);
    if (next !== undefined) this.#goTo(next, 'focus');
  }

  #toChange(by: 1 | -1): void {
    const next = stepMatch(this.#scene?.changed ?? [], this.#state.focused, by);
    if (next !== undefined) this.#goTo(next, 'focus');
  }

  async #draw(format: PictureFormat): Promise<void> {
    const scene = this.#scene;
    if (!scene) return;
    const look = { title: scene.snapshot.name, colour: (name: ColourName) => this.#colours.of(name), fontFamily: getComputedStyle(this.#stage.element).fontFamily };
    const drawn = await pictureOf(scene, format, look).then((picture) => ({ picture }), (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }));
    this.#host.post({ type: 'picture', format, ...drawn });
  }

  #leaveSearch(): void {
    this.#dispatch({ type: 'search', text: '' });
    this.#stage.takeFocus();
  }

  #closePane(): void {
    this.#dispatch({ type: 'pane', open: false });
    this.#stage.takeFocus();
  }

  #key(event: KeyboardEvent): void {
    const { index } = this.#scene ?? {};
    const command = index && commandOf(event, index, this.#state.collapsed, this.#state.focused);
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    this.#run(command);
  }

  /** Keys that work wherever the focus is, as long as nothing is being typed there. */
  #pageKey(event: KeyboardEvent): void {
    const typing = event.target instanceof Element && event.target.closest('vscode-text-field, vscode-dropdown') !== null;
    const finds = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (finds || (event.key === '/' && !typing)) this.#run({ type: 'search' });
    else if (event.key === 'Escape' && !typing) this.#run({ type: 'escape' });
    else return;
    event.preventDefault();
  }

  #run(command: Command): void {
    switch (command.type) {
      case 'focus': return this.#goTo(command.key, 'focus');
      case 'select':
        if (this.#scene?.index?.byKey.get(command.key)?.node.linksTo !== undefined) return this.#jump(command.key);
        return this.#goTo(command.key, 'select');
      case 'play':
        this.#goTo(command.key, 'select');
        this.#render();
        return this.#pane.player.toggle();
      case 'collapse': return this.#toggle(command.key);
      case 'expand':
        this.#holdBy(this.#state.focused ?? '');
        return this.#dispatch({ type: 'expand', keys: command.keys });
      case 'zoom': return this.#zoom(command.factor);
      case 'change': return this.#toChange(command.by);
      case 'heat': return this.#dispatch({ type: 'heat', on: !this.#state.heat });
      case 'fit': return this.#fit();
      case 'search': return this.#search.takeFocus();
      case 'escape':
        if (this.#state.search !== '') return this.#leaveSearch();
        return this.#closePane();
    }
  }
}
