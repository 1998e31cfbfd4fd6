import { EventEmitter, l10n, Selection, TextEditorRevealType, Uri, window, workspace } from 'vscode';
import type { TextDocumentContentProvider } from 'vscode';
import type { MappingPlace } from '../../basics/commandArguments.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import { newestRun, runOf } from '../../store/snapshot.ts';
import { writeTranscript, type TranscriptDocument } from './transcript.ts';

const transcriptScheme = 'dialtree';

/** Transcripts as read-only documents, `dialtree:/JOB/RUN/NAME.txt`. An open one grows with its run. */
export class TranscriptDocuments implements TextDocumentContentProvider {
  readonly #store: MappingStore;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;

  constructor(store: MappingStore) {
    this.#store = store;
    this.#disposables.add(workspace.registerTextDocumentContentProvider(transcriptScheme, this));
    this.#disposables.add(
      store.onDidChange((change) => {
        for (const { uri } of workspace.textDocuments) {
          if (uri.scheme === transcriptScheme && (change === undefined || placeOf(uri)?.jobId === change.jobId))
            this.#changed.fire(uri);
        }
      }),
    );
  }

  /** Opens the transcript of a run at a step. The default is the newest run. */
  async open({ jobId, runNumber, stepId }: MappingPlace): Promise<void> {
    const snapshot = await this.#store.loadRuns(jobId);
    const number = runNumber ?? newestRun(snapshot);
    if (number === undefined) {
      void window.showInformationMessage(
        l10n.t('“{0}” has no transcript yet. Start the mapping first.', snapshot.job.name),
      );
      return;
    }
    // Slashes would be read as folders.
    const name = snapshot.job.name.replaceAll(/[/\\?#]/g, '-');
    const uri = Uri.from({
      scheme: transcriptScheme,
      path: `/${jobId}/${String(number)}/${name} ${l10n.t('run {0}', number)}.txt`,
    });
    const editor = await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    const line = stepId === undefined ? undefined : (await this.#write(jobId, number)).lineOf.get(stepId);
    if (line === undefined) return;
    editor.selection = new Selection(line, 0, line, 0);
    editor.revealRange(editor.selection, TextEditorRevealType.AtTop);
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const place = placeOf(uri);
    return place ? (await this.#write(place.jobId, place.runNumber)).text : '';
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #write(jobId: string, runNumber: number): Promise<TranscriptDocument> {
    const snapshot = await this.#store.loadTree(jobId, runNumber);
    const { name, phoneNumber } = snapshot.job;
    return writeTranscript(
      { name, phoneNumber, run: runOf(snapshot, runNumber), tree: snapshot.trees.get(runNumber)?.response },
      l10n,
    );
  }
}

function placeOf(uri: Uri): { jobId: string; runNumber: number } | undefined {
  const [, jobId, run] = uri.path.split('/');
  const runNumber = Number(run);
  return jobId !== undefined && Number.isInteger(runNumber) ? { jobId, runNumber } : undefined;
}
