import { env, l10n, window, workspace, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { systemWallClock, type WallClock } from './wallClock.ts';
import type { Dialogs } from './dialogs/dialogs.ts';
import { editorDialogs } from './dialogs/editorDialogs.ts';
import { editorStepDialogs } from './dialogs/editorStepDialogs.ts';
import type { StepDialogs } from './dialogs/stepDialogs.ts';
import { createFormats, type Formats } from './formats.ts';
import type { DisposableStore } from './lifetime.ts';
import type { L10n } from './localise.ts';
import { KnownSecrets, createLogger } from './log/log.ts';
import { LogTail } from './log/logTail.ts';
import type { Logger } from './log/logger.ts';
import { runCommand } from './runCommand.ts';
import { createErrorReporter, type ErrorReporter } from './reportError.ts';
import { readEditorSettings, type Settings } from './settings.ts';

export interface Basics {
  readonly context: ExtensionContext;
  readonly clock: WallClock;
  readonly channel: LogOutputChannel;
  readonly tail: LogTail;
  readonly log: Logger;
  /** The secret storage. The log masks everything that is read from or written to it. */
  readonly secrets: ReturnType<KnownSecrets['over']>;
  readonly settings: () => Settings;
  readonly report: ErrorReporter;
  readonly run: typeof runCommand;
  readonly dialogs: Dialogs;
  /** The boxes of forms. */
  readonly steps: StepDialogs;
  readonly formats: Formats;
  readonly l10n: L10n;
}

export function createBasics(context: ExtensionContext, held: DisposableStore): Basics {
  const clock = systemWallClock;
  const channel = held.add(window.createOutputChannel('Dialtree', { log: true }));
  const tail = new LogTail(clock);
  const known = new KnownSecrets();
  const log = createLogger(channel, tail, known.hide);
  const settings = createSettings(held);
  return {
    context,
    clock,
    channel,
    tail,
    log,
    secrets: known.over(context.secrets),
    settings,
    report: createErrorReporter(log, () => settings().service.mode, runCommand),
    run: runCommand,
    dialogs: editorDialogs,
    steps: editorStepDialogs,
    formats: createFormats(env.language),
    l10n,
  };
}

/**
 * Many parts read the settings, also during activation, so they are parsed once per change. This listener is registered
 * first, because the others read the settings when they change.
 */
function createSettings(held: DisposableStore): () => Settings {
  let read: Settings | undefined;
  held.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('dialtree')) read = undefined;
    }),
  );
  return () => (read ??= readEditorSettings(workspace.getConfiguration('dialtree')));
}
