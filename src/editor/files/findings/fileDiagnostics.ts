import {
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
  l10n,
  languages,
  Location,
  Uri,
  workspace,
} from 'vscode';
import type { TextDocument } from 'vscode';
import type { Clock } from '../../basics/clock.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { Logger } from '../../basics/log/logger.ts';
import { watchFiles } from '../../folders/watchFiles.ts';
import { besideFile } from '../index/editorIndex.ts';
import type { WorkspaceIndex } from '../index/workspaceIndex.ts';
import { fileOf, fileStart, isWorkedOn, rangeOf } from '../reading/openFiles.ts';
import type { DialPlan } from '../reading/phoneNumbers.ts';
import type { Finding, Severity } from './finding.ts';
import { findFindings } from './findings.ts';

export interface DiagnosticsParts {
  readonly index: WorkspaceIndex;
  /** The dial plan; undefined where another machine has it. */
  readonly routes: () => DialPlan | undefined;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** So long nobody has typed. */
const settleMs = 300;
const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Shows beside the schema's complaints what else is wrong with the files that are open. */
export class FileDiagnostics {
  readonly #parts: DiagnosticsParts;
  readonly #held = new DisposableStore();
  readonly #shown = this.#held.add(languages.createDiagnosticCollection('dialtree'));
  readonly #waiting = new Map<string, () => void>();
  readonly #findings = new Map<string, { readonly version: number; readonly findings: readonly Finding[] }>();
  #isWatching = false;

  constructor(parts: DiagnosticsParts) {
    this.#parts = parts;
    this.#held.add({
      dispose: () => {
        for (const cancel of this.#waiting.values()) cancel();
      },
    });
    this.#held.add(
      workspace.onDidOpenTextDocument((document) => {
        this.#soon(document);
      }),
    );
    this.#held.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#soon(document);
      }),
    );
    this.#held.add(
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#forget(uri);
      }),
    );
    this.#held.add(
      parts.index.onDidChange(() => {
        this.checkAll();
      }),
    );
    this.checkAll();
  }

  /** Looks at the open files again, as where something beside them has changed. */
  checkAll(): void {
    for (const document of workspace.textDocuments) this.#soon(document);
  }

  /** What was found in a document as it is now; nothing while that is not known yet. */
  of(document: TextDocument): readonly Finding[] {
    const known = this.#findings.get(document.uri.toString());
    return known?.version === document.version ? known.findings : [];
  }

  dispose(): void {
    this.#held.dispose();
  }

  #soon(document: TextDocument): void {
    if (!isWorkedOn(document.uri)) return;
    this.#watch();
    const key = document.uri.toString();
    this.#waiting.get(key)?.();
    this.#waiting.set(
      key,
      this.#parts.clock.after(settleMs, () => {
        this.#waiting.delete(key);
        void this.#check(document).catch((error: unknown) => {
          this.#parts.log.warn(describeCause(error));
        });
      }),
    );
  }

  async #check(document: TextDocument): Promise<void> {
    const { index, routes, newId } = this.#parts;
    const file = fileOf(document);
    const { version } = document;
    if (!file || document.isClosed) return;
    if (file.kind === 'mission' || file.kind === 'calltest') await index.ready();
    const findings = await findFindings(
      file,
      { ...besideFile(document.uri), routes: routes(), filesWithId: (id) => index.filesWithId(id), newId },
      l10n,
    );
    // Whoever types on is looked at again.
    if (document.isClosed || document.version !== version) return;
    this.#findings.set(document.uri.toString(), { version, findings });
    this.#shown.set(
      document.uri,
      findings.map((finding) => diagnosticOf(finding, document)),
    );
  }

  #forget(uri: Uri): void {
    const key = uri.toString();
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
    this.#findings.delete(key);
    this.#shown.delete(uri);
  }

  /** What files name beside them comes and goes; nothing is watched before one is open. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const check = (): void => {
      this.checkAll();
    };
    this.#held.add(watchFiles('**/*.{csv,wav}', { created: check, changed: check, deleted: check, folders: check }));
  }
}

function diagnosticOf(
  { severity, message, code, isUnneeded, related, ...span }: Finding,
  document: TextDocument,
): Diagnostic {
  const diagnostic = new Diagnostic(rangeOf(document, span), message, severities[severity]);
  diagnostic.source = 'Dialtree';
  diagnostic.code = code;
  if (isUnneeded) diagnostic.tags = [DiagnosticTag.Unnecessary];
  if (related)
    diagnostic.relatedInformation = related.map(
      (other) => new DiagnosticRelatedInformation(new Location(Uri.parse(other.uri), fileStart), other.message),
    );
  return diagnostic;
}
