import type { Locator, Page } from 'playwright-core';
import type { Workbench } from '../host/workbench.ts';

/** A user's actions with files, mappings and their trees. */

/** Opens a file of the workspace in its default editor. */
export async function openFile(workbench: Workbench, name: string): Promise<void> {
  await workbench.page.keyboard.press('Control+P');
  await workbench.quickInput.fill(name);
  await workbench.quickPick(name).first().click();
  await workbench.page.locator('.tab.active', { hasText: name }).waitFor();
}

/** A code lens above the first line of the shown file. */
export const lens = ({ page }: Workbench, title: string): Locator =>
  page.locator('.editor-instance .codelens-decoration a', { hasText: title });

export async function pressLens(workbench: Workbench, title: string): Promise<void> {
  await lens(workbench, title).click({ timeout: 30_000 });
}

/** A menu of the drawn tree, by its label. */
export const card = (workbench: Workbench, title: string | RegExp): Locator =>
  workbench
    .webview()
    .locator('.card')
    .filter({ has: workbench.webview().locator('.title', { hasText: title }) });

/** Maps the practice IVR whose file is shown, and waits for the whole tree. */
export async function mapShown(workbench: Workbench, name: string): Promise<void> {
  await pressLens(workbench, 'Map');
  const end = workbench.notification(`Mapped ${name}`);
  await end.waitFor({ timeout: 120_000 });
  await end.getByRole('button', { name: 'Open Tree' }).click();
  await workbench.webview().getByText('Completed').first().waitFor({ timeout: 30_000 });
}

/** Chooses from the context menu of a row of the side bar. */
export async function chooseFromMenu({ page }: Workbench, row: Locator, item: string): Promise<void> {
  await row.click({ button: 'right' });
  await chooseItem(page, item);
}

/** Chooses from the open menu. */
export async function chooseItem(page: Page, item: string): Promise<void> {
  // A menu that has just opened ignores the mouse for a moment.
  await page.getByRole('menuitem', { name: item, exact: true }).hover({ position: { x: 20, y: 10 } });
  await page.keyboard.press('Enter');
}

/** Accepts the path that the dialog `title` offers, which ends with `ending`. */
export async function acceptPlace({ page, box, quickInput }: Workbench, title: string, ending: string): Promise<void> {
  const dialog = box.filter({ hasText: title });
  await dialog.waitFor();
  await page.waitForFunction(
    `[...document.querySelectorAll('.quick-input-widget .quick-input-box input')].some(({ value }) => value.endsWith(${JSON.stringify(ending)}))`,
  );
  // It checks the path first.
  await dialog.locator('.quick-input-progress.active').waitFor({ state: 'detached' });
  await quickInput.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
}

/** In the open multi-select pick, ticks only these and continues. */
export async function chooseOnly({ page, box, quickInput }: Workbench, ...labels: readonly string[]): Promise<void> {
  const all = box.locator('.quick-input-header').getByRole('checkbox').first();
  if ((await all.getAttribute('aria-checked')) !== 'true') await all.click();
  await all.click();
  for (const label of labels) {
    await quickInput.fill(label);
    await box
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: page.locator('.label-name', { hasText: label }) })
      .first()
      .click();
  }
  await quickInput.fill('');
  await box.getByRole('button', { name: 'OK', exact: true }).click();
}
