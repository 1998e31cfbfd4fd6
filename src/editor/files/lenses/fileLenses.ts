import { CodeLens, EventEmitter, l10n, languages, workspace, type TextDocument } from 'vscode';
import type { Basics } from '../../basics/createBasics.ts';
import { after } from '../../basics/wallClock.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import type { PracticeIvrs } from '../../host/practice.ts';
import type { RunHistory } from '../../testing/runHistory.ts';
import { fileOf, ourFiles, rangeOf } from '../reading/openFiles.ts';
import type { LastRuns } from './lastRuns.ts';
import { lensesOf, lensOffset } from './lenses.ts';

interface LensParts extends Pick<Basics, 'clock' | 'formats'> {
  readonly lastRuns: LastRuns;
  readonly history: Pick<RunHistory, 'onDidEnd'>;
  readonly practice: Pick<PracticeIvrs, 'find' | 'onDidChange'>;
}

/** Texts such as “2 min. ago” are updated this often while they are shown. */
const minuteMs = 60_000;

export class FileLenses {
  readonly #parts: LensParts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<void>());
  #stopTicking: (() => void) | undefined;

  constructor(parts: LensParts) {
    this.#parts = parts;
    const change = (): void => {
      this.#changed.fire();
    };
    this.#disposables.add(parts.history.onDidEnd(change));
    this.#disposables.add(parts.practice.onDidChange(change));
    this.#disposables.add(workspace.onDidGrantWorkspaceTrust(change));
    this.#disposables.add({
      dispose: () => {
        this.#stopTicking?.();
      },
    });
    this.#disposables.add(
      languages.registerCodeLensProvider(ourFiles, {
        onDidChangeCodeLenses: this.#changed.event,
        provideCodeLenses: (document) => this.#provide(document),
      }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #provide(document: TextDocument): CodeLens[] {
    const file = fileOf(document);
    if (!file) return [];
    const { lastRuns, practice, clock, formats } = this.#parts;
    const path = workspace.isTrusted && document.uri.scheme === 'file' ? document.uri.fsPath : undefined;
    const last = lastRuns.of(file);
    if (last) this.#tick();
    const ivr = path === undefined ? undefined : practice.find(path);
    const playedAt = ivr?.isElsewhere ? undefined : ivr?.uri;
    const range = rangeOf(document, { offset: lensOffset(file), length: 0 });
    return lensesOf(file, { path, last, playedAt, now: clock.now(), formats }, l10n).map(
      ({ title, tooltip, command, argument }) =>
        new CodeLens(range, {
          title,
          command: command ?? '',
          ...(tooltip !== undefined && { tooltip }),
          ...(argument !== undefined && { arguments: [argument] }),
        }),
    );
  }

  /** The timer ends if nothing asks for lenses any more. */
  #tick(): void {
    this.#stopTicking ??= after(this.#parts.clock, minuteMs, () => {
      this.#stopTicking = undefined;
      this.#changed.fire();
    });
  }
}
