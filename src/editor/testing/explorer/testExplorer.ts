import { l10n, Location, TestMessage, TestRunProfileKind, TestRunRequest, tests, Uri, window, workspace } from 'vscode';
import type { CancellationToken, FileCoverage, TestItem, TestRunProfile } from 'vscode';
import type { RunResults } from '../../../contract/testRuns.ts';
import { isTestFile, type TestFile } from '../../../model/tests/testFile.ts';
import { readTest } from '../../folders/testSource.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { after } from '../../basics/wallClock.ts';
import { Coalescer } from '../../basics/coalescer.ts';
import { DisposableStore, type Disposable } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import { testIdOf } from '../../../runner/testId.ts';
import { workspaceFile } from '../../folders/workspaceFile.ts';
import type { Environments } from '../../folders/environments.ts';
import type { WorkspaceIndex } from '../../folders/workspaceIndex.ts';
import { addCoverage, loadDetails } from '../coverage/coverage.ts';
import type { DrawnCoverage } from '../coverage/drawnCoverage.ts';
import { WalkedCalls } from '../coverage/walkedCalls.ts';
import { testIdIn } from '../../../contract/probeFile.ts';
import { stepPlace, type Failure } from '../failures.ts';
import { testKey, type RunHistory, type RunPlace } from '../runHistory.ts';
import { Reruns } from '../running/reruns.ts';
import { rowKeys, rowOfRun } from '../running/rowKeys.ts';
import type { TestReporter } from '../running/testReporter.ts';
import type { LoadSize } from '../running/runUnderLoad.ts';
import type { TestRunner, WantedTest } from '../running/testRunner.ts';
import { failureContext } from './failureContext.ts';
import { rangeAt, TestTree, type ItemKind } from './testTree.ts';

const testControllerId = 'dialtree.tests';
/** Editors write a file in several steps. */
const settleMs = 150;
const repeats = [2, 3, 5, 10, 20, 50];

interface TestExplorerParts extends Pick<Basics, 'clock' | 'log'> {
  readonly index: WorkspaceIndex;
  readonly environments: Pick<Environments, 'onDidChange'>;
  readonly runner: TestRunner;
  readonly history: RunHistory;
  /** Returns true if a path is a sample that the user runs without a workspace. */
  readonly isSample: (path: string) => boolean;
  readonly covered: DrawnCoverage;
  /** Says why there is no coverage, and offers a mapping. */
  readonly tellUncovered: (why: string) => void;
  /** Asks on how many calls to carry out each test. Returns undefined if the user cancels. */
  readonly askLoadSize: () => Promise<LoadSize | undefined>;
  /** Opens the page of a call that carries out a test step by step, with the row that has this key. @see rowKeys */
  readonly callStepByStep: (uri: string, row: string | undefined) => Promise<unknown>;
}

type OnLaunch = (runId: string) => void;

interface ExplorerRun {
  readonly repeat: number;
  readonly covers?: boolean;
  readonly load?: LoadSize;
  readonly onLaunch?: OnLaunch | undefined;
}

export class TestExplorer {
  readonly #parts: TestExplorerParts;
  readonly #disposables = new DisposableStore();
  readonly #controller = this.#disposables.add(tests.createTestController(testControllerId, 'Dialtree'));
  readonly #tree = new TestTree(this.#controller);
  readonly #naming = new Coalescer(async () => {
    // One after the other, because a folder can have thousands.
    for (const uri of this.#tree.name(await this.#parts.index.ready())) await this.#tree.readFile(uri);
  });
  readonly #waiting = new Map<string, () => void>();
  readonly #profile: TestRunProfile;
  #following: Disposable | undefined;
  #repeat = 5;
  lastCoverage: readonly FileCoverage[] = [];

  constructor(parts: TestExplorerParts) {
    this.#parts = parts;
    this.#controller.resolveHandler = (item) => this.#resolve(item);
    this.#controller.refreshHandler = () => this.discover();
    const run =
      (repeat: () => number, covers = false) =>
      (request: TestRunRequest, token: CancellationToken): Promise<void> =>
        this.#run(request, token, { repeat: repeat(), covers });
    const { Run, Debug, Coverage } = TestRunProfileKind;
    const add = (label: string, handler: TestRunProfile['runHandler'], isDefault = false, kind = Run): TestRunProfile =>
      this.#disposables.add(this.#controller.createRunProfile(label, kind, handler, isDefault));
    const once = run(() => 1);
    this.#profile = add(
      l10n.t('Run'),
      (request, token) => (request.continuous === true ? this.#runOnChange(request, token) : once(request, token)),
      true,
    );
    this.#profile.supportsContinuousRun = true;
    const again = run(() => this.#repeat);
    add(l10n.t('Run Repeatedly'), again).configureHandler = () => {
      void this.#askRepeat();
    };
    add(l10n.t('Run Under Load'), async (request, token) => {
      const load = await this.#parts.askLoadSize();
      if (load) await this.#run(request, token, { repeat: 1, load });
    });
    const stepping: TestRunProfile['runHandler'] = async (request) => {
      const [wanted] = await this.#wanted(request);
      if (wanted) await this.#parts.callStepByStep(wanted.source.file, [...wanted.rows.keys()][0]);
    };
    add(l10n.t('Run Step by Step'), stepping, true, Debug);
    const covering = run(() => 1, true);
    loadDetails(add(l10n.t('Run with Tree Coverage'), covering, true, Coverage));
    this.#disposables.add({
      dispose: () => {
        for (const cancel of this.#waiting.values()) cancel();
      },
    });
    // The editor shows run buttons beside the lines of an open file.
    this.#disposables.add(
      workspace.onDidOpenTextDocument(({ uri }) => {
        if (this.#isOurs(uri)) this.#soon(uri);
      }),
    );
    this.#disposables.add(workspace.onDidChangeTextDocument(({ document: { uri } }) => this.#changed(uri)));
    for (const { uri } of workspace.textDocuments) if (this.#isOurs(uri)) this.#soon(uri);
    // What a test calls, and whether it is valid, depends on its environment.
    this.#disposables.add(parts.environments.onDidChange(() => void this.#readAgain()));
  }

  /** Lists the workspace's tests, and follows their changes from then on. Rejects if the search fails. */
  async discover(): Promise<void> {
    const { index, isSample } = this.#parts;
    this.#following ??= this.#disposables.add(
      index.onDidChange((change) => {
        if (change) this.#changed(Uri.parse(change.uri), change.change !== 'gone');
        // The index logs why a search fails.
        else void this.discover().catch(() => undefined);
      }),
    );
    // The index reports files that are added in the meantime.
    const before = this.items;
    const found = new Set(await index.find('calltest', 'mission', 'probe'));
    for (const { id, uri } of before) if (uri && !found.has(id) && !isSample(uri.fsPath)) this.#tree.remove(uri);
    const uris = [...found].map((uri) => Uri.parse(uri));
    for (const uri of uris) this.#tree.addFile(uri);
    void this.#naming.request();
    await this.#readAgain();
  }

  /** Runs all these files as the Test Explorer does. Resolves when they have ended. */
  async runFiles(...uris: readonly Uri[]): Promise<void> {
    await this.#runItems(uris.map((uri) => this.#tree.addFile(uri)));
  }

  /**
   * Runs the test of a run again, of a param test its row. Resolves when it has ended, or with false if no file contains
   * the test, or its row.
   */
  async runAgain(
    { row, ...run }: Pick<RunResults, 'configId' | 'catalogueTestId' | 'row'>,
    onLaunch: OnLaunch,
  ): Promise<boolean> {
    const configId = testIdIn(run);
    const file = await this.fileOf(configId);
    if (!file) return false;
    const read = row && (await this.testOf(configId))?.test;
    const key = read?.kind === 'calltest' && row && rowKeys(read)[rowOfRun(read.test, row)];
    if (read?.kind === 'calltest' && key === undefined) return false;
    const item = [...file.children].find(([, child]) => this.#tree.placeOf(child)?.row === key)?.[1];
    await this.#runItems([item ?? file], onLaunch);
    return true;
  }

  /** Runs the tests and rows among these items whose newest run didn't pass. Returns false if there are none. */
  async runFailed(among = this.items): Promise<boolean> {
    const failed = await Promise.all(
      among.map(async (item) => {
        const uri = this.#tree.kindOf(item)?.uri;
        if (uri) await this.#tree.readFile(uri);
        const place = this.#tree.placeOf(item);
        const keys = new Set(place && this.#parts.history.failedRows(place.test));
        const shown = item.children.size > 0 ? [...item.children].map(([, row]) => row) : [item];
        return shown.filter((one) => keys.has(this.#tree.placeOf(one)?.row ?? ''));
      }),
    );
    if (failed.flat().length === 0) return false;
    await this.#runItems(failed.flat());
    return true;
  }

  /** Returns the item of the file that contains a test, after reading it. */
  async fileOf(configId: string | undefined): Promise<TestItem | undefined> {
    const uri = configId === undefined ? undefined : await this.findFile(configId);
    if (uri) await this.#tree.readFile(uri);
    return uri && this.#tree.addFile(uri);
  }

  async findFile(configId: string): Promise<Uri | undefined> {
    const files = (await this.#parts.index.ready()).filter(({ uri }) => isTestFile(uri));
    const found = files.find(({ id }) => id === configId);
    if (found) return Uri.parse(found.uri);
    // A sample is outside every folder. A test without an id is identified by its place.
    const uris = [
      ...files.flatMap(({ id, uri }) => (id === undefined ? [Uri.parse(uri)] : [])),
      ...this.items.flatMap(({ uri }) => uri ?? []),
    ];
    for (const uri of uris) if ((await testIdOf(undefined, workspaceFile(uri).path)) === configId) return uri;
    return this.items.find((item) => this.#tree.placeOf(item)?.test === configId)?.uri;
  }

  /** Reads the file that contains a test. `test` is undefined if the file has problems. */
  async testOf(
    configId: string | undefined,
  ): Promise<{ readonly uri: Uri; readonly test: TestFile | undefined } | undefined> {
    const uri = configId === undefined ? undefined : await this.findFile(configId);
    if (!uri) return undefined;
    const source = workspaceFile(uri);
    const read = await readTest(source);
    return { uri, test: 'problems' in read ? undefined : read };
  }

  async openFile(configId: string, step: { readonly name: string; readonly index: number } | undefined): Promise<void> {
    const found = await this.testOf(configId);
    if (!found) return;
    const { uri, test } = found;
    const place = test && (step ? stepPlace(test, step.name, step.index) : test.placeOf(['name']));
    await window.showTextDocument(uri, place ? { selection: rangeAt(place) } : {});
  }

  /**
   * Returns the run of an item whose report is most useful. For a test with rows, this is the run of one of them.
   */
  async runOf(item: TestItem): Promise<string | undefined> {
    const uri = this.#tree.kindOf(item)?.uri;
    if (!uri) return undefined;
    // The file may have an id by now, which identifies its runs.
    await this.#tree.readFile(uri);
    const place = this.#tree.placeOf(item);
    return place && this.#parts.history.runOf(place);
  }

  get items(): TestItem[] {
    return [...this.#controller.items].map(([, item]) => item);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #isOurs(uri: Uri): boolean {
    if (!isTestFile(uri.path) || uri.path.includes('/node_modules/') || uri.scheme === 'git') return false;
    return (
      workspace.getWorkspaceFolder(uri) !== undefined || (uri.scheme === 'file' && this.#parts.isSample(uri.fsPath))
    );
  }

  async #readAgain(): Promise<void> {
    const uris = this.items.flatMap(({ uri }) => (uri && this.#tree.isRead(uri) ? [uri] : []));
    await Promise.all(uris.map((uri) => this.#tree.readFile(uri)));
  }

  async #resolve(item: TestItem | undefined): Promise<void> {
    if (!item) return this.discover();
    const kind = this.#tree.kindOf(item);
    if (kind) await this.#tree.readFile(kind.uri);
  }

  /** Reads a file again, or the tests whose rows are in it. */
  #changed(uri: Uri, isThere = true): void {
    if (!isThere) this.#remove(uri);
    if (!this.#isOurs(uri)) for (const reader of this.#tree.readersOf(uri)) this.#soon(reader);
    else if (isThere) this.#soon(uri);
  }

  #remove(uri: Uri): void {
    // What waits for a file of a deleted folder would list it again.
    for (const [key, cancel] of this.#waiting) {
      if (!`${key}/`.startsWith(`${uri.toString()}/`)) continue;
      cancel();
      this.#waiting.delete(key);
    }
    this.#tree.remove(uri);
  }

  /** Reads a known or open file again, after a pause in its changes. */
  #soon(uri: Uri): void {
    const key = uri.toString();
    this.#waiting.get(key)?.();
    this.#waiting.set(
      key,
      after(this.#parts.clock, settleMs, () => {
        this.#waiting.delete(key);
        const open = workspace.textDocuments.some((document) => document.uri.toString() === key);
        if (open || this.#tree.isRead(uri)) void this.#tree.readFile(uri);
        else {
          this.#tree.addFile(uri);
          void this.#naming.request();
        }
      }),
    );
  }

  async #askRepeat(): Promise<void> {
    const chosen = await window.showQuickPick(repeats.map(String), {
      placeHolder: l10n.t('How many times do you want to run each test? Current value: {0}', this.#repeat),
    });
    if (chosen !== undefined) this.#repeat = Number(chosen);
  }

  /** Runs tests again when their file, its CSV or its practice IVR is saved, until the user stops that. */
  async #runOnChange(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const uriOf = (item: TestItem): string | undefined => this.#tree.kindOf(item)?.uri.toString();
    const included = (file: string): TestItem[] => (request.include ?? this.items).filter((one) => uriOf(one) === file);
    const reruns = new Reruns(this.#parts.clock, async (file) => {
      const again = new TestRunRequest(included(file), request.exclude, request.profile, true);
      // The log says why it failed.
      await this.#run(again, token, { repeat: 1 }).catch(() => undefined);
    });
    const listening = this.#parts.index.onDidChange((change) => {
      if (change?.change !== 'stored') return;
      const uri = Uri.parse(change.uri);
      for (const file of [uri, ...this.#tree.readersOf(uri)].map(String))
        if (included(file).length > 0) reruns.changed(file);
    });
    token.onCancellationRequested(() => {
      listening.dispose();
      reruns.dispose();
    });
    this.#disposables.add(reruns);
    // Only a file that was read is known to name a CSV or an IVR.
    const files = (request.include ?? this.items).flatMap((item) => this.#tree.kindOf(item)?.uri ?? []);
    await Promise.all(files.map((uri) => this.#tree.readFile(uri)));
  }

  async #runItems(items: readonly TestItem[], onLaunch?: OnLaunch): Promise<void> {
    await this.#run(new TestRunRequest(items, undefined, this.#profile), undefined, { repeat: 1, onLaunch });
  }

  async #run(
    request: TestRunRequest,
    token: CancellationToken | undefined,
    { repeat, covers = false, load, onLaunch }: ExplorerRun,
  ): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const cancelled = new AbortController();
    // The editor's stop button also stops a run that something else started.
    const listening = [token, run.token].map((stop) => stop?.onCancellationRequested(() => cancelled.abort()));
    try {
      const asked = await this.#wanted(request);
      const wanted = load ? asked.map((one) => ({ ...one, rows: new Map<string, TestItem>() })) : asked;
      for (const { item, rows } of wanted)
        for (const shown of rows.size > 0 ? rows.values() : [item]) run.enqueued(shown);
      const several = wanted.length > 1;
      let speaking: TestItem | undefined;
      const calls = new WalkedCalls<TestItem>();
      const adding: Promise<void>[] = [];
      const messagesOf = (item: TestItem, failures: readonly Failure[]): TestMessage[] =>
        failures.map((failure) => messageOf(failure, item, this.#tree.kindOf(item)));
      const reporter: TestReporter<TestItem> = {
        started: (item) => run.started(item),
        launched: (item, runId, file) => {
          this.#parts.history.add(this.#placeOf(item, file), runId);
          onLaunch?.(runId);
        },
        output: (item, text) => {
          // Simultaneous calls speak at the same time, so each line names its call, unless the output shows a single
          // test.
          if (several && item !== speaking) run.appendOutput(`\r\n── ${item.label}\r\n`);
          speaking = item;
          run.appendOutput(text, undefined, item);
        },
        ran: (item, file, ending, source) => {
          this.#parts.history.end(this.#placeOf(item, file), ending, file.kind === 'calltest' ? rowKeys(file) : []);
          if (covers) adding.push(calls.add(item, file, ending, source));
        },
        passed: (item, ms) => run.passed(item, ms),
        failed: (item, failures, ms) => run.failed(item, messagesOf(item, failures), ms),
        errored: (item, failures, ms) => run.errored(item, messagesOf(item, failures), ms),
        // The editor has no state for it. “Failed” would blame the called side, and “errored” the test, so the reason
        // stands at its place, as it does for the others, and the test has no verdict.
        undecided: (item, failures) => {
          for (const { message, location } of messagesOf(item, failures))
            run.appendOutput(`${typeof message === 'string' ? message : message.value}\r\n`, location, item);
          run.skipped(item);
        },
        skipped: (item) => run.skipped(item),
      };
      await this.#parts.runner.run(wanted, reporter, { signal: cancelled.signal, repeat, load });
      await Promise.all(adding);
      if (covers) {
        this.lastCoverage = await addCoverage(run, calls, await this.#parts.index.find('calltree'));
        const names = calls.withoutTree.join(', ');
        if (names !== '') {
          const why = l10n.t('No tree file of {0} to compare with. Map the number, then save its tree.', names);
          run.appendOutput(`\r\n${why}\r\n`);
          this.#parts.tellUncovered(why);
        }
        this.#parts.covered.keep(calls);
      }
    } catch (error) {
      this.#parts.log.error(`The tests were not run: ${describeCause(error)}`);
      throw error;
    } finally {
      for (const stop of listening) stop?.dispose();
      run.end();
    }
  }

  /** Uses the file as it was run, which has an id by then. */
  #placeOf(item: TestItem, file: TestFile): RunPlace {
    return { test: testKey(file.test.id, file.file), row: this.#tree.kindOf(item)?.row };
  }

  /**
   * Returns the tests of a request. Reads their files now, because their content may not be listed yet, or may have
   * changed.
   */
  async #wanted(request: TestRunRequest): Promise<WantedTest<TestItem>[]> {
    const included = request.include ?? this.items;
    const excludedIds = new Set((request.exclude ?? []).map(({ id }) => id));
    // A row can be in a different file than its test.
    const files = new Map(
      included.flatMap((item) => {
        const uri = this.#tree.kindOf(item)?.uri;
        return uri ? [[uri.toString(), uri] as const] : [];
      }),
    );
    await Promise.all([...files.values()].map((uri) => this.#tree.readFile(uri)));
    return [...files.values()].flatMap((uri): WantedTest<TestItem>[] => {
      const item = this.#controller.items.get(uri.toString());
      if (!item || excludedIds.has(item.id)) return [];
      const asked = new Set(included.map(({ id }) => id));
      const rows = [...item.children].flatMap(([id, shown]) => {
        const row = this.#tree.kindOf(shown)?.row;
        return row !== undefined && (asked.has(item.id) || asked.has(id)) && !excludedIds.has(id)
          ? [[row, shown] as const]
          : [];
      });
      if (item.children.size > 0 && rows.length === 0) return [];
      return [{ source: workspaceFile(uri), item, rows: new Map(rows) }];
    });
  }
}

/**
 * Points to the step's line in the test's file. For a row of a CSV, points to the row's line, because many rows fail at
 * one step.
 */
function messageOf({ message, at, compare, runId }: Failure, item: TestItem, kind: ItemKind | undefined): TestMessage {
  const shown = compare ? TestMessage.diff(message, compare.expected, compare.heard) : new TestMessage(message);
  if (runId !== undefined) shown.contextValue = failureContext(runId, compare?.step);
  const isElsewhere = kind !== undefined && item.uri?.toString() !== kind.uri.toString() && at?.file === undefined;
  const uri = at?.file === undefined ? item.uri : Uri.parse(at.file);
  const range = at && !isElsewhere ? rangeAt(at) : item.range;
  if (uri && range) shown.location = new Location(uri, range);
  return shown;
}
