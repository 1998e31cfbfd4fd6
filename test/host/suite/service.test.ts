import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { changeSetting, dialtree, eventually } from './support.ts';

describe('the service', function () {
  let api: DialtreeTestApi;
  const stateIs = (kind: string): Promise<true> =>
    eventually(
      `the service is ${kind}`,
      (look) => api.connection.onDidChangeState(look),
      () => (api.connection.state.kind === kind ? true : undefined),
    );

  before(async () => {
    api = await dialtree();
    await vscode.commands.executeCommand('dialtree.mappings.focus');
    // Another process can own the data folder. After a restart, this window's child does.
    await vscode.commands.executeCommand('dialtree.service.restart');
    await api.store.refresh();
  });

  it('recovers when its process is killed', async () => {
    const pid = api.embedded.childPid;
    assert.ok(pid !== undefined, "the service is not this window's child");
    const healed = eventually(
      'another process serves',
      (look) => api.embedded.onDidChange(look),
      () =>
        api.embedded.state.kind === 'ready' && api.embedded.childPid !== undefined && api.embedded.childPid !== pid
          ? true
          : undefined,
    );
    process.kill(pid, 'SIGKILL');
    await healed;
    await api.store.refresh();
    assert.equal(api.connection.state.kind, 'ready');
  });

  it('restarts on command', async () => {
    const pid = api.embedded.childPid;
    await vscode.commands.executeCommand('dialtree.service.restart');
    assert.notEqual(api.embedded.childPid, pid);
    await api.store.refresh();
    assert.equal(api.connection.state.kind, 'ready');
  });

  describe('at a remote address', () => {
    after(async () => {
      await changeSetting('service.mode', undefined);
      await changeSetting('service.url', undefined);
      await stateIs('ready');
    });

    it('without a key asks for one, and shows nothing of the embedded service', async () => {
      // The discard port: nothing listens there.
      await changeSetting('service.url', 'http://127.0.0.1:9');
      await changeSetting('service.mode', 'remote');
      await stateIs('needsKey');
      assert.equal(api.store.jobs.length, 0);
      assert.deepEqual(await api.view.getChildren(), []);
    });

    it('forgets a stored key on command', async () => {
      const url = 'http://127.0.0.1:9/v1';
      await api.keys.store(url, 'dt_00000000_none');
      await vscode.commands.executeCommand('dialtree.key.clear');
      assert.equal(await api.keys.read(url), undefined);
    });

    it('without a response is reported as unreachable', async () => {
      await api.keys.store('http://127.0.0.1:9/v1', 'dt_00000000_test');
      try {
        api.connection.reset();
        await stateIs('unreachable');
        assert.deepEqual(await api.view.getChildren(), []);
      } finally {
        await api.keys.clear('http://127.0.0.1:9/v1');
      }
    });
  });
});
