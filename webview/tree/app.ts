import type { PanelSnapshot, PictureFormat, ToWebview } from '../../src/contract/panel.ts';
import { TreeViewModel } from './treeViewModel.ts';
import { Banner } from '../page/banner.ts';
import { emptyView } from '../page/emptyView.ts';
import { Comparing } from './marks/comparing.ts';
import type { ComparedTree } from './marks/comparison.ts';
import { CompareBar } from './marks/compareBar.ts';
import { CoverageBar } from './marks/coverageBar.ts';
import type { EditorHost } from '../page/editorHost.ts';
import { element, on, setAttributes, setText } from '../page/element.ts';
import { emptyState, runTrouble, type ExplainedAction } from './explain.ts';
import { Header } from './header.ts';
import { HeatLegend } from './drawing/heat.ts';
import type { MessageHandlers } from '../page/incoming.ts';
import { commandOf, type KeyCommand } from './keyboard.ts';
import { KeysDialog } from './keysDialog.ts';
import type { PageNotices } from '../page/notices.ts';
import { Pane } from './pane/pane.ts';
import { pictureOf } from './drawing/picture.ts';
import type { Scene } from './scene.ts';
import { SearchBox } from './search/searchBox.ts';
import { runSentence } from './shownRun.ts';
import { Splitter } from './pane/splitter.ts';
import { Overview } from './drawing/overview.ts';
import { Stage } from './drawing/stage.ts';
import { ThemeColours, type ColourName } from '../page/themeColours.ts';
import { ZoomBar } from './drawing/zoomBar.ts';

const storeDelayMs = 250;

/** Draws the parts of the page as the user has arranged the tree, once per frame, and handles their events. */
export class App {
  readonly #host: EditorHost;
  readonly #act: (message: ExplainedAction) => void;
  readonly #stage: Stage;
  readonly #header: Header;
  readonly #search: SearchBox;
  readonly #pane: Pane;
  readonly #splitter: Splitter;
  readonly #overview = new Overview((view) => this.#tree.move(view));
  readonly #zoomBar: ZoomBar;
  readonly #compare: CompareBar;
  readonly #coverage: CoverageBar;
  readonly #comparing = new Comparing((snapshot, comparison) => this.#take(snapshot, comparison));
  readonly #keys = new KeysDialog();
  readonly #legend = new HeatLegend();
  readonly #colours: ThemeColours;
  readonly #trouble = new Banner();
  readonly #empty = element('div', { class: 'empty-holder' });
  readonly #said = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  readonly #tree: TreeViewModel;
  #frame: number | undefined;
  #storing: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, host: EditorHost, notices: PageNotices) {
    this.#host = host;
    this.#tree = new TreeViewModel(host.stored(), {
      size: () => this.#stage.size,
      onChange: () => this.#renderSoon(),
      takeFocus: () => this.#stage.takeFocus(),
    });
    this.#act = (message) => {
      if (message === 'start') this.#header.ask('start');
      else host.post({ type: message });
    };
    this.#search = new SearchBox({
      onText: (text) => this.#tree.searchFor(text),
      onStep: (by) => this.#tree.toMatch(by),
      onLeave: () => this.#leaveSearch(),
    });
    this.#header = new Header(
      {
        onRun: (version) => host.post({ type: 'showRun', version }),
        onStart: () => host.post({ type: 'start' }),
        onCancel: () => host.post({ type: 'cancel' }),
        onExpandAll: () => this.#tree.dispatch({ type: 'expandAll' }),
        onCollapseAll: () => this.#tree.collapseAll(),
        onHeat: (wanted) => this.#tree.dispatch({ type: 'heat', on: wanted }),
      },
      this.#search.element,
    );
    this.#stage = new Stage({
      onMove: (view) => this.#tree.move(view),
      onSelect: (key) => this.#tree.select(key),
      onToggle: (key) => this.#tree.toggle(key),
      onJump: (key) => this.#tree.jump(key),
      onKey: (event) => this.#key(event),
      onResize: () => this.#tree.resized(),
    });
    this.#pane = new Pane({
      onClose: () => this.#closePane(),
      onJump: (key) => this.#tree.goTo(key, 'select'),
      onRequestAudio: (stepId) => host.post({ type: 'requestAudio', stepId }),
      onSpeed: (speed) => this.#tree.dispatch({ type: 'speed', speed }),
      onTranscript: (stepId) => host.post({ type: 'openTranscript', ...(stepId === undefined ? {} : { stepId }) }),
      onCopied: (what) => this.#say(what),
      onCall: (stepId) => host.post({ type: 'callPath', stepId }),
      onTest: (stepId) => host.post({ type: 'generateTests', stepId }),
    });
    const onStep = (by: 1 | -1): void => this.#tree.toStop(by);
    this.#compare = new CompareBar({
      onStep,
      onText: () => host.post({ type: 'openCompared' }),
      onStop: () => host.post({ type: 'stopComparing' }),
    });
    this.#coverage = new CoverageBar({
      onStep,
      onGenerate: () => host.post({ type: 'generateTests' }),
      onHide: () => host.post({ type: 'hideCoverage' }),
    });
    this.#splitter = new Splitter((size) => this.#tree.dispatch({ type: 'resizePane', size }));
    this.#zoomBar = new ZoomBar({
      onZoom: (factor) => this.#tree.zoom(factor),
      onFit: () => this.#tree.fit(),
      onKeys: () => this.#keys.show(),
    });
    // The clipboard items of VS Code's menu work only in text fields.
    setAttributes(root, { 'data-vscode-context': '{"preventDefaultContextMenuItems":true}' });
    this.#colours = new ThemeColours(root, () => undefined);
    root.append(
      this.#header.element,
      notices.element,
      this.#trouble.element,
      this.#compare.element,
      this.#coverage.element,
      element(
        'main',
        { class: 'split' },
        element(
          'div',
          { class: 'stage-holder' },
          this.#stage.element,
          this.#overview.element,
          this.#empty,
          this.#legend.element,
          this.#zoomBar.element,
        ),
        this.#splitter.element,
        this.#pane.element,
      ),
      this.#said,
      this.#keys.element,
    );
    on(document.body, 'keydown', (event) => this.#pageKey(event));
    addEventListener('pagehide', () => this.#store());
  }

  readonly handlers: MessageHandlers<ToWebview> = {
    snapshot: (snapshot) => this.#comparing.take(snapshot),
    audio: ({ stepId, wav, error }) => this.#pane.player.receive(stepId, wav, error),
    play: ({ key }) => this.#run({ type: 'play', key }),
    reveal: ({ stepId }) => this.#tree.reveal(stepId),
    draw: ({ format }) => {
      void this.#draw(format);
    },
  };

  release(): void {
    this.#header.release();
  }

  #renderSoon(): void {
    this.#frame ??= requestAnimationFrame(() => this.#render());
    this.#storing ??= setTimeout(() => this.#store(), storeDelayMs);
  }

  #store(): void {
    clearTimeout(this.#storing);
    this.#storing = undefined;
    this.#host.store(this.#tree.stored);
  }

  #take(snapshot: PanelSnapshot, comparison: ComparedTree | undefined): void {
    const before = this.#tree.scene?.run;
    this.#tree.take(snapshot, comparison);
    // Immediately, not in the next frame: a hidden page gets no frames, but its words must be right when it becomes
    // visible.
    this.#render();
    this.#tree.reveal();
    const run = this.#tree.scene?.run;
    if (before?.status !== run?.status || before?.id !== run?.id) this.#say(run ? runSentence(run) : '');
  }

  #render(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const scene = this.#tree.arrange();
    if (!scene) return;
    const { heat, paneSize, search, focused } = this.#tree.state;
    this.#header.show(scene, heat);
    this.#compare.show(scene, focused);
    this.#coverage.show(scene, focused);
    // Steps that a comparison puts back have no response times any more.
    this.#legend.show(heat ? (scene.snapshot.tree.tree ?? undefined) : undefined);
    this.#pane.show(scene, this.#tree.state);
    this.#splitter.show(paneSize, this.#pane.element.hidden === true);
    this.#pane.element.style.setProperty('--pane-size', `${paneSize}px`);
    this.#search.show(search, scene.matches, focused);
    this.#explain(scene);
    this.#tree.place();
    this.#stage.draw(scene, this.#tree.state);
    this.#overview.show(scene, this.#tree.state, this.#stage.size);
    this.#zoomBar.show(this.#tree.state.view.zoom);
  }

  #explain(scene: Scene): void {
    const instead = emptyState(scene.snapshot);
    this.#stage.element.hidden = instead !== undefined;
    this.#zoomBar.element.hidden = instead !== undefined;
    this.#empty.hidden = instead === undefined;
    const shown = instead ? JSON.stringify(instead) : '';
    if (this.#empty.dataset['shown'] !== shown) {
      this.#empty.dataset['shown'] = shown;
      const { action } = instead ?? {};
      this.#empty.replaceChildren(
        ...(instead
          ? [
              emptyView({
                ...instead,
                action: action && { label: action.label, onPress: () => this.#act(action.message) },
              }),
            ]
          : []),
      );
    }
    const { job } = scene.snapshot;
    const trouble = instead || !scene.run || !job ? undefined : runTrouble(scene.run, job, scene.snapshot.runs);
    if (trouble)
      this.#trouble.show(
        trouble.kind === 'failed' ? 'error' : trouble.kind === 'limited' ? 'warning' : 'info',
        trouble.title,
        trouble.text,
        trouble.action?.message === 'raiseLimit'
          ? { label: trouble.action.label, onPress: () => this.#act('raiseLimit') }
          : undefined,
      );
    else this.#trouble.clear();
  }

  #say(text: string): void {
    setText(this.#said, text);
  }

  async #draw(format: PictureFormat): Promise<void> {
    const scene = this.#tree.scene;
    if (!scene) return;
    const look = {
      title: scene.snapshot.name,
      colour: (name: ColourName) => this.#colours.of(name),
      fontFamily: getComputedStyle(this.#stage.element).fontFamily,
    };
    const drawn = await pictureOf(scene, format, look).then(
      (picture) => ({ picture }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    this.#host.post({ type: 'picture', format, ...drawn });
  }

  #leaveSearch(): void {
    this.#tree.dispatch({ type: 'search', text: '' });
    this.#stage.takeFocus();
  }

  #closePane(): void {
    this.#tree.dispatch({ type: 'pane', open: false });
    this.#stage.takeFocus();
  }

  #key(event: KeyboardEvent): void {
    const { index } = this.#tree.scene ?? {};
    const command = index && commandOf(event, index, this.#tree.state.collapsed, this.#tree.state.focused);
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    this.#run(command);
  }

  /** Keys that work wherever the focus is, unless the user is typing. */
  #pageKey(event: KeyboardEvent): void {
    // It handles Escape itself.
    if (this.#keys.element.open) return;
    const typing =
      event.target instanceof Element && event.target.closest('vscode-text-field, vscode-dropdown') !== null;
    const finds = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
    if (finds || (event.key === '/' && !typing)) this.#run({ type: 'search' });
    else if (event.key === 'Escape' && !typing) this.#run({ type: 'escape' });
    else if (event.key === '?' && !typing) this.#run({ type: 'keys' });
    else return;
    event.preventDefault();
  }

  #run(command: KeyCommand): void {
    switch (command.type) {
      case 'focus':
        return this.#tree.goTo(command.key, 'focus');
      case 'select':
        if (this.#tree.scene?.index?.byKey.get(command.key)?.node.linksTo !== undefined)
          return this.#tree.jump(command.key);
        return this.#tree.goTo(command.key, 'select');
      case 'play':
        this.#tree.goTo(command.key, 'select');
        this.#render();
        return this.#pane.player.toggle();
      case 'collapse':
        return this.#tree.toggle(command.key);
      case 'expand':
        return this.#tree.expand(this.#tree.state.focused ?? '', command.keys);
      case 'zoom':
        return this.#tree.zoom(command.factor);
      case 'stop':
        return this.#tree.toStop(command.by);
      case 'heat':
        return this.#tree.dispatch({ type: 'heat', on: !this.#tree.state.heat });
      case 'fit':
        return this.#tree.fit();
      case 'keys':
        return this.#keys.show();
      case 'search':
        return this.#search.takeFocus();
      case 'escape':
        if (this.#tree.state.search !== '') return this.#leaveSearch();
        return this.#closePane();
    }
  }
}
