import { ConfigurationTarget, env, ExtensionMode, l10n, Uri, window, workspace } from 'vscode';
import type { ExtensionContext } from 'vscode';
import { join } from 'node:path';
import { systemClock } from './clock.ts';
import { setContext } from './commands/contextKeys.ts';
import { editorDialogs } from './commands/editorDialogs.ts';
import { complianceCommands } from './commands/complianceCommands.ts';
import { loadCommands, sameLoad, startLoad } from './commands/loadCommands.ts';
import { MappingActions } from './commands/mappingActions.ts';
import { withConsent } from './commands/consent.ts';
import type { WithConsent } from './commands/consent.ts';
import { mappingCommands } from './commands/mappingCommands.ts';
import { modelCommands } from './commands/modelCommands.ts';
import { pickTarget } from './commands/pickTarget.ts';
import type { Target, TargetQuestion } from './commands/pickTarget.ts';
import { practiceCommands } from './commands/practiceCommands.ts';
import { registerCommands, runCommand } from './commands/registerCommands.ts';
import { createErrorReporter } from './commands/reportError.ts';
import { remoteUrl, serviceCommands } from './commands/serviceCommands.ts';
import { testCommands } from './commands/testCommands.ts';
import { workspaceCommands } from './commands/workspaceCommands.ts';
import { createFormats } from './formats.ts';
import { ApiKeys } from './host/apiKeys.ts';
import { Connection } from './host/connection.ts';
import { EmbeddedService } from './host/embeddedService.ts';
import { modelEnvironment } from './host/modelChoice.ts';
import { PracticeIvrs } from './host/practice.ts';
import { Samples } from './host/samples.ts';
import { createServiceClient } from './host/serviceClient.ts';
import { callsFromHere, readSettings } from './host/settings.ts';
import type { ModelSettings, Settings } from './host/settings.ts';
import { endProcess, spawnNode } from './host/spawnNode.ts';
import { DisposableStore } from './lifetime.ts';
import { createLogger } from './log.ts';
import { CalltreeEditors } from './panels/calltreeEditors.ts';
import { createLoadPanels } from './panels/loadPanels.ts';
import { PageDocuments } from './panels/pageDocuments.ts';
import { createReportPanels } from './panels/reportPanels.ts';
import { TranscriptDocuments } from './panels/transcriptDocument.ts';
import { TreePanels } from './panels/treePanels.ts';
import { Coalescer } from './store/coalescer.ts';
import { MappingStore } from './store/mappingStore.ts';
import { WorkspaceFeed } from './store/workspaceFeed.ts';
import { callPath } from './trees/callPath.ts';
import type { DialtreeTestApi } from './testApi.ts';
import { createTesting } from './testing/createTesting.ts';
import { MappingsView } from './views/mappingsView.ts';
import { PracticeView } from './views/practiceView.ts';
import { RunsList } from './views/runsList.ts';
import { RunsView } from './views/runsView.ts';
import { StatusBar } from './views/statusBar.ts';

const settledMs = 200;
const toldMs = 3_000;

/** Builds the extension half and owns its lifetimes. Starts no process and reads no network: what needs the service starts it. */
export function createContainer(context: ExtensionContext, held: DisposableStore): Omit<DialtreeTestApi, 'activationMs'> {
  const clock = systemClock;
  const channel = held.add(window.createOutputChannel('Dialtree', { log: true }));
  const log = createLogger(channel);
  const formats = createFormats(env.language);
  const report = createErrorReporter(log, () => settings().service.mode, runCommand);
  const settings = (): Settings => readSettings(workspace.getConfiguration('dialtree'));
  const inExtension = (...path: string[]): string => join(context.extensionUri.fsPath, ...path);

  const keys = new ApiKeys(context.secrets, 'key');
  const modelKeys = new ApiKeys(context.secrets, 'modelKey');
  const embedded = held.add(new EmbeddedService({
    spawn: spawnNode, endProcess, clock, log, l10n,
    script: inExtension('dist', 'service.js'),
    dataFolder: Uri.joinPath(context.globalStorageUri, 'service').fsPath,
    assetsFolder: inExtension('dist', 'assets'),
    routes: () => settings().routes,
    environment: () => modelEnvironment(settings().model, modelKeys),
  }));
  const connection = held.add(new Connection({ settings: () => settings().service, keys, embedded, createClient: createServiceClient, l10n }));
  const practice = held.add(new PracticeIvrs({ spawn: spawnNode, log, l10n, script: inExtension('dist', 'cli.js') }));
  const samples = new Samples(inExtension('media', 'samples'));
  const feed = held.add(new WorkspaceFeed({ client: connection, clock, log }));
  const store = held.add(new MappingStore({ client: connection, feed, clock, log }));

  const openTree = (place: { jobId: string; runNumber?: number }): Promise<void> => runCommand('dialtree.mapping.openTree', place);
  const actions = new MappingActions({ client: connection, store, defaults: () => settings().mapping, report, openTree });
  const transcripts = held.add(new TranscriptDocuments(store));
  const pages = held.add(new PageDocuments(connection));
  const panels = held.add(new TreePanels(context.extensionUri, context.workspaceState, {
    store, client: connection, clock, log, l10n,
    start: async (jobId) => actions.start((await store.loadRuns(jobId)).job),
    cancel: (jobId) => actions.cancel(jobId),
    openTranscript: (place) => transcripts.open(place),
    callPath: (place) => callPath({ client: connection, store, withConsent: agreed, openReport, l10n }, place),
  }));
  const savedTrees = held.add(new CalltreeEditors(context.extensionUri, { clock, log, l10n }));
  const view = held.add(new MappingsView(store, connection, log));
  held.add(new StatusBar(connection, store));

  const agreed: WithConsent = (subject, work) => withConsent(connection, subject, work);
  const testing = createTesting({ client: connection, feed, clock, log, context, practice, withConsent: agreed, callsFromHere: () => canCall() }, held);
  const { names, explorer } = testing;
  const runs = held.add(new RunsList({ client: connection, feed, names, log }));
  const runsView = held.add(new RunsView(runs, names));
  const copy = async (text: string): Promise<void> => {
    await editorDialogs.copy(text);
    window.setStatusBarMessage(l10n.t('$(check) Copied to the clipboard'), toldMs);
  };
  const reports = held.add(createReportPanels(context.extensionUri, {
    client: connection, feed, clock, names, log, l10n,
    cancel: (runId) => connection.call('cancelTestRun', { runId }),
    copy,
    hasFile: async (configId) => await explorer.findFile(configId) !== undefined,
    openFile: (configId, step) => explorer.openFile(configId, step),
  }));
  const loads = held.add(createLoadPanels(context.extensionUri, {
    client: connection, feed, clock, names, log, l10n,
    cancel: (id) => connection.call('cancelLoadTest', { id }),
    runAgain: (test) => startLoad({ client: connection, withConsent: agreed, openReport: openLoad, dialogs: editorDialogs, l10n, formats }, sameLoad(test)),
    copy,
  }));
  function openReport(runId: string): void { reports.open(runId); }
  function openLoad(loadTestId: string): void { loads.open(loadTestId); }
  held.add(new PracticeView(practice));

  let stopApplying = (): void => undefined;
  const applying = new Coalescer(applySettings);
  held.add({ dispose: () => { stopApplying(); } });
  const canCall = (): boolean => callsFromHere(settings().service);
  const ask = (question: TargetQuestion): Promise<Target | undefined> => pickTarget({ practice, samples, callsFromHere: canCall }, question);
  const handlers = {
    ...mappingCommands({ store, actions, panels, transcripts, practice, samples, callsFromHere: canCall, dialogs: editorDialogs }),
    ...testCommands({ client: connection, explorer, names, runs, openReport, dialogs: editorDialogs, formats }),
    ...complianceCommands({ client: connection, dialogs: editorDialogs, pickTarget: ask, withConsent: agreed, openReport, l10n }),
    ...loadCommands({ client: connection, names, dialogs: editorDialogs, pickTarget: ask, withConsent: agreed, openReport: openLoad, l10n, formats }),
    ...modelCommands({ settings: () => settings().model, keys: modelKeys, dialogs: editorDialogs, save: saveModel, isRemote: () => settings().service.mode === 'remote', onKeyChanged: applySoon, l10n }),
    ...practiceCommands({ practice, samples, actions, callsFromHere: canCall, openTree }),
    ...serviceCommands({ connection, keys, settings: () => settings().service, channel, createClient: createServiceClient, dialogs: editorDialogs }),
    ...workspaceCommands({
      client: connection, keys, dialogs: editorDialogs, run: runCommand, l10n, formats,
      settings: () => settings().service,
      remoteUrl: () => remoteUrl(settings().service),
      // Registering needs no key, and one that is refused would be in its way.
      register: (url, signal) => createServiceClient({ baseUrl: url, apiKey: '' }).call('registerWorkspace', {}, { signal }),
      onKeyChanged: () => { connection.reset(); },
      ownKey,
      openPage: (page) => pages.open(page),
    }),
  };
  for (const registration of registerCommands(handlers, report)) held.add(registration);

  const showState = (): void => {
    setContext('dialtree.service', connection.state.kind);
    setContext('dialtree.mode', connection.mode);
    setContext('dialtree.listed', store.listed);
    setContext('dialtree.practiceRunning', practice.running.length > 0);
    setContext('dialtree.runsListed', runs.isRead);
    setContext('dialtree.runsFiltered', Object.keys(runs.filter).length > 0);
  };
  showState();
  held.add(store.onDidChange(showState));
  held.add(practice.onDidChange(showState));
  held.add(runs.onDidChange(showState));
  held.add(connection.onDidReplace(() => {
    store.reset();
    pages.forget();
    names.forget();
    runs.reset();
    feed.reset();
  }));
  held.add(connection.onDidChangeState((state) => {
    showState();
    if (state.kind === 'ready') feed.wake();
    if (state.kind === 'unreachable') panels.notice(state.message, 'error');
  }));
  held.add(workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('dialtree.service')) connection.reset();
    if (change.affectsConfiguration('dialtree.telephony.routes') || change.affectsConfiguration('dialtree.model')) applySoon();
  }));

  async function ownKey(): Promise<string | undefined> {
    const { mode, url } = settings().service;
    if (mode === 'remote') return url === undefined ? undefined : keys.read(url);
    return embedded.state.kind === 'ready' ? embedded.state.address.apiKey : undefined;
  }

  async function saveModel({ provider, name, url }: ModelSettings): Promise<void> {
    const configuration = workspace.getConfiguration('dialtree');
    await configuration.update('model.name', name === '' ? undefined : name, ConfigurationTarget.Global);
    await configuration.update('model.url', url, ConfigurationTarget.Global);
    await configuration.update('model.provider', provider, ConfigurationTarget.Global);
  }

  /** Settings that belong together change one after the other. */
  function applySoon(): void {
    stopApplying();
    stopApplying = clock.after(settledMs, () => { void applying.request().catch(report); });
  }

  /** The service reads its dial plan and its model when it starts; calls that are under way are not cut without a word. */
  async function applySettings(): Promise<void> {
    // All windows hear of a change of the user's settings; the one in which it is made acts for all of them, as they share one service.
    if (connection.mode !== 'embedded' || embedded.state.kind === 'stopped' || !window.state.focused) return;
    // What it was started with may be older than the change.
    if (embedded.state.kind === 'starting') await embedded.start().catch(() => undefined);
    if (embedded.state.kind === 'ready' && await isCalling()) {
      const restart = l10n.t('Restart Service');
      const answer = await window.showInformationMessage(l10n.t('The dial plan or the language model changed. It is used after a restart of the service, which ends the runs that go on.'), restart);
      if (answer !== restart) return;
    }
    await connection.restart();
  }

  async function isCalling(): Promise<boolean> {
    const [{ runsInFlight }, { items }] = await Promise.all([connection.call('getWorkspaceUsage', {}), connection.call('listLoadTests', { status: 'running', limit: 1 })]);
    return runsInFlight > 0 || items.length > 0;
  }

  return { store, connection, keys, embedded, practice, panels, savedTrees, view, explorer, runs, runsView, reports, loads };
}

export const isUnderTest = (context: Pick<ExtensionContext, 'extensionMode'>): boolean => context.extensionMode === ExtensionMode.Test;
