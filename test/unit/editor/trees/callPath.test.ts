import assert from 'node:assert/strict';
import { callPath } from '../../../../src/editor/trees/callPath.ts';
import { bankTree, english, FakeClient, job, mapped, uuid } from '../fakes.ts';

describe('calling a path', () => {
  const snapshot = mapped(job(1, { name: 'Harbour Bank' }));
  const parts = (client: FakeClient, opened: string[]): Parameters<typeof callPath>[0] => ({
    client,
    store: { loadTree: () => Promise.resolve(snapshot) },
    withConsent: (_subject, work) => work(),
    openReport: (id) => opened.push(id),
    l10n: english,
  });
  const leaf = bankTree.children?.find(({ status, end }) => status === 'explored' && end !== undefined);

  it('runs one test per path in one request, and shows its report', async () => {
    const opened: string[] = [];
    const client = new FakeClient({ runTest: () => ({ items: [{ id: uuid(9) }] }) as never });
    for (const _time of [1, 2])
      await callPath(parts(client, opened), { jobId: uuid(1), runNumber: 1, stepId: leaf?.stepId ?? '' });
    assert.deepEqual(opened, [uuid(9), uuid(9)]);
    const [first, second] = client.calls.map(
      ({ input }) => input as { readonly configId: string; readonly test: { steps: unknown[]; phoneNumber: string } },
    );
    assert.deepEqual([client.calls.map(({ name }) => name), first], [['runTest', 'runTest'], second]);
    assert.match(first?.configId ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual([first?.test.phoneNumber, first?.test.steps.length], [snapshot.job.phoneNumber, 2]);
  });

  it("says why a path can't be called, and doesn't call", async () => {
    const client = new FakeClient();
    await assert.rejects(
      callPath(parts(client, []), { jobId: uuid(1), runNumber: 1, stepId: 'gone' }),
      /Dialtree can't call this path\. The tree has no step/,
    );
    assert.deepEqual(client.calls, []);
  });

  it("shows nothing if the person doesn't agree to the call", async () => {
    const opened: string[] = [];
    const client = new FakeClient();
    await callPath(
      { ...parts(client, opened), withConsent: () => Promise.resolve(undefined) },
      { jobId: uuid(1), runNumber: 1, stepId: leaf?.stepId ?? '' },
    );
    assert.deepEqual(opened, []);
  });
});
