import type { PageFiles } from '../../../base/savedPage.ts';
import { ivrSlug } from '../../../contract/ivrFile.ts';
import type { RecordingPart } from '../../../contract/recordingPart.ts';
import type { ReportSnapshot } from '../../../contract/reportPanel.ts';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import type { TreeFiles } from '../../trees/treeFiles.ts';
import { runSummary } from './runSummary.ts';
import { savedReport } from './savedReport.ts';

export interface ShareParts {
  readonly dialogs: Pick<Dialogs, 'pick' | 'confirm' | 'tell' | 'wait' | 'browse'>;
  readonly formats: Pick<Formats, 'moment'>;
  readonly l10n: L10n;
  readonly files: Pick<TreeFiles, 'askNewFile' | 'write' | 'label'>;
  readonly copy: (text: string) => Promise<void>;
  readonly linkOf: (runId: string) => string;
  /** Others can reach the service, and with it the run behind a link. */
  readonly isRemote: () => boolean;
  readonly readPage: () => Promise<PageFiles>;
}

/** Reads a part of the recording. */
type ReadPart = (from: number) => Promise<RecordingPart>;

const megabyte = 2 ** 20;
/** Half an hour of a call (32 kB/s). In the file, it takes up a third more, which browsers still open within seconds. */
const maxWavBytes = 64 * megabyte;

/** Offers to save the report as a file, or to copy its summary or its link. */
export async function shareRun(snapshot: ReportSnapshot, readPart: ReadPart, parts: ShareParts): Promise<void> {
  const { dialogs, l10n, formats, copy, isRemote } = parts;
  const { run } = snapshot;
  if (run.status !== 'completed') {
    await dialogs.tell(l10n.t('You can share this run when its call is over.'));
    return;
  }
  const share = await dialogs.pick(
    [
      {
        label: run.audioUrl === undefined ? l10n.t('Save as HTML File…') : l10n.t('Save as HTML File with Sound…'),
        detail: l10n.t('One file for any browser. It contains everything that was said, and needs no network.'),
        value: () => saveFile(snapshot, readPart, parts),
      },
      {
        label: l10n.t('Copy Summary'),
        detail: l10n.t('Markdown for an issue or a message'),
        value: () => copy(runSummary(snapshot, formats, l10n)),
      },
      {
        label: l10n.t('Copy Link'),
        detail: isRemote()
          ? l10n.t('Opens this report for everyone in the same workspace of this service')
          : l10n.t("Only for your own editor: other machines can't reach your service"),
        value: () => copy(parts.linkOf(run.id)),
      },
    ],
    { title: l10n.t('Share Run'), placeHolder: l10n.t('How do you want to share this run?') },
  );
  await share?.();
}

async function saveFile(snapshot: ReportSnapshot, readPart: ReadPart, parts: ShareParts): Promise<void> {
  const { dialogs, files, l10n } = parts;
  const { name, run } = snapshot;
  const uri = await files.askNewFile(
    l10n.t('Save Report'),
    ivrSlug(`${name} ${run.startedAt.slice(0, 'YYYY-MM-DDThh:mm'.length)}`),
    '.html',
  );
  if (uri === undefined) return;
  let wav: Buffer | undefined;
  if (run.audioUrl !== undefined) {
    const read = await dialogs.wait(l10n.t('Reading the recording…'), (signal) =>
      wholeRecording(readPart, signal, l10n),
    );
    if (read === undefined) return;
    if (Buffer.isBuffer(read)) wav = read;
    else if (!(await dialogs.confirm(l10n.t('Save the report without sound?'), read, l10n.t('Save Without Sound'))))
      return;
  }
  // The editor would open a text of this size as a document.
  await files.write(uri, Buffer.from(savedReport(snapshot, wav, await parts.readPage())));
  const open = { title: l10n.t('Open'), run: () => dialogs.browse(uri) };
  await dialogs.tell(l10n.t('Saved the report to {0}.', files.label(uri)), open);
}

/** Returns the recording, a sentence why the file can't contain it, or undefined if the user cancelled. */
async function wholeRecording(
  readPart: ReadPart,
  signal: AbortSignal,
  l10n: L10n,
): Promise<Buffer | string | undefined> {
  const cancelled = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });
  const read: Uint8Array[] = [];
  let have = 0;
  /** A recording that changes size while it is read isn't one recording. */
  let first: number | undefined;
  for (;;) {
    const part = await Promise.race([readPart(have), cancelled]);
    if (!part || signal.aborted) return undefined;
    const { wav, from = 0, total = wav?.length ?? 0, error } = part;
    first ??= total;
    if (error !== undefined) return error;
    if (total > maxWavBytes)
      return l10n.t(
        'The recording has {0} MB. A file with sound can contain up to {1} MB, which is about half an hour.',
        Math.ceil(total / megabyte),
        maxWavBytes / megabyte,
      );
    if (!wav || wav.length === 0 || from !== have || have + wav.length > total || total !== first)
      return l10n.t('The service sent an incomplete recording.');
    read.push(wav);
    have += wav.length;
    if (have === total) return Buffer.concat(read);
  }
}
