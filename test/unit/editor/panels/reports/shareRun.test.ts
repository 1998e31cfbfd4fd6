import assert from 'node:assert/strict';
import type { RecordingPart } from '../../../../../src/contract/recordingPart.ts';
import type { ReportSnapshot } from '../../../../../src/contract/reportPanel.ts';
import { shareRun } from '../../../../../src/editor/panels/reports/shareRun.ts';
import { FakeDialogs, type Answer } from '../../fakeDialogs.ts';
import { english, uuid } from '../../fakes.ts';
import { FakeTreeFiles } from '../../fakeTreeFiles.ts';
import { missionRun, results, step } from '../../testing/fakeRuns.ts';

const withSound = { pick: 'Save as HTML File with Sound…' } as const;
const file = 'file:///project/balance.html';

describe('sharing a run', () => {
  let copied: string[], files: FakeTreeFiles, asked: number[];
  const snapshot = (run: Parameters<typeof results>[1] = {}): ReportSnapshot => ({
    type: 'snapshot',
    name: '../Balance </script>',
    hasFile: true,
    acceptable: [0],
    history: [{ id: uuid(6), startedAt: '2026-11-20T10:00:00Z' }],
    run: results(7, { audioUrl: 'http://127.0.0.1:1/audio?signature=abc', configId: uuid(1), ...run }),
  });
  const share = async (
    shown: ReportSnapshot,
    answers: readonly Answer[],
    readPart: (from: number) => Promise<RecordingPart> = (from) =>
      Promise.resolve({ from, wav: new Uint8Array(Math.min(2, 5 - from)).fill(from + 1), total: 5 }),
    dialogs = new FakeDialogs(...answers),
  ): Promise<FakeDialogs> => {
    await shareRun(
      shown,
      (from) => {
        asked.push(from);
        return readPart(from);
      },
      {
        dialogs,
        files,
        l10n: english,
        formats: { moment: (iso) => iso },
        copy: async (text) => void copied.push(text),
        linkOf: (id) => `vscode://publisher.dialtree/run?id=${id}`,
        isRemote: () => true,
        readPage: () => Promise.resolve({ script: "'page'", style: '' }),
      },
    );
    dialogs.done();
    return dialogs;
  };
  const saved = (): ReportSnapshot =>
    JSON.parse(/<script id="snapshot"[^>]*>(.*?)<\/script>/s.exec(files.text(file))?.[1] ?? '') as ReportSnapshot;

  beforeEach(() => {
    [copied, asked] = [[], []];
    files = new FakeTreeFiles();
    files.chosen = file;
  });

  it('copies its summary or its link', async () => {
    const { shown } = await share(snapshot(), [{ pick: 'Copy Summary' }]);
    await share(snapshot(), [{ pick: 'Copy Link' }]);
    assert.deepEqual(
      shown[0]?.match(/^ {2}[^|]*(?= \|)/gm)?.map((label) => label.trim()),
      ['Save as HTML File with Sound…', 'Copy Summary', 'Copy Link'],
    );
    assert.match(copied[0] ?? '', /^\*\*/);
    assert.equal(copied[1], `vscode://publisher.dialtree/run?id=${uuid(7)}`);
  });

  it('saves one file with the whole recording, to the place that the user chose', async () => {
    const dialogs = await share(snapshot(), [withSound, { press: 'Open' }]);
    assert.equal(files.offered, 'balance-script-2026-01-01t12-07.html');
    assert.deepEqual(dialogs.browsed, [file]);
    assert.deepEqual([asked, dialogs.waits], [[0, 2, 4], ['Reading the recording…']]);
    const [, wav = ''] = /<script id="wav"[^>]*>(.*?)<\/script>/.exec(files.text(file)) ?? [];
    assert.deepEqual([...Buffer.from(wav, 'base64')], [1, 1, 3, 3, 5]);
    assert.equal(saved().saved, 'withSound');
    assert.equal(dialogs.shown.at(-1), 'Saved the report to balance.html. [Open]');
  });

  it('leaves out addresses, keys, other runs and what needs the editor', async () => {
    const secret = 'sip:waits@10.0.0.1';
    await share(
      {
        ...snapshot({
          awaitsCallAt: secret,
          consentedBy: uuid(5),
          catalogueTestId: 'probe',
          steps: [step('PIN', { transcript: '•••• </script><script>alert(1)</script>' })],
        }),
        mission: missionRun(7, { audioUrl: 'http://127.0.0.1:1/audio?signature=abc', consentedBy: uuid(5) }),
        again: { acceptance: 'Another criterion' },
      },
      [withSound, { press: undefined }],
    );
    const html = files.text(file);
    for (const part of ['signature', secret, uuid(5), uuid(6), 'Another criterion'])
      assert.ok(!html.includes(part), part);
    assert.equal(html.match(/<script/g)?.length, 5);
    const { run, hasFile, acceptable, history } = saved();
    assert.deepEqual(
      [run.configId, run.catalogueTestId, hasFile, acceptable, history],
      [undefined, undefined, false, [], []],
    );
    assert.equal(run.steps[0]?.transcript, '•••• </script><script>alert(1)</script>');
  });

  it('saves nothing if the user chooses no place, or cancels while the recording is read', async () => {
    files.chosen = undefined;
    await share(snapshot(), [withSound]);
    assert.deepEqual(asked, []);
    files.chosen = file;
    const cancelling = new FakeDialogs(withSound);
    cancelling.wait = async (_title, work) => {
      const cancelled = new AbortController();
      const working = work(cancelled.signal);
      cancelled.abort();
      return working;
    };
    await share(snapshot(), [], () => new Promise(() => undefined), cancelling);
    assert.equal(files.contents.size, 0);
  });

  for (const [what, part, why] of [
    ['is too long for a file', { from: 0, wav: new Uint8Array(2), total: 115 * 2 ** 20 }, /has 115 MB.* up to 64 MB/],
    ['can no longer be read', { error: 'This call has no recording.' }, /This call has no recording\./],
    ['arrives without end', { from: 0, wav: new Uint8Array(0), total: 5 }, /incomplete/],
    ['has more than it says', { from: 0, wav: new Uint8Array(9), total: 5 }, /incomplete/],
  ] as const)
    it(`offers the file without sound if the recording ${what}`, async () => {
      const read = (): Promise<RecordingPart> => Promise.resolve(part);
      const { shown } = await share(snapshot(), [withSound, { agree: false }], read);
      assert.match(shown[1] ?? '', /^Save the report without sound\?/);
      assert.match(shown[1] ?? '', why);
      assert.equal(files.contents.size, 0);
      await share(snapshot(), [withSound, { agree: true }, { press: undefined }], read);
      assert.deepEqual([saved().saved, asked], ['withoutSound', [0, 0]]);
    });

  it('saves no sound that changed while it was read', async () => {
    const { shown } = await share(snapshot(), [withSound, { agree: false }], (from) =>
      Promise.resolve({ from, wav: new Uint8Array(2), total: from === 0 ? 5 : 4 }),
    );
    assert.match(shown[1] ?? '', /incomplete/);
    assert.equal(files.contents.size, 0);
  });

  it('reads nothing for a run without a recording, and shares no run before its call is over', async () => {
    await share(snapshot({ audioUrl: undefined }), [{ pick: 'Save as HTML File…' }, { press: undefined }]);
    assert.deepEqual([saved().saved, asked], ['noRecording', []]);
    const { shown } = await share(snapshot({ status: 'running' }), [{ press: undefined }]);
    assert.deepEqual(shown, ['You can share this run when its call is over.']);
  });
});
