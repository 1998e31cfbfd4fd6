import type { FromLoad, LoadPanelState, LoadSnapshot, ToLoad } from '../../src/contract/loadPanel.ts';
import type { LoadTest, LoadVerdict } from '../../src/contract/loadTests.ts';
import { loadState } from '../../src/contract/runState.ts';
import type { EditorHost } from '../page/editorHost.ts';
import { element, setText } from '../page/element.ts';
import { icon, stateIcon } from '../page/icons.ts';
import type { MessageHandlers } from '../page/incoming.ts';
import { t } from '../page/l10n.ts';
import { emptyView } from '../page/emptyView.ts';
import type { PageNotices } from '../page/notices.ts';
import { part } from '../page/part.ts';
import { figure } from '../page/formats.ts';
import { CountBars } from './countBars.ts';
import { hangUpMeaning, outcomeMeaning } from './countWords.ts';
import { measuredRows } from './figureRows.ts';
import { FigureTable } from './figureTable.ts';
import { keyFiguresOf } from './keyFigures.ts';
import { LoadHeader } from './loadHeader.ts';
import { TestedPart } from './testedPart.ts';
import { TileRow } from './tileRow.ts';
import { TimelineChart } from './timelineChart.ts';
import { hatchPattern, TimesChart } from './timesChart.ts';
import { endSentence, warningsOf } from './words.ts';

export class LoadPage {
  readonly #host: EditorHost<FromLoad>;
  readonly #header: LoadHeader;
  readonly #warnings = element('div', { class: 'warnings', role: 'note', 'aria-label': t('Warnings') });
  readonly #tiles = new TileRow();
  readonly #timeline = new TimelineChart();
  readonly #times = new TimesChart();
  readonly #outcomes = new CountBars(t('Outcomes'), 'outcomes-title', outcomeMeaning);
  readonly #hangUps = new CountBars(t('Hang-ups'), 'hang-ups-title', hangUpMeaning);
  readonly #criteria = new CriteriaPart();
  readonly #tested: TestedPart;
  readonly #figures = new FigureTable();
  readonly #nothing = element('div');
  readonly #said = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  #snapshot: LoadSnapshot | undefined;
  #shown: LoadSnapshot | undefined;
  #frame: number | undefined;

  constructor(root: HTMLElement, host: EditorHost<FromLoad>, notices: PageNotices) {
    this.#host = host;
    this.#tested = new TestedPart((recording, from) =>
      host.post({ type: 'requestAudio', recording, ...(from !== undefined && { from }) }),
    );
    this.#header = new LoadHeader(host);
    root.classList.add('load');
    root.append(
      hatchPattern(),
      this.#header.element,
      notices.element,
      this.#warnings,
      element(
        'main',
        { class: 'load-parts stack' },
        this.#nothing,
        this.#tiles.element,
        this.#criteria.element,
        this.#tested.element,
        this.#timeline.element,
        element(
          'div',
          { class: 'side-by-side' },
          this.#times.element,
          element('div', { class: 'stacked stack' }, this.#outcomes.element, this.#hangUps.element),
        ),
        this.#figures.element,
      ),
      this.#said,
    );
  }

  readonly handlers: MessageHandlers<ToLoad> = {
    snapshot: (snapshot) => {
      this.#snapshot = snapshot;
      const isRunning = snapshot.test.status === 'running';
      this.#host.store({ seen: (isRunning && snapshot.seen) || [] } satisfies LoadPanelState);
      if (!this.#shown) {
        this.#show(snapshot);
        return;
      }
      // Several snapshots in one frame are drawn once.
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = undefined;
        if (this.#snapshot) this.#show(this.#snapshot);
      });
    },
    audio: (recording) => this.#tested.player.receive(recording),
  };

  release(): void {
    this.#header.release();
  }

  #show(snapshot: LoadSnapshot): void {
    const { test, seen = [] } = snapshot;
    const { stats, status } = test;
    const isRunning = status === 'running';
    this.#header.show(snapshot);
    this.#showWarnings(warningsOf(test));
    this.#tiles.show(keyFiguresOf(test));
    this.#timeline.element.hidden = !stats && !isRunning;
    if (stats || isRunning) this.#timeline.show(test, stats ? (stats.timeline ?? []) : seen);
    this.#times.show(stats ? measuredRows(stats) : []);
    this.#outcomes.show(stats?.outcomes);
    this.#hangUps.show(stats?.hangUps);
    this.#criteria.show(stats?.verdict);
    this.#tested.show(stats?.tested);
    this.#figures.element.hidden = !stats;
    if (stats) this.#figures.show(stats);
    this.#showNothing(test);
    // A test that ended before the page opened isn't announced.
    const before = this.#shown?.test;
    if (!isRunning && before?.id === test.id && before.status === 'running') setText(this.#said, endSentence(test));
    this.#shown = snapshot;
  }

  #showWarnings(warnings: readonly string[]): void {
    this.#warnings.hidden = warnings.length === 0;
    this.#warnings.replaceChildren(
      ...warnings.map((warning) =>
        element('div', { class: 'banner row banner-warning' }, icon('warning'), element('p', {}, warning)),
      ),
    );
  }

  #showNothing(test: LoadTest): void {
    const { stats, status, reason } = test;
    const result = loadState(test);
    this.#nothing.hidden = stats !== undefined || status === 'running';
    if (this.#nothing.hidden) return;
    this.#nothing.replaceChildren(
      emptyView({
        kind: result === 'failed' ? 'failed' : result === 'aborted' ? 'limited' : 'empty',
        title: t('No data'),
        text:
          reason === undefined
            ? t('The test ended before it measured anything. See the service log for details.')
            : t('The test ended before it measured anything. See the reason above.'),
      }),
    );
  }
}

class CriteriaPart {
  readonly #list = element('ul', { class: 'criteria' });
  readonly element = part('criteria-title', t('Criteria'), 'part boxed', this.#list);

  show(verdict: LoadVerdict | undefined): void {
    this.element.hidden = verdict === undefined;
    this.#list.replaceChildren(
      ...(verdict?.criteria ?? []).map(({ met, text, sinceSecond }) =>
        element(
          'li',
          { class: met ? 'is-met' : 'is-broken' },
          stateIcon(met ? 'pass' : 'fail'),
          element(
            'span',
            {},
            element('span', { class: 'unseen' }, met ? t('Met:') : t('Not met:')),
            ` ${text}`,
            ...(sinceSecond === undefined ? [] : [` ${t('Broken since second {0}.', figure(sinceSecond))}`]),
          ),
        ),
      ),
    );
  }
}
