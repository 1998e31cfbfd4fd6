import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme } from '../host/workbench.ts';

/** Edits how calls are placed: fills in a profile, enters a tone length that is too short, and finds what was saved. */
export async function sayHowToCall({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { quickInput } = workbench;
  const keep = (step: string): Promise<string> => workbench.screenshot(`profile-${step}-${lookOf(theme)}`);
  await workbench.wears(theme);
  await workbench.openTab('Dialtree');
  await workbench.runCommand('Dialtree: Add Profile…');
  await workbench.asked('A name for this profile');
  await workbench.answer('Careful caller');
  await workbench.quickPick('slt').waitFor();
  await keep('1-voice');
  await workbench.quickPick('slt').click();
  await workbench.asked('Length of each key tone');
  await workbench.answer('5');
  await workbench.asked(/40/);
  await keep('2-refused');
  await workbench.answer('200');
  for (const question of ['Silence after each key', 'Seconds of silence', 'Maximum simultaneous calls per run']) {
    await workbench.asked(question);
    if (question === 'Seconds of silence') await keep('3-patience');
    await quickInput.press('Enter');
  }
  await workbench.notification(/Saved the profile Careful caller/).waitFor({ timeout: 30_000 });
  await keep('4-saved');
  await workbench.runCommand('Dialtree: Edit Profile…');
  await workbench.quickPick('Careful caller').waitFor();
  await keep('5-choose');
}
