import { env, ExtensionMode, l10n, UIKind, Uri, window, workspace } from 'vscode';
import type { ExtensionContext } from 'vscode';
import { join } from 'node:path';
import { createAgents } from './agents/createAgents.ts';
import { createEditorModels } from './agents/models/createEditorModels.ts';
import { dialPlanOf } from '../model/linePlan.ts';
import { systemClock } from './clock.ts';
import { setContext } from './commands/contextKeys.ts';
import { editorDialogs } from './commands/editorDialogs.ts';
import { askSamplesFolder, goOnIn, openFolder, openSetting, showWalkthrough } from './commands/editorWindow.ts';
import { complianceCommands } from './commands/complianceCommands.ts';
import { firstStepCommands, walkthroughId } from './commands/firstStepCommands.ts';
import { issueCommands } from './commands/issueCommands.ts';
import { loadCommands, sameLoad, startLoad } from './commands/loadCommands.ts';
import { MappingActions } from './commands/mappingActions.ts';
import { tellPlan, withConsent } from './commands/consent.ts';
import type { WithConsent } from './commands/consent.ts';
import { mappingCommands } from './commands/mappingCommands.ts';
import { modelCommands } from './commands/modelCommands.ts';
import { pickTarget } from './commands/pickTarget.ts';
import type { Target, TargetQuestion } from './commands/pickTarget.ts';
import { numbersOfTests } from './commands/testNumbers.ts';
import { planToTell } from './commands/planToTell.ts';
import { practiceCommands } from './commands/practiceCommands.ts';
import { registerCommands, runCommand } from './commands/registerCommands.ts';
import { createErrorReporter } from './commands/reportError.ts';
import { remoteUrl, serviceCommands } from './commands/serviceCommands.ts';
import { testCommands } from './commands/testCommands.ts';
import { workspaceCommands } from './commands/workspaceCommands.ts';
import { createFiles } from './files/createFiles.ts';
import { createFormats } from './formats.ts';
import { ApiKeys } from './host/apiKeys.ts';
import { callOrigin } from './host/callOrigin.ts';
import { Connection } from './host/connection.ts';
import { CrashNotice } from './host/crashNotice.ts';
import { EmbeddedService } from './host/embeddedService.ts';
import { endpointOf, modelEnvironment } from './host/modelChoice.ts';
import { PracticeIvrs } from './host/practice.ts';
import { SampleCopies } from './host/sampleCopies.ts';
import { Samples } from './host/samples.ts';
import { createServiceClient } from './host/serviceClient.ts';
import { ServiceRestart } from './host/serviceRestart.ts';
import { StartSettings } from './host/startSettings.ts';
import { callsFromHere, readSettings } from './host/settings.ts';
import type { ServiceSettings, Settings } from './host/settings.ts';
import { endProcess, spawnNode } from './host/spawnNode.ts';
import { saveLines, saveModel } from './host/writeSettings.ts';
import { openDraft } from './issue/editorDraft.ts';
import { collectIssueFacts, issuePageOf } from './issue/issueFacts.ts';
import { LogTail } from './issue/logTail.ts';
import { KnownSecrets } from './knownSecrets.ts';
import { DisposableStore } from './lifetime.ts';
import { editorStepDialogs } from './lines/editorStepDialogs.ts';
import { lineCommands } from './lines/lineCommands.ts';
import { LineList } from './lines/lineList.ts';
import { lineEnvironment, LinePasswords } from './lines/linePasswords.ts';
import { LinesView } from './lines/linesView.ts';
import { createLogger } from './log.ts';
import { CalltreeEditors } from './panels/calltreeEditors.ts';
import { createLoadPanels } from './panels/loadPanels.ts';
import { PageDocuments } from './panels/pageDocuments.ts';
import { createReportPanels } from './panels/reportPanels.ts';
import { TranscriptDocuments } from './panels/transcriptDocument.ts';
import { TreePanels } from './panels/treePanels.ts';
import { MappingStore } from './store/mappingStore.ts';
import { isRunning } from './store/snapshot.ts';
import { WorkspaceFeed } from './store/workspaceFeed.ts';
import { callPath } from './trees/callPath.ts';
import { withTrust } from './trust.ts';
import type { DialtreeTestApi } from './testApi.ts';
import { createTrees } from './trees/createTrees.ts';
import { editorTreeFiles } from './trees/editorTreeFiles.ts';
import { generateTestCommands } from './trees/generateTests.ts';
import { saveAsPracticeCommand } from './trees/saveAsPractice.ts';
import { createTesting } from './testing/createTesting.ts';
import type { TestingParts } from './testing/createTesting.ts';
import { DrawnCoverage } from './testing/drawnCoverage.ts';
import { keepFilter, keptFilter } from './views/keptFilter.ts';
import { MappingsView, mappingsViewId } from './views/mappingsView.ts';
import { PracticeView } from './views/practiceView.ts';
import { RowStates } from './views/rowStates.ts';
import { RunsList } from './views/runsList.ts';
import { RunsView } from './views/runsView.ts';
import { StatusBar } from './views/statusBar.ts';

const toldMs = 3_000;

/** Builds the extension half and owns its lifetimes. Starts no process and reads no network: what needs the service starts it. */
export function createContainer(
  context: ExtensionContext,
  held: DisposableStore,
): Omit<DialtreeTestApi, 'activationMs'> {
  const clock = systemClock;
  const channel = held.add(window.createOutputChannel('Dialtree', { log: true }));
  const tail = new LogTail(clock);
  const known = new KnownSecrets();
  const secretStorage = known.over(context.secrets);
  const log = createLogger(channel, tail, known.hide);
  const formats = createFormats(env.language);
  const origin = (service: ServiceSettings): string =>
    callOrigin(service, { remoteName: env.remoteName, isWeb: env.uiKind === UIKind.Web }, l10n);
  const report = createErrorReporter(log, () => settings().service.mode, runCommand);
  // Many ask for them, at the start too: read once until they change. Listens before all others, who read them when they hear of it.
  let read: Settings | undefined;
  held.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('dialtree')) read = undefined;
    }),
  );
  const settings = (): Settings => (read ??= readSettings(workspace.getConfiguration('dialtree')));
  const inExtension = (...path: string[]): string => join(context.extensionUri.fsPath, ...path);

  const keys = new ApiKeys(secretStorage, 'key');
  const modelKeys = new ApiKeys(secretStorage, 'modelKey');
  const linePasswords = new LinePasswords(secretStorage);
  const startSettings = new StartSettings(async () => {
    const { routes, lines: own, model } = settings();
    const endpoint = endpointOf(model);
    return JSON.stringify([
      routes,
      own,
      model,
      endpoint === undefined ? undefined : await modelKeys.read(endpoint),
      await lineEnvironment(own, linePasswords),
    ]);
  });
  const editorModels = createEditorModels({ context, clock, log, dialogs: editorDialogs }, held);
  const embedded = held.add(
    new EmbeddedService({
      spawn: spawnNode,
      endProcess,
      clock,
      log,
      l10n,
      script: inExtension('dist', 'service.js'),
      dataFolder: Uri.joinPath(context.globalStorageUri, 'service').fsPath,
      assetsFolder: inExtension('dist', 'assets'),
      routes: () => settings().routes,
      lines: () => settings().lines,
      environment: async () => {
        await startSettings.note();
        return {
          ...(await modelEnvironment(settings().model, modelKeys, editorModels.open)),
          ...(await lineEnvironment(settings().lines, linePasswords)),
        };
      },
    }),
  );
  const connection = held.add(
    new Connection({
      settings: () => settings().service,
      keys,
      embedded,
      createClient: createServiceClient,
      isTrusted: () => workspace.isTrusted,
      l10n,
    }),
  );
  const practice = held.add(new PracticeIvrs({ spawn: spawnNode, log, l10n, script: inExtension('dist', 'cli.js') }));
  const samples = new Samples(inExtension('media', 'samples'));
  const copies = new SampleCopies(
    inExtension('media', 'samples'),
    Uri.joinPath(context.globalStorageUri, 'samples').fsPath,
  );
  const feed = held.add(new WorkspaceFeed({ client: connection, clock, log }));
  const store = held.add(new MappingStore({ client: connection, feed, clock, log }));

  const openTree = (place: { jobId: string; runNumber?: number }): Promise<void> =>
    runCommand('dialtree.mapping.openTree', place);
  const actions = new MappingActions({
    client: connection,
    store,
    defaults: () => settings().mapping,
    report,
    openTree,
  });
  const transcripts = held.add(new TranscriptDocuments(store));
  const pages = held.add(new PageDocuments(connection));
  const panels = held.add(
    new TreePanels(context.extensionUri, context.workspaceState, {
      store,
      client: connection,
      clock,
      log,
      l10n,
      start: async (jobId) => actions.start((await store.loadRuns(jobId)).job),
      cancel: (jobId) => actions.cancel(jobId),
      openTranscript: (place) => transcripts.open(place),
      callPath: (place) => callPath({ client: connection, store, withConsent: planned, openReport, l10n }, place),
    }),
  );
  const covered = held.add(new DrawnCoverage());
  const savedTrees = held.add(new CalltreeEditors(context.extensionUri, { clock, log, l10n, covered }));
  const trees = createTrees({ store, panels, savedTrees, dialogs: editorDialogs }, held);
  const view = held.add(
    new MappingsView(store, connection, new RowStates(context.workspaceState, mappingsViewId), clock, log),
  );
  held.add(new StatusBar(connection, store, () => origin(settings().service)));

  const agreed: WithConsent = (subject, work) => withConsent(connection, subject, work);
  const planned: WithConsent = async (subject, work) => {
    await tellPlan(connection, subject);
    return agreed(subject, work);
  };
  const planWords: TestingParts['planWords'] = async (subject, times) =>
    (await planToTell(connection, subject, l10n, formats, times))?.words;
  const testing = createTesting(
    {
      client: connection,
      feed,
      clock,
      log,
      context,
      practice,
      withConsent: agreed,
      planWords,
      callsFromHere: () => canCall(),
      isSample: (file) => copies.isKept(file),
      covered,
    },
    held,
  );
  const { names, explorer, history, going } = testing;
  const files = createFiles(
    {
      client: connection,
      isReady: () => connection.state.kind === 'ready',
      history,
      practice,
      clock,
      log,
      formats,
      language: env.language,
      dialogs: editorDialogs,
      routes: () => (connection.mode === 'remote' ? undefined : dialPlanOf(settings().routes, settings().lines)),
      templates: Uri.joinPath(context.extensionUri, 'media', 'templates'),
    },
    held,
  );
  const runs = held.add(
    new RunsList({ client: connection, feed, names, clock, log, filter: keptFilter(context.workspaceState) }),
  );
  held.add(keepFilter(runs, context.workspaceState));
  held.add(
    new CrashNotice({
      embedded,
      dialogs: editorDialogs,
      run: runCommand,
      clock,
      l10n,
      underWay: () => ({
        mappings: store.jobs.filter(isRunning).map(({ job }) => job.name),
        tests: [
          ...new Set([
            ...going(),
            ...runs.rows
              .map((row) => (row.kind === 'run' ? row.run : row.test))
              .filter(({ status }) => status === 'running')
              .map((run) => names.of(run)),
          ]),
        ],
      }),
    }),
  );
  const runsView = held.add(new RunsView(runs, names));
  const copy = async (text: string): Promise<void> => {
    await editorDialogs.copy(text);
    window.setStatusBarMessage(l10n.t('$(check) Copied to the clipboard'), toldMs);
  };
  const reports = held.add(
    createReportPanels(context.extensionUri, {
      client: connection,
      feed,
      clock,
      names,
      log,
      l10n,
      cancel: (runId) => connection.call('cancelTestRun', { runId }),
      copy,
      hasFile: async (configId) => (await explorer.findFile(configId)) !== undefined,
      openFile: (configId, step) => explorer.openFile(configId, step),
    }),
  );
  const loads = held.add(
    createLoadPanels(context.extensionUri, {
      client: connection,
      feed,
      clock,
      names,
      log,
      l10n,
      cancel: (id) => connection.call('cancelLoadTest', { id }),
      runAgain: (test) =>
        startLoad(
          { client: connection, withConsent: agreed, openReport: openLoad, dialogs: editorDialogs, l10n, formats },
          sameLoad(test),
        ),
      copy,
    }),
  );
  function openReport(runId: string): void {
    reports.open(runId);
  }
  function openLoad(loadTestId: string): void {
    loads.open(loadTestId);
  }
  held.add(new PracticeView(practice));
  const lines = held.add(
    new LineList({
      connection,
      lines: () => settings().lines,
      wrongLines: () => settings().wrongLines,
      passwords: linePasswords,
      onDidChange: feed.onDidChange,
      clock,
      log,
    }),
  );
  held.add(new LinesView(lines));

  const restart = held.add(
    new ServiceRestart({
      connection,
      embedded,
      dialogs: editorDialogs,
      isFocused: () => window.state.focused,
      report,
      clock,
      l10n,
      // Of a process that another window started one knows nothing.
      isCurrent: async () => embedded.childPid !== undefined && (await startSettings.isCurrent()),
    }),
  );
  const canCall = (): boolean => callsFromHere(settings().service);
  const ask = (question: TargetQuestion): Promise<Target | undefined> =>
    pickTarget(
      {
        practice,
        samples,
        callsFromHere: canCall,
        testNumbers: async () => {
          await files.index.ready();
          return numbersOfTests(files.index.files);
        },
      },
      question,
    );
  const agents = createAgents(
    {
      context,
      secrets: secretStorage,
      settings,
      connection,
      embedded,
      feed,
      practice,
      samples,
      testing,
      callsFromHere: canCall,
      dialogs: editorDialogs,
      run: runCommand,
      clock,
      log,
      formats,
    },
    held,
  );
  const handlers = {
    ...mappingCommands({
      store,
      actions,
      panels,
      transcripts,
      pickTarget: ask,
      dialogs: editorDialogs,
      l10n,
      selectedJob: () => view.selectedJob,
    }),
    ...testCommands({
      client: connection,
      explorer,
      names,
      runs,
      openReport,
      judgeAgain: (runId) => {
        reports.open(runId).editCriterion();
      },
      dialogs: editorDialogs,
      clock,
      formats,
      copies,
    }),
    ...complianceCommands({
      client: connection,
      dialogs: editorDialogs,
      pickTarget: ask,
      withConsent: planned,
      openReport,
      l10n,
    }),
    ...loadCommands({
      client: connection,
      names,
      dialogs: editorDialogs,
      pickTarget: ask,
      withConsent: agreed,
      openReport: openLoad,
      l10n,
      formats,
    }),
    ...modelCommands({
      settings: () => settings().model,
      keys: modelKeys,
      dialogs: editorDialogs,
      save: saveModel,
      isRemote: () => settings().service.mode === 'remote',
      onKeyChanged: () => {
        restart.soon();
      },
      chooseEditorModel: editorModels.choose,
      l10n,
    }),
    ...agents.commands,
    ...files.commands,
    ...generateTestCommands({
      store,
      client: connection,
      files: editorTreeFiles,
      dialogs: editorDialogs,
      l10n,
      samples: samples.all,
      runTests: (uris) => explorer.runFiles(...uris.map((uri) => Uri.parse(uri))),
    }),
    ...trees,
    ...saveAsPracticeCommand({
      store,
      client: connection,
      files: editorTreeFiles,
      dialogs: editorDialogs,
      l10n,
      log,
      run: (command, uri) => runCommand(command, { file: Uri.parse(uri).fsPath }),
    }),
    ...firstStepCommands({
      copies,
      showWalkthrough: (step) => showWalkthrough(`${context.extension.id}#${walkthroughId}`, step),
      askFolder: askSamplesFolder,
      openFolder,
      goOnIn,
      l10n,
    }),
    ...lineCommands({
      client: connection,
      list: lines,
      lines: () => settings().lines,
      names: () => Object.keys(workspace.getConfiguration('dialtree').get<object>('telephony.lines') ?? {}),
      passwords: linePasswords,
      dialogs: editorDialogs,
      steps: editorStepDialogs,
      save: saveLines,
      apply: () => restart.now(),
      l10n,
      openSettings: openSetting,
    }),
    ...practiceCommands({ practice, samples, actions, callsFromHere: canCall, openTree }),
    ...serviceCommands({
      connection,
      keys,
      settings: () => settings().service,
      channel,
      createClient: createServiceClient,
      dialogs: editorDialogs,
      origin,
    }),
    ...issueCommands({
      collectFacts: () => collectIssueFacts({ context, connection, tail, secrets }),
      openDraft,
      issuePage: () => issuePageOf(context.extension.packageJSON),
      dialogs: editorDialogs,
      l10n,
    }),
    ...workspaceCommands({
      client: connection,
      keys,
      dialogs: editorDialogs,
      run: runCommand,
      l10n,
      formats,
      settings: () => settings().service,
      remoteUrl: () => remoteUrl(settings().service),
      // Registering needs no key, and one that is refused would be in its way.
      register: (url, signal) =>
        createServiceClient({ baseUrl: url, apiKey: '' }).call('registerWorkspace', {}, { signal }),
      onKeyChanged: () => {
        connection.reset();
      },
      ownKey,
      openPage: (page) => pages.open(page),
    }),
  };
  for (const registration of registerCommands(
    withTrust(handlers, () => workspace.isTrusted, l10n),
    report,
  ))
    held.add(registration);

  const showState = (): void => {
    setContext('dialtree.service', connection.state.kind);
    setContext('dialtree.mode', connection.mode);
    setContext('dialtree.listed', store.listed);
    setContext(
      'dialtree.mapped',
      store.jobs.some(({ job }) => job.currentRun?.status === 'completed'),
    );
    setContext('dialtree.practiceRunning', practice.running.length > 0);
    setContext('dialtree.runsListed', runs.isRead);
    setContext('dialtree.runsFiltered', Object.keys(runs.filter).length > 0);
  };
  showState();
  held.add(store.onDidChange(showState));
  held.add(practice.onDidChange(showState));
  held.add(runs.onDidChange(showState));
  held.add(
    connection.onDidReplace(() => {
      store.reset();
      pages.forget();
      names.forget();
      runs.reset();
      feed.reset();
    }),
  );
  held.add(
    connection.onDidChangeState((state) => {
      showState();
      if (state.kind === 'ready') feed.wake();
      if (state.kind === 'unreachable') panels.notice(state.message, 'error');
    }),
  );
  held.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('dialtree.service')) connection.reset();
      if (change.affectsConfiguration('dialtree.telephony') || change.affectsConfiguration('dialtree.model'))
        restart.soon();
      if (change.affectsConfiguration('dialtree.telephony.lines')) lines.refreshSoon();
    }),
  );

  async function ownKey(): Promise<string | undefined> {
    const { mode, url } = settings().service;
    if (mode === 'remote') return url === undefined ? undefined : keys.read(url);
    return embedded.state.kind === 'ready' ? embedded.state.address.apiKey : undefined;
  }

  /** For finding them where they must not be. */
  async function secrets(): Promise<readonly string[]> {
    const endpoint = endpointOf(settings().model);
    return [
      await ownKey(),
      await agents.key.read(),
      endpoint === undefined ? undefined : await modelKeys.read(endpoint),
      ...(await linePasswords.readAll(settings().lines)),
    ].filter((key) => key !== undefined);
  }

  return {
    store,
    connection,
    keys,
    embedded,
    practice,
    lines,
    linePasswords,
    panels,
    savedTrees,
    view,
    explorer,
    files,
    runs,
    runsView,
    reports,
    loads,
    agents,
  };
}

export const isUnderTest = (context: Pick<ExtensionContext, 'extensionMode'>): boolean =>
  context.extensionMode === ExtensionMode.Test;
