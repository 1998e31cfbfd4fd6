import assert from 'node:assert/strict';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { build } from 'esbuild';
import type { FromWebview, ToWebview } from '../../src/contract/panel.ts';
import type { FromHand, ToHand } from '../../src/contract/handPanel.ts';
import type { FromLoad, ToLoad } from '../../src/contract/loadPanel.ts';
import type { FromReport, ToReport } from '../../src/contract/reportPanel.ts';
import { withPage } from '../host/chromiumPage.ts';
import { readTranslation } from '../support/l10nStrings.ts';
import type { Bundle, languages } from '../support/l10nStrings.ts';
import { inVain, patienceMs } from '../support/patience.ts';
import { themes } from '../support/themes.ts';
import type { ThemeName } from '../support/themes.ts';
import { withSharedBrowser } from './sharedBrowser.ts';

const repository = path.resolve(import.meta.dirname, '../..');
export const artifacts = path.join(repository, 'test/.artifacts/webview');

type Sent = FromWebview | FromReport | FromLoad | FromHand;
type Entry = 'tree' | 'report' | 'load' | 'hand';

export interface WebviewOptions {
  /** A mapping's tree, a run's report, a load test's report, or a call by hand. */
  readonly entry?: Entry;
  readonly theme?: ThemeName;
  /** The display language: English, or one with translations. */
  readonly language?: (typeof languages)[number];
  readonly context?: BrowserContextOptions;
}

/** A webview in a plain page, with the test in place of the editor. */
export class WebviewPage {
  readonly page: Page;
  readonly #origin: string;
  readonly problems: string[] = [];

  constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
    page.on('pageerror', (error) => {
      this.problems.push(String(error));
    });
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  /** Loads the page, like the editor when its tab comes to the front. Restores the state stored by `setState`. */
  async open(): Promise<void> {
    await this.page.goto(`${this.#origin}/`);
    await this.messages('ready');
  }

  async post(message: ToWebview | ToReport | ToLoad | ToHand): Promise<void> {
    const plain =
      message.type === 'audio' && message.wav
        ? { ...message, wav: [...message.wav] }
        : message.type === 'sound' && message.pcm
          ? { ...message, pcm: [...message.pcm] }
          : message;
    await this.page.evaluate(`fakeEditor.send(${JSON.stringify(plain)})`);
    await this.painted();
  }

  /** Presses a key, and settles when the page shows the result. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    await this.painted();
  }

  /** Settles when the current frame has been painted. */
  async painted(): Promise<void> {
    await this.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  }

  /** Checks once per frame, because the page's policy forbids Playwright's own way. */
  async until(expression: string): Promise<void> {
    const began = performance.now();
    while (!(await this.page.evaluate<boolean>(expression))) {
      if (performance.now() - began > patienceMs) throw inVain(expression);
      await this.painted();
    }
  }

  /** Waits for at least one message of the type, and returns all of them. */
  async messages<Type extends Sent['type']>(type: Type): Promise<Extract<Sent, { type: Type }>[]> {
    await this.until(`fakeEditor.sent.some((message) => message.type === ${JSON.stringify(type)})`);
    return this.sent(type);
  }

  async sent<Type extends Sent['type']>(type: Type): Promise<Extract<Sent, { type: Type }>[]> {
    const all = await this.page.evaluate<Sent[]>('fakeEditor.sent');
    return all.filter((message): message is Extract<Sent, { type: Type }> => message.type === type);
  }

  /** Simulates the user's return to the page. */
  async comeBack(): Promise<void> {
    await this.page.evaluate("dispatchEvent(new FocusEvent('focus'))");
  }

  async wear(theme: ThemeName): Promise<void> {
    await this.page.evaluate(`fakeEditor.wear(${JSON.stringify(themes[theme])})`);
    await this.painted();
  }

  get tree(): Locator {
    return this.page.getByRole('tree');
  }

  async treeHasFocus(): Promise<boolean> {
    return this.tree.evaluate((tree) => tree.matches(':focus'));
  }

  card(stepId: string): Locator {
    return this.page.locator(`.card[data-key="${stepId}"]`);
  }

  /** The button of a step in a report that shows its words. */
  wordsOf(step: number): Locator {
    return this.page
      .locator('.step')
      .nth(step)
      .getByRole('button', { name: /Show what was said/ });
  }

  get focusedCard(): Locator {
    return this.page.locator('.card.is-focused');
  }

  get pane(): Locator {
    return this.page.locator('aside.pane');
  }

  async elements(): Promise<number> {
    return this.page.evaluate<number>('document.querySelectorAll("*").length');
  }

  async screenshot(name: string): Promise<void> {
    await mkdir(artifacts, { recursive: true });
    await this.page.screenshot({ path: path.join(artifacts, `${name}.png`) });
  }
}

/** Bundles the webview as it ships, and opens it while `work` runs. Fails if the page reported an error. */
export async function withWebview<T>(
  work: (webview: WebviewPage) => Promise<T>,
  { theme = 'dark', context = {}, entry = 'tree', language }: WebviewOptions = {},
): Promise<T> {
  return withFolder(async (folder) => {
    await bundleWebview(folder, entry);
    await writeFile(
      path.join(folder, 'index.html'),
      pageOf(theme, language, language && (await readTranslation(language))),
    );
    return withSharedBrowser((browser) =>
      withPage(
        async (page, origin) => {
          const webview = new WebviewPage(page, origin);
          await webview.open();
          const result = await work(webview);
          if (webview.problems.length > 0) throw new Error(`The page reported: ${webview.problems.join('; ')}`);
          return result;
        },
        { folder, context: { viewport: { width: 1280, height: 800 }, ...context }, browser },
      ),
    );
  });
}

export const textOf = async (part: Locator): Promise<string> => (await part.textContent()) ?? '';

/** Opens the webview with a first message. */
export const withShown = (
  message: ToWebview | ToReport | ToLoad | ToHand,
  work: (webview: WebviewPage) => Promise<void>,
  options: WebviewOptions = {},
): Promise<void> =>
  withWebview(async (webview) => {
    await webview.post(message);
    await work(webview);
  }, options);

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(artifacts, { recursive: true });
  const folder = await mkdtemp(path.join(artifacts, 'page-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const bundles = new Map<Entry, ReturnType<typeof bundle>>();

/** Writes the page's script and styles to the folder; bundles each entry once. */
export async function bundleWebview(folder: string, entry: Entry = 'tree'): Promise<{ bytes: number }> {
  const made = bundles.get(entry) ?? bundle(entry);
  bundles.set(entry, made);
  const { script, styles } = await made;
  await writeFile(path.join(folder, 'main.js'), script);
  await writeFile(path.join(folder, 'main.css'), styles);
  return { bytes: script.length };
}

async function bundle(entry: Entry): Promise<{ readonly script: Uint8Array; readonly styles: Uint8Array }> {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    outdir: 'bundle',
    logLevel: 'warning',
    entryPoints: ['main.ts', `${entry}.css`].map((file) => path.join(repository, 'webview', entry, file)),
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'chrome130',
  });
  const fileOf = (extension: string): Uint8Array =>
    outputFiles.find((file) => file.path.endsWith(extension))?.contents ?? new Uint8Array();
  return { script: fileOf('.js'), styles: fileOf('.css') };
}

/** Opens an HTML file from the disk. Fails if the page reports an error or requests anything else. */
export const withFile = async (
  html: string,
  work: (page: Page) => Promise<void>,
  context: BrowserContextOptions,
): Promise<void> =>
  withFolder(async (folder) => {
    const file = path.join(folder, 'report.html');
    await writeFile(file, html);
    await withSharedBrowser((browser) =>
      withPage(
        async (page) => {
          const { problems } = new WebviewPage(page, '');
          page.on('request', (request) => {
            if (request.url() !== pathToFileURL(file).href && !request.url().startsWith('blob:'))
              problems.push(request.url());
          });
          await page.goto(pathToFileURL(file).href);
          await work(page);
          assert.deepEqual(problems, []);
        },
        { browser, context: { viewport: { width: 1280, height: 800 }, ...context } },
      ),
    );
  });

/** The editor's policy, and no more: what it forbids must fail here. */
function pageOf(theme: ThemeName, language: string | undefined, texts: Bundle | undefined): string {
  const policy =
    "default-src 'none'; script-src 'nonce-test'; style-src 'self' 'nonce-test'; img-src 'self' data: blob:; media-src blob:; font-src 'self'";
  return `<!DOCTYPE html>
<html lang="${language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="test">
<title>Dialtree</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="main.css">
</head>
<body>
<div id="app" data-subject="subject"></div>
<script id="l10n" type="application/json">${JSON.stringify(texts ?? {}).replaceAll('<', '\\u003c')}</script>
<script nonce="test">${fakeEditor}
fakeEditor.wear(${JSON.stringify(themes[theme])});</script>
<script nonce="test" src="main.js"></script>
</body>
</html>`;
}

/**
 * Simulates the editor: stores what the page sends, and sends it messages. A browser without a display reports focus at
 * any time; here the window gets the focus when a test says so.
 */
const fakeEditor = `
addEventListener('focus', (event) => {
  if (event.target === window && event.isTrusted) event.stopImmediatePropagation();
}, true);
const fakeEditor = {
  sent: [],
  send(message) {
    const data = { ...message };
    if (Array.isArray(message.wav)) data.wav = new Uint8Array(message.wav);
    if (Array.isArray(message.pcm)) data.pcm = new Int16Array(message.pcm);
    dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
  },
  wear({ classes, kind, variables }) {
    const root = document.documentElement.style;
    for (const name of [...root]) root.removeProperty(name);
    for (const [name, value] of Object.entries(variables)) root.setProperty(name, value);
    document.body.className = classes;
    document.body.dataset.vscodeThemeKind = kind;
  },
};
let taken = false;
window.acquireVsCodeApi = () => {
  if (taken) throw new Error('The API has been acquired already.');
  taken = true;
  return {
    postMessage: (message) => { fakeEditor.sent.push(structuredClone(message)); },
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => { sessionStorage.setItem('state', JSON.stringify(state)); },
  };
};
`;
