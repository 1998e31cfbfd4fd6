import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../src/client/errors.ts';
import { callPath } from '../../../../src/editor/trees/callPath.ts';
import { bankTree, english, FakeClient, job, mapped, uuid } from '../fakes.ts';

describe('calling a path', () => {
  const snapshot = mapped(job(1, { name: 'Harbour Bank' }));
  const parts = (client: FakeClient, opened: string[]): Parameters<typeof callPath>[0] => ({
    client,
    store: { loadTree: () => Promise.resolve(snapshot) },
    withConsent: (_subject, work) => work(),
    openReport: (id) => {
      opened.push(id);
    },
    l10n: english,
  });
  const leaf = bankTree.children?.find(({ status, end }) => status === 'explored' && end !== undefined);

  it('saves one test per path, runs it, and shows its report', async () => {
    const opened: string[] = [];
    const gone = (): never => {
      throw new NotFoundError('There is no such test.', { status: 404 });
    };
    const client = new FakeClient({
      updateTestConfig: gone,
      createTestConfig: (input) => input as never,
      runTest: () => ({ items: [{ id: uuid(9) }] }) as never,
    });
    for (const _time of [1, 2])
      await callPath(parts(client, opened), { jobId: uuid(1), runNumber: 1, stepId: leaf?.stepId ?? '' });
    assert.deepEqual(opened, [uuid(9), uuid(9)]);
    const created = client.calls
      .filter(({ name }) => name === 'createTestConfig')
      .map(({ input }) => input as { id: string; steps: unknown[]; phoneNumber: string });
    assert.equal(created[0]?.id, created[1]?.id);
    assert.match(created[0]?.id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(created[0]?.phoneNumber, snapshot.job.phoneNumber);
    assert.equal(created[0]?.steps.length, 2);
    assert.deepEqual(
      client.calls.filter(({ name }) => name === 'runTest').map(({ input }) => input),
      [{ configId: created[0]?.id }, { configId: created[0]?.id }],
    );
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
    const client = new FakeClient({ updateTestConfig: (input) => input as never });
    await callPath(
      { ...parts(client, opened), withConsent: () => Promise.resolve(undefined) },
      { jobId: uuid(1), runNumber: 1, stepId: leaf?.stepId ?? '' },
    );
    assert.deepEqual(opened, []);
  });
});
