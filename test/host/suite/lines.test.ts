import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { startEcho } from '../../../src/practice/echo.ts';
import type { EchoServer } from '../../../src/practice/echo.ts';
import { changeSetting, dialtree, eventually, ticking } from './support.ts';

const password = 'host-line-pw';

describe('the lines', function () {
  let api: DialtreeTestApi, echo: EchoServer;

  before(async () => {
    api = await dialtree();
    echo = await startEcho({
      port: 0,
      challenge: { realm: 'lab', passwordOf: (user) => (user === 'ann' ? password : undefined) },
    });
    await vscode.commands.executeCommand('dialtree.lines.focus');
  });
  after(async () => {
    await changeSetting('telephony.lines', undefined);
    await api.linePasswords.clear('lab');
    await echo.close();
    // Later tests get the service without it.
    await vscode.commands.executeCommand('dialtree.service.restart');
  });

  const lab = () => api.lines.lines.find(({ name }) => name === 'lab')?.state;
  const labThat = (what: string, wanted: (state: NonNullable<ReturnType<typeof lab>>) => boolean): Promise<true> =>
    eventually(
      `the line lab ${what}`,
      (look) => api.lines.onDidChange(look),
      () => {
        const state = lab();
        return state && wanted(state) ? true : undefined;
      },
    );

  it('appear in the view as in the settings, with a note if a password is missing', async () => {
    await changeSetting('telephony.lines', {
      lab: { kind: 'pbx', host: `127.0.0.1:${String(echo.port)}`, user: 'ann' },
      'No Line': 7,
    });
    await labThat('is shown', ({ login }) => login === 'missing');
    assert.deepEqual(
      api.lines.wrongLines.map(({ name }) => name),
      ['No Line'],
    );
  });

  it('pass their password from the secret storage to the service, log in, and carry an echo', async () => {
    await api.linePasswords.store('lab', password);
    await vscode.commands.executeCommand('dialtree.service.restart');
    // It resolves when the user has closed its message.
    void vscode.commands.executeCommand('dialtree.line.check', { name: 'lab' });
    await labThat('was asked', ({ lastCheck }) => lastCheck !== undefined);
    assert.deepEqual([lab()?.login, lab()?.lastCheck?.state], ['set', 'ok'], lab()?.lastCheck?.message);
    assert.match(lab()?.lastCheck?.message ?? '', /The called side accepts the login/);
    await vscode.commands.executeCommand('notifications.clearAll');
    const told = await api.connection.call('callLineEcho', { name: 'lab', number: '600' });
    assert.equal(told.outcome, 'heard', told.message);
    assert.ok(!JSON.stringify(vscode.workspace.getConfiguration('dialtree').get('telephony')).includes(password));
  });

  it('set the context key that completes the walkthrough: the palette then checks a line', async () => {
    const before = lab()?.lastCheck?.at;
    assert.ok(before);
    // The palette lists this command only while `dialtree.hasLines` is set.
    await vscode.commands.executeCommand('workbench.action.quickOpen', '>Dialtree: Check Line');
    const accepting = ticking(
      () => void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem'),
    );
    try {
      await labThat('was asked again', ({ lastCheck }) => lastCheck?.at !== before);
    } finally {
      accepting.dispose();
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await vscode.commands.executeCommand('notifications.clearAll');
    }
  });
});
