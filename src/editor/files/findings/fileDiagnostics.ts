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
import type { Basics } from '../../basics/createBasics.ts';
import { after } from '../../basics/wallClock.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { isWorkedOn } from '../../folders/editorIndex.ts';
import type { WorkspaceIndex } from '../../folders/workspaceIndex.ts';
import { filesBeside } from '../reading/filesBeside.ts';
import type { CriterionReadings } from '../reading/criterionReadings.ts';
import { fileOf, fileStart, rangeOf } from '../reading/openFiles.ts';
import type { DialPlan } from '../reading/phoneNumbers.ts';
import type { FileFinding, Severity } from './finding.ts';

interface DiagnosticsParts extends Pick<Basics, 'clock' | 'log'> {
  readonly index: WorkspaceIndex;
  /** The dial plan, or undefined if it is on another machine. */
  readonly routes: () => DialPlan | undefined;
  readonly newId: () => string;
  readonly criteria: Pick<CriterionReadings, 'of' | 'onDidChange'>;
}

/** Checks a file after this pause in typing. */
const settleMs = 300;
const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Shows the problems of open files, and advice about them. */
export class FileDiagnostics {
  readonly #parts: DiagnosticsParts;
  readonly #disposables = new DisposableStore();
  readonly #shown = this.#disposables.add(languages.createDiagnosticCollection('dialtree'));
  readonly #waiting = new Map<string, () => void>();
  readonly #findings = new Map<string, { readonly version: number; readonly findings: readonly FileFinding[] }>();

  constructor(parts: DiagnosticsParts) {
    this.#parts = parts;
    this.#disposables.add({
      dispose: () => {
        for (const cancel of this.#waiting.values()) cancel();
      },
    });
    this.#disposables.add(workspace.onDidOpenTextDocument((document) => this.#soon(document)));
    this.#disposables.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#soon(document);
      }),
    );
    this.#disposables.add(workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)));
    this.#disposables.add(workspace.onDidSaveTextDocument((document) => this.#soon(document)));
    this.#disposables.add(parts.index.onDidChange(() => this.checkAll()));
    this.#disposables.add(parts.criteria.onDidChange(() => this.checkAll()));
    this.checkAll();
  }

  checkAll(): void {
    for (const document of workspace.textDocuments) this.#soon(document);
  }

  /** Returns the findings of a document's current version, or nothing while they aren't known yet. */
  of(document: TextDocument): readonly FileFinding[] {
    const known = this.#findings.get(document.uri.toString());
    return known?.version === document.version ? known.findings : [];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #soon(document: TextDocument): void {
    if (!isWorkedOn(document.uri)) return;
    // Referenced files come and go.
    this.#parts.index.watch();
    const key = document.uri.toString();
    this.#waiting.get(key)?.();
    this.#waiting.set(
      key,
      after(this.#parts.clock, settleMs, () => {
        this.#waiting.delete(key);
        void this.#check(document).catch((error: unknown) => this.#parts.log.warn(describeCause(error)));
      }),
    );
  }

  async #check(document: TextDocument): Promise<void> {
    const { index, routes, newId, criteria } = this.#parts;
    const file = fileOf(document);
    const { version } = document;
    if (!file || document.isClosed) return;
    if (file.kind !== 'ivr' && file.kind !== 'calltree') await index.ready();
    const { checkFile } = await import('./findings.ts');
    const findings = await checkFile(
      file,
      {
        ...filesBeside(document.uri),
        routes: routes(),
        filesWithId: (id) => index.filesWithId(id),
        newId,
        // Requests to the service are limited per minute, and a criterion changes with each key that is typed.
        criterion: (acceptance) => criteria.of(acceptance, !document.isDirty),
      },
      l10n,
    );
    // A newer version is checked separately.
    if (document.isClosed || document.version !== version) return;
    this.#findings.set(document.uri.toString(), { version, findings });
    this.#shown.set(
      document.uri,
      findings.filter(({ isOffer }) => isOffer !== true).map((finding) => diagnosticOf(finding, document)),
    );
  }

  #forget(uri: Uri): void {
    const key = uri.toString();
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
    this.#findings.delete(key);
    this.#shown.delete(uri);
  }
}

function diagnosticOf(
  { severity, message, code, isUnneeded, related, ...span }: FileFinding,
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
