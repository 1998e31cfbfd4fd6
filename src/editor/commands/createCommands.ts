import { homedir } from 'node:os';
import { l10n, workspace, commands, Uri, window } from 'vscode';
import type { EditorModels } from '../agents/models/createEditorModels.ts';
import type { Handlers, HandlersOf } from '../basics/commandTable.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import { registerCommands } from '../basics/registerCommands.ts';
import { withTrust } from '../basics/trust.ts';
import type { Consent } from '../calls/consent.ts';
import type { MappingActions } from '../calls/mappingActions.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import type { Host } from '../host/createHost.ts';
import { createServiceClient } from '../host/serviceClient.ts';
import { saveModel } from '../host/writeSettings.ts';
import { besideUri } from '../folders/besideUri.ts';
import { workspaceFile } from '../folders/workspaceFile.ts';
import { openIvr } from '../files/navigation/openIvr.ts';
import { openDraft } from '../issue/editorDraft.ts';
import { issueCommands, issuePageOf } from '../issue/issueCommands.ts';
import type { Panels } from '../panels/createPanels.ts';
import { askHowToCall, profileCommands } from '../profiles/profileCommands.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { Testing } from '../testing/createTesting.ts';
import type { Views } from '../views/createViews.ts';
import { HumanError } from '../../contract/errors.ts';
import { firstStepCommands, walkthroughId } from './firstStepCommands.ts';
import { mappingCommands } from './mapping/mappingCommands.ts';
import { stepCommands } from './mapping/stepCommands.ts';
import { practiceCommands } from './mapping/practiceCommands.ts';
import { modelCommands } from './service/modelCommands.ts';
import { serviceCommands } from './service/serviceCommands.ts';
import { pickTarget, type Target, type TargetQuestion } from './targets/pickTarget.ts';
import { numbersOfTests } from './targets/testNumbers.ts';
import { complianceCommands } from './tests/complianceCommands.ts';
import { handCommands } from './tests/handCommands.ts';
import { loadCommands } from './tests/loadCommands.ts';
import { runCommands } from './tests/runCommands.ts';
import { testCommands } from './tests/testCommands.ts';
import { workspaceCommands } from './workspace/workspaceCommands.ts';

type OtherHandlers = HandlersOf<'agent' | 'file' | 'line' | 'tree' | 'coverage'> &
  Pick<Handlers, 'dialtree.test.fromTree'>;

interface CommandsParts extends Basics, Host, Panels, Views, Testing {
  readonly client: Host['connection'];
  readonly store: MappingStore;
  readonly actions: MappingActions;
  readonly consent: Consent;
  readonly editorModels: EditorModels;
  readonly index: WorkspaceIndex;
  readonly others: OtherHandlers;
  /** Keys and passwords in use. */
  readonly readSecrets: () => Promise<readonly string[]>;
}

export function createCommands(parts: CommandsParts, held: DisposableStore): void {
  const { context, run, report, restart, consent, index, pages, reports, openLoad, modelKeys } = parts;
  const settings = () => parts.settings().service;
  const ask = (question: TargetQuestion): Promise<Target | undefined> =>
    pickTarget({ ...parts, testNumbers: async () => numbersOfTests(await index.ready()) }, question);
  const common = { ...parts, settings, pickTarget: ask, createClient: createServiceClient };
  const handlers: Handlers = {
    ...parts.others,
    ...mappingCommands({ ...common, askProfile: () => askHowToCall(parts), selectedJob: () => parts.view.selectedJob }),
    ...stepCommands({ ...common, openIvr, generateTests: (place) => run('dialtree.test.fromTree', place) }),
    ...testCommands({
      ...common,
      judgeAgain: (runId) => reports.open(runId).editCriterion(),
      share: (runId) => reports.open(runId).share(),
      shownRun: () => reports.active?.subject,
    }),
    ...runCommands(common),
    ...complianceCommands({ ...common, withConsent: consent.planned }),
    ...handCommands({
      ...common,
      withConsent: consent.planned,
      sourceOf: (uri) => workspaceFile(Uri.parse(uri)),
      play: async (file, ivr) => {
        parts.assertCallsFromHere();
        return (await parts.startPractice((await besideUri(Uri.parse(file), ivr)).fsPath)).uri;
      },
      workspaceId: String(workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri ?? ''),
    }),
    ...loadCommands({ ...common, withConsent: consent.agreed, openReport: openLoad }),
    ...modelCommands({
      ...common,
      settings: () => parts.settings().model,
      keys: modelKeys,
      save: saveModel,
      isRemote: () => settings().mode === 'remote',
      onKeyChanged: () => restart.soon(),
      chooseEditorModel: parts.editorModels.choose,
    }),
    ...firstStepCommands({
      ...common,
      showWalkthrough: (step) => showWalkthrough(`${context.extension.id}#${walkthroughId}`, step),
      askFolder: askSamplesFolder,
      openFolder,
      goOnIn,
    }),
    ...profileCommands(common),
    ...practiceCommands({ ...common, openTree: (place) => run('dialtree.mapping.openTree', place) }),
    ...serviceCommands(common),
    ...issueCommands({
      ...common,
      writeReport: async (note) => {
        const { collectIssueFacts } = await import('../issue/issueFacts.ts');
        const { writeIssue } = await import('../issue/issueReport.ts');
        return writeIssue(await collectIssueFacts({ ...common, secrets: parts.readSecrets }), note);
      },
      openDraft,
      issuePage: () => issuePageOf(context.extension.packageJSON),
    }),
    ...workspaceCommands({
      ...common,
      openPage: (page) => pages.open(page),
    }),
  };
  for (const registration of registerCommands(
    withTrust(handlers, () => workspace.isTrusted, l10n),
    report,
  ))
    held.add(registration);
}

/** Shows a walkthrough by its full id, `publisher.extension#walkthrough`. */
async function showWalkthrough(category: string, step: string | undefined): Promise<void> {
  await commands.executeCommand('workbench.action.openWalkthrough', step === undefined ? category : { category, step });
}

async function askSamplesFolder(): Promise<string | undefined> {
  const [chosen] =
    (await window.showOpenDialog({
      title: l10n.t('Where do you want to put the samples folder?'),
      openLabel: l10n.t('Copy Samples Here'),
      defaultUri: Uri.file(homedir()),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (chosen && chosen.scheme !== 'file')
    throw new HumanError(l10n.t('Choose a folder on a local disk. Dialtree starts the practice IVRs from there.'), {
      status: 400,
      code: 'samples_folder',
    });
  return chosen?.fsPath;
}

/** Opens a folder as the workspace: in this window if it has none yet, otherwise in another. */
async function openFolder(folder: string): Promise<void> {
  await commands.executeCommand('vscode.openFolder', Uri.file(folder), {
    forceNewWindow: (workspace.workspaceFolders ?? []).length > 0,
  });
}

/** @see https://code.visualstudio.com/api/references/contribution-points#contributes.walkthroughs */
const goOnIn = (folder: string): { readonly openFolder: Uri } => ({ openFolder: Uri.file(folder) });
