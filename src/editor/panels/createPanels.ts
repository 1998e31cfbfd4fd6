import { commands, env, window, Uri } from 'vscode';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { Consent } from '../calls/consent.ts';
import type { MappingActions } from '../calls/mappingActions.ts';
import { repeatLoad, startLoad } from '../calls/startLoad.ts';
import type { CancelRequests } from '../host/connection.ts';
import type { PracticeIvrs } from '../host/practice.ts';
import type { Samples } from '../host/samples.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import type { Testing } from '../testing/createTesting.ts';
import { heardInstead } from '../../model/tests/heardInstead.ts';
import { runAgain } from '../testing/runAgain.ts';
import { callPath } from '../trees/callPath.ts';
import { editorTreeFiles } from '../trees/editorTreeFiles.ts';
import type { TreeFiles } from '../trees/treeFiles.ts';
import { targetName } from '../../model/calls/targetName.ts';
import { isCalledAt } from '../host/practiceNotes.ts';
import { loadPanelStateSchema } from '../../contract/loadPanel.ts';
import { GuideDocuments } from './documents/guideDocuments.ts';
import { TranscriptDocuments } from './documents/transcriptDocument.ts';
import { HandPanel, type HandPanelParts, type HandTest } from './hand/handPanel.ts';
import { LoadPanel, type LoadPanelParts } from './reports/loadPanel.ts';
import { ReportPanel, type ReportPanelParts } from './reports/reportPanel.ts';
import { linkToRun, RunLinks } from './reports/runLinks.ts';
import { TreePanels } from './trees/treePanels.ts';
import { readPageFiles } from './webview/webviewPage.ts';
import { WebviewPanels } from './webview/webviewPanels.ts';
import { SeenProgress } from './reports/seenProgress.ts';

interface PanelsParts extends Basics {
  readonly client: ServiceClient;
  readonly connection: CancelRequests;
  readonly practice: PracticeIvrs;
  readonly store: MappingStore;
  readonly feed: WorkspaceFeed;
  readonly actions: MappingActions;
  readonly consent: Consent;
  readonly testing: Testing;
  readonly index: Pick<TreeFiles, 'find'>;
  readonly samples: Pick<Samples, 'all'>;
}

export interface Panels {
  readonly transcripts: TranscriptDocuments;
  readonly guides: GuideDocuments;
  readonly panels: TreePanels;
  readonly reports: WebviewPanels<'report', ReportPanel>;
  readonly loads: WebviewPanels<'load', LoadPanel>;
  readonly hands: WebviewPanels<'hand', HandPanel>;
  readonly openReport: (runId: string) => void;
  readonly openLoad: (loadTestId: string) => void;
  readonly openHand: (runId: string, test?: HandTest) => void;
}

const toldMs = 3_000;

export function createPanels(parts: PanelsParts, held: DisposableStore): Panels {
  const { context, client, store, run, actions, consent, dialogs, l10n } = parts;
  const { explorer, covered } = parts.testing;
  const { extensionUri } = context;
  const transcripts = held.add(new TranscriptDocuments(store));
  const guides = held.add(new GuideDocuments(client));
  const panels = held.add(
    new TreePanels(extensionUri, {
      ...parts,
      covered,
      start: async (jobId) => actions.start((await store.loadRuns(jobId)).job),
      raiseLimit: (jobId) => run('dialtree.mapping.raiseLimit', { jobId }),
      cancel: (jobId) => actions.cancel(jobId),
      openTranscript: (place) => transcripts.open(place),
      generateTests: (place) => run('dialtree.test.fromTree', place),
      callPath: (place) => callPath({ ...parts, withConsent: consent.planned, openReport }, place),
    }),
  );
  const copy = async (text: string): Promise<void> => {
    await dialogs.copy(text);
    window.setStatusBarMessage(l10n.t('$(check) Copied to the clipboard'), toldMs);
  };
  const nameOf = (phoneNumber: string): string =>
    parts.practice.running.find((ivr) => isCalledAt(ivr, phoneNumber))?.name ??
    store.jobs.find(({ job }) => job.phoneNumber === phoneNumber)?.job.name ??
    targetName(phoneNumber);
  const afterHandCall: Pick<HandPanelParts, 'callAgain' | 'nameOf' | 'save'> = {
    nameOf,
    callAgain: async (target) => run('dialtree.call.start', { target }),
    save: async (as, call) => {
      const { saveHandCall } = await import('./hand/saveHandCall.ts');
      await saveHandCall(as, call, {
        dialogs,
        l10n,
        nameOf,
        files: { ...editorTreeFiles, find: parts.index.find.bind(parts.index) },
        samples: parts.samples.all,
        open: async (uri) => commands.executeCommand('vscode.open', Uri.parse(uri)),
      });
    },
  };
  const reportParts: ReportPanelParts = {
    ...parts,
    ...afterHandCall,
    cancel: (runId) => client.call('cancelTestRun', { runId }),
    runAgain: async (again, what) => {
      if (what === 'failed') return run('dialtree.test.runFailed', await explorer.fileOf(again.configId));
      const openInstead = (runId: string) => void reports.open(runId, { instead: again.id });
      const runInFile = explorer.runAgain.bind(explorer);
      return runAgain({ client, l10n, withConsent: consent.planned, runInFile, openReport: openInstead }, again);
    },
    copy,
    files: editorTreeFiles,
    linkOf: (runId) => linkToRun(env.uriScheme, context.extension.id, runId),
    isRemote: () => parts.settings().service.mode === 'remote',
    readPage: () => readPageFiles(extensionUri, 'report'),
    openReport,
    hasFile: async (configId) => (await explorer.findFile(configId)) !== undefined,
    acceptable: async (failed) => {
      const test = (await explorer.testOf(failed.configId))?.test;
      return [...failed.steps.keys()].filter((index) => test && heardInstead(test, failed, index));
    },
    acceptHeard: async (runId, step) => run('dialtree.test.acceptHeard', { runId, step }),
    openFile: (configId, step) => explorer.openFile(configId, step),
    chooseModel: async () => run('dialtree.model.choose'),
  };
  const reports = held.add(
    new WebviewPanels(extensionUri, {
      type: 'dialtree.report',
      page: 'report',
      title: l10n.t('Run Report'),
      create: (host, runId) => new ReportPanel(host, runId, reportParts),
    }),
  );
  const links = new RunLinks({ ...parts, service: () => parts.settings().service, openReport });
  held.add(window.registerUriHandler({ handleUri: (uri) => void links.open(uri).catch(parts.report) }));
  const loadParts: LoadPanelParts = {
    ...parts,
    seen: new SeenProgress(),
    cancel: (id) => client.call('cancelLoadTest', { id }),
    runAgain: (test) => startLoad({ ...parts, withConsent: consent.agreed, openReport: openLoad }, repeatLoad(test)),
    copy,
  };
  const loads = held.add(
    new WebviewPanels(extensionUri, {
      type: 'dialtree.load',
      page: 'load',
      title: l10n.t('Load Test'),
      create: (host, loadTestId) => new LoadPanel(host, loadTestId, loadParts),
      restore: (loadTestId, kept) =>
        loadParts.seen.goOn(loadTestId, loadPanelStateSchema.safeParse(kept).data?.seen ?? []),
    }),
  );
  // A restored page knows only what the transcript shows.
  const hands = held.add(
    new WebviewPanels(extensionUri, {
      type: 'dialtree.hand',
      page: 'hand',
      title: l10n.t('Call by Hand'),
      create: (host, runId) => new HandPanel(host, runId, { ...parts, ...afterHandCall, openReport }),
      closed: (panel) => panel.closed(),
    }),
  );
  function openReport(runId: string): void {
    reports.open(runId);
  }
  function openLoad(loadTestId: string): void {
    loads.open(loadTestId);
  }
  function openHand(runId: string, test?: HandTest): void {
    const panel = hands.open(runId);
    if (test) panel.offer(test);
  }
  return { transcripts, guides, panels, reports, loads, hands, openReport, openLoad, openHand };
}
