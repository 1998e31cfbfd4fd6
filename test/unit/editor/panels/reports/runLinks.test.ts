import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { NotFoundError } from '../../../../../src/client/errors.ts';
import { linkToRun, RunLinks, type LinkParts } from '../../../../../src/editor/panels/reports/runLinks.ts';
import { FakeDialogs, type Answer } from '../../fakeDialogs.ts';
import { english, FakeClient, uuid } from '../../fakes.ts';
import { results } from '../../testing/fakeRuns.ts';

/** What the editor makes of a link. */
function partsOf(link: string): LinkParts {
  const { pathname, search, hash } = new URL(link);
  return { path: decodeURI(pathname), query: decodeURIComponent(search.slice(1)), fragment: hash.slice(1) };
}

describe('a link to a run', () => {
  let client: FakeClient, opened: string[], service: { mode: 'embedded' | 'remote'; url: string | undefined };
  const open = async (link: LinkParts, ...answers: Answer[]): Promise<FakeDialogs> => {
    const dialogs = new FakeDialogs(...answers);
    const links = new RunLinks({
      client,
      dialogs,
      service: () => service,
      openReport: (id) => opened.push(id),
      l10n: english,
    });
    await links.open(link);
    dialogs.done();
    return dialogs;
  };
  const link = partsOf(linkToRun('vscode', 'publisher.dialtree', uuid(7)));

  beforeEach(() => {
    client = new FakeClient({ getRunResults: () => results(7) });
    opened = [];
    service = { mode: 'embedded', url: undefined };
  });

  it('names the run and the service, and reads nothing before the user agrees', async () => {
    service = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
    const { shown } = await open(link, { agree: false });
    assert.deepEqual(shown, [
      `Open run ${uuid(7)}? The link comes from outside. Dialtree reads the run from dialtree.example.com, places no call and changes no setting. [Don't Open] [Open Run]`,
    ]);
    assert.deepEqual([client.calls, opened], [[], []]);
  });

  it('activates the extension, and has its id', async () => {
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly activationEvents: readonly string[];
    };
    assert.ok(manifest.activationEvents.includes('onUri'));
    assert.equal(
      linkToRun('vscode-insiders', 'publisher.dialtree', uuid(7)),
      `vscode-insiders://publisher.dialtree/run?id=${uuid(7)}`,
    );
  });

  it('opens the report of the run', async () => {
    const { shown } = await open(link, { agree: true });
    assert.match(shown[0] ?? '', /from the embedded service,/);
    assert.deepEqual(
      [client.calls.map(({ name, input }) => [name, input]), opened],
      [[['getRunResults', { runId: uuid(7) }]], [uuid(7)]],
    );
  });

  it('says what to do if the service does not have the run', async () => {
    client.answers.getRunResults = () => {
      throw new NotFoundError('There is no run.', { status: 404 });
    };
    const { shown } = await open(link, { agree: true }, { press: undefined });
    assert.match(shown[1] ?? '', /isn't in your workspace on the embedded service.*Choose the service/);
    assert.deepEqual(opened, []);
  });

  it('reads nothing if the service was switched while it asked', async () => {
    const asking = Promise.withResolvers<boolean>();
    const links = new RunLinks({
      client,
      dialogs: { confirm: () => asking.promise, warn: () => Promise.resolve() },
      service: () => service,
      openReport: (id) => opened.push(id),
      l10n: english,
    });
    const opening = links.open(link);
    service = { mode: 'remote', url: 'https://evil.example.com/v1' };
    asking.resolve(true);
    await opening;
    assert.deepEqual([client.calls, opened], [[], []]);
  });

  it('asks once at a time, however many links are opened', async () => {
    const asked: PromiseWithResolvers<boolean>[] = [];
    const confirm = (): Promise<boolean> => {
      const asking = Promise.withResolvers<boolean>();
      asked.push(asking);
      return asking.promise;
    };
    const links = new RunLinks({
      client,
      dialogs: { confirm, warn: () => Promise.resolve() },
      service: () => service,
      openReport: (id) => opened.push(id),
      l10n: english,
    });
    const opening = [1, 2, 3].map(() => links.open(link));
    asked[0]?.resolve(false);
    await Promise.all(opening);
    assert.equal(asked.length, 1);
    void links.open(link);
    assert.equal(asked.length, 2);
  });

  it('refuses other paths, parameters and ids, and reads nothing for them', async () => {
    const id = uuid(7);
    for (const hostile of [
      'vscode://publisher.dialtree',
      'vscode://publisher.dialtree/',
      `vscode://publisher.dialtree/Run?id=${id}`,
      `vscode://publisher.dialtree/run/?id=${id}`,
      `vscode://publisher.dialtree/run/../start?id=${id}`,
      `vscode://publisher.dialtree/start?id=${id}`,
      `vscode://publisher.dialtree/run?command=dialtree.mapping.start`,
      'vscode://publisher.dialtree/run',
      'vscode://publisher.dialtree/run?id=',
      'vscode://publisher.dialtree/run?id=7',
      `vscode://publisher.dialtree/run?id=${id}&id=${uuid(8)}`,
      `vscode://publisher.dialtree/run?id=${id}&service=https://evil.example.com`,
      `vscode://publisher.dialtree/run?id=${id}%26number=%2B1900`,
      `vscode://publisher.dialtree/run?id=${id}/../../workspace/keys`,
      `vscode://publisher.dialtree/run?id=${id}%0A`,
      `vscode://publisher.dialtree/run?id=%20${id}`,
      `vscode://publisher.dialtree/run?ID=${id}`,
      `vscode://publisher.dialtree/run?id[]=${id}`,
      `vscode://publisher.dialtree/run?id=${id}#start`,
      `vscode://publisher.dialtree/run?id=<img src=x onerror=alert(1)>`,
      `vscode://publisher.dialtree/run?id=${'9'.repeat(1_000_000)}`,
    ]) {
      const { shown } = await open(partsOf(hostile), { press: undefined });
      assert.deepEqual(
        shown,
        ["Couldn't open this link. Dialtree opens only links to a run. To get one, choose Copy Link in its report."],
        hostile.slice(0, 120),
      );
      assert.deepEqual([client.calls, opened], [[], []]);
    }
  });
});
