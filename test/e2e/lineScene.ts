import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf, type Theme } from '../host/workbench.ts';
import { findExchange } from '../support/exchange.ts';

/** Adds an office extension at Kamailio, with each mistake that a user can make, and corrects it. */
export async function addOfficeExtension({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const start = findExchange();
  assert.ok(start, 'The scene needs Kamailio.');
  const exchange = await start('127.0.0.1:9');
  // Receives requests, and never answers.
  const silent = createSocket('udp4').bind(0, '127.0.0.1');
  try {
    await once(silent, 'listening');
    const keep = async (step: string): Promise<void> => {
      // The mouse would show hovers.
      await workbench.page.mouse.move(700, 700);
      await workbench.screenshot(`line-${step}-${lookOf(theme)}`);
    };
    const { user, password } = exchange.credentials;
    const place = exchange.address('').replace('sip:@', '');
    const mistakes: readonly (readonly [string, RegExp, { place?: string; user?: string; password?: string }])[] = [
      ['wrong-password', /rejects the user or password/, { password: 'wr0ng' }],
      ['unknown-user', /doesn't know the user/, { user: 'nobody' }],
      ['nothing-listens', /Nothing is listening/, { place: '127.0.0.1:9' }],
      ['wrong-transport', /answers over UDP, not over TLS/, { place: `${place};transport=tls` }],
      ['no-answer', /No answer from/, { place: `127.0.0.1:${String(silent.address().port)}` }],
      ['registered', /The line is registered for/, {}],
    ];

    await workbench.wears(theme);
    await workbench.openTab('Dialtree');
    await workbench.runCommand('Dialtree: Focus on Lines View');
    await workbench.runCommand('Dialtree: Add Line…');
    for (const [at, [name, message, given]] of mistakes.entries()) {
      await workbench.quickPick('Office extension').waitFor();
      if (at === 0) await keep('1-kind');
      await workbench.quickPick('Office extension').click();
      await workbench.asked('Host name or IP address');
      if (at === 0) await keep('2-address');
      await workbench.answer(given.place ?? place);
      await workbench.asked('User name with which a phone registers');
      if (at === 0) await keep('3-user');
      await workbench.answer(given.user ?? user);
      await workbench.asked(at === 0 ? 'Login password' : 'New login password');
      if (at === 0) await keep('4-password');
      await workbench.answer(given.password ?? password);
      if (at > 0) {
        await workbench.quickPick('Save and Check').waitFor();
        if (at === 1) await keep('5-options');
        await workbench.quickPick('Save and Check').click();
      }
      if (name === 'no-answer') {
        await workbench.notification(/Checking the line/).waitFor();
        await keep(`${name}-checking`);
      }
      const told = workbench.notification(message);
      await told.waitFor({ timeout: 40_000 });
      await keep(name);
      if (at < mistakes.length - 1) await told.getByRole('button', { name: 'Edit Line…' }).click();
    }
  } finally {
    silent.close();
    await exchange.stop();
  }
}
