import { CodeAction, CodeActionKind, Uri, WorkspaceEdit } from 'vscode';
import type { CodeActionContext, CodeActionProvider, Range, TextDocument } from 'vscode';
import { commandIds } from '../commands/commandTable.ts';
import type { FileDiagnostics } from './fileDiagnostics.ts';
import type { Finding, Remedy } from './finding.ts';
import { placeOf, rangeOf } from './openFiles.ts';

/** The remedies of what was found, in the editor's lightbulb. */
export class FileCodeActions implements CodeActionProvider {
  readonly #diagnostics: FileDiagnostics;
  /** What a new practice IVR begins with. */
  readonly #template: () => Promise<string>;

  constructor(diagnostics: FileDiagnostics, template: () => Promise<string>) {
    this.#diagnostics = diagnostics;
    this.#template = template;
  }

  async provideCodeActions(document: TextDocument, range: Range, context: CodeActionContext): Promise<CodeAction[]> {
    const hit = this.#diagnostics.of(document).filter((finding) => rangeOf(document, finding).intersection(range) !== undefined);
    const actions = await Promise.all(hit.map(async (finding) => Promise.all((finding.remedies?.() ?? []).map((remedy) => this.#actionOf(document, finding, remedy, context)))));
    return actions.flat();
  }

  async #actionOf(document: TextDocument, finding: Finding, remedy: Remedy, { diagnostics }: CodeActionContext): Promise<CodeAction> {
    const action = new CodeAction(remedy.title, CodeActionKind.QuickFix);
    action.diagnostics = diagnostics.filter(({ code, range }) => code === finding.code && range.isEqual(rangeOf(document, finding)));
    if (remedy.kind === 'addRoute') {
      const adds = commandIds.find((id: string) => id === 'dialtree.line.add');
      action.command = adds === undefined
        ? { title: remedy.title, command: 'workbench.action.openSettings', arguments: ['dialtree.telephony.routes'] }
        : { title: remedy.title, command: adds, arguments: [{ number: remedy.number }] };
      return action;
    }
    action.edit = new WorkspaceEdit();
    if (remedy.kind === 'create') {
      const contents = new TextEncoder().encode(remedy.content ?? await this.#template());
      action.edit.createFile(Uri.joinPath(placeOf(document.uri), '..', remedy.path), { ignoreIfExists: true, contents });
    } else {
      action.isPreferred = remedy.isPreferred === true;
      for (const { content, ...span } of remedy.edits) action.edit.replace(document.uri, rangeOf(document, span), content);
    }
    return action;
  }
}
