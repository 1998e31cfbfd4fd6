import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { repositoryRoot } from './cache.ts';
import { changeSettings } from './profile.ts';
import type { Profile, Settings } from './profile.ts';

const themes = [
  'Default Dark Modern',
  'Default Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
] as const;
export type Theme = (typeof themes)[number];

/** The name of a theme in the editor's list and setting, and the workbench's class for it. */
const themeMarks: Record<Theme, { label: string; setting: string; shown: string }> = {
  'Default Dark Modern': { label: 'Dark Modern', setting: 'Dark Modern', shown: 'vs-dark' },
  'Default Light Modern': { label: 'Light Modern', setting: 'Light Modern', shown: 'vs' },
  'Default High Contrast': { label: 'Dark High Contrast', setting: 'Default High Contrast', shown: 'hc-black' },
  'Default High Contrast Light': {
    label: 'Light High Contrast',
    setting: 'Default High Contrast Light',
    shown: 'hc-light',
  },
};

/** The setting that gives a window a theme from its start. */
export const themeSetting = (theme: Theme): Settings => ({ 'workbench.colorTheme': themeMarks[theme].setting });

/** A theme in the name of a picture, such as `dark-modern`. */
export const lookOf = (theme: Theme): string => theme.replace('Default ', '').toLowerCase().replaceAll(' ', '-');

export const screenshotFolder = path.join(repositoryRoot, 'test/.artifacts/screenshots');

/** One window of the editor, used like a person uses it: by what is visible and by the keyboard. */
export class Workbench {
  readonly page: Page;
  readonly #profile: Profile;

  constructor(page: Page, profile: Profile) {
    this.page = page;
    this.#profile = profile;
  }

  /** Loads the window again, like "Reload Window". */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.shown();
  }

  /** Resolves when the window can be used; extensions may still be starting. */
  async shown(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.activitybar').waitFor();
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    // The theme comes last, from an extension.
    await this.page.locator('.monaco-workbench[class*="vscode-theme-"]').waitFor();
  }

  /** Runs a command of the palette by its full title, `Category: Title`. */
  async runCommand(title: string): Promise<void> {
    const line = `>${title}`;
    const open = async (): Promise<void> => {
      await this.page.keyboard.press('F1');
      await this.quickInput.fill(line, { timeout: 5_000 });
    };
    // A closing palette consumes the key.
    await open().catch(open);
    await this.quickPick(title).first().click();
  }

  /** The open palette, quick pick or input box. */
  get box(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** Resolves when the open box contains this text. */
  async asked(text: string | RegExp): Promise<void> {
    await this.box.filter({ hasText: text }).waitFor({ timeout: 30_000 });
  }

  /** The input line of the palette, quick picks, and input boxes. */
  get quickInput(): Locator {
    return this.box.locator('.quick-input-box input');
  }

  /** An entry of the open quick pick with this label. */
  quickPick(label: string): Locator {
    const text = this.page.locator('.label-name').filter({ hasText: exactly(label) });
    return this.box.locator('.quick-input-list .monaco-list-row').filter({ has: text });
  }

  /** Types into the open input box, and accepts. */
  async answer(text: string): Promise<void> {
    await this.quickInput.fill(text);
    await this.quickInput.press('Enter');
  }

  /** Chooses an entry of the open quick pick; typing its label first scrolls to it in a long list. */
  async choose(label: string): Promise<void> {
    await this.quickInput.fill(label);
    await this.quickPick(label).click();
  }

  /**
   * Shows the view container with this name in the activity bar, unless it is shown already: another click would hide
   * it.
   */
  async openTab(name: string): Promise<void> {
    const tab = this.page.getByRole('tab', { name, exact: true });
    await tab.waitFor();
    // While the window opens, other tabs are inserted before it and move it away from the click.
    for (let attempt = 1; (await tab.getAttribute('aria-selected')) !== 'true'; attempt += 1) {
      if (attempt > 5) {
        throw new Error(`The tab ${name} cannot be selected.`);
      }
      await tab.locator('a').click();
      await this.page
        .locator('.activitybar [role="tab"][aria-selected="true"]')
        .filter({ has: this.page.locator('a') })
        .first()
        .waitFor({ timeout: 5_000 })
        .catch(() => undefined);
    }
  }

  treeItem(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name });
  }

  /** The content of the only visible webview, or of the one in `within`. */
  webview(within: Locator | Page = this.page): FrameLocator {
    return within.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
  }

  /** Changes user settings, and reloads the window, because the web workbench doesn't always notice a changed file. */
  async changeSettings(changes: Settings): Promise<void> {
    await changeSettings(this.#profile, changes);
    await this.reload();
  }

  /** Chooses a theme like a user, so that webviews experience the change; resolves when the window shows it. */
  async setTheme(theme: Theme): Promise<void> {
    const { label } = themeMarks[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.choose(label);
    await this.wears(theme);
  }

  /** Resolves when the window has the theme. */
  async wears(theme: Theme): Promise<void> {
    await this.page.locator(`.monaco-workbench.${themeMarks[theme].shown}`).waitFor();
  }

  /** Saves a picture of the window in `test/.artifacts/screenshots/`, and returns its path. */
  async screenshot(name: string): Promise<string> {
    await mkdir(screenshotFolder, { recursive: true });
    const file = path.join(screenshotFolder, `${name}.png`);
    await this.page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
}
