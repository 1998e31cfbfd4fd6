import assert from 'node:assert/strict';
import { readTranslation } from '../support/l10nStrings.ts';
import type { WebviewPage } from './webviewPage.ts';

/** Returns everything that a page shows and reads out, piece by piece. */
const pieces = `[...document.querySelectorAll('#app, #app *')].flatMap((element) => [
  ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent.trim()),
  ...['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name)?.trim() ?? ''),
]).filter((text) => text !== '')`;

const bundle = await readTranslation('de');
/** A text with a lower-case beginning can be part of what an IVR said. */
const isEnglish = (text: string): boolean =>
  /^\p{Lu}/u.test(text) && Object.hasOwn(bundle, text) && bundle[text] !== text;

/** Returns the words of a page in German. Fails if a text has a translation that the page doesn't use. */
export async function readGerman(webview: WebviewPage, what: string): Promise<string> {
  const said = await webview.page.evaluate<string[]>(pieces);
  assert.deepEqual(said.filter(isEnglish), [], what);
  return said.join('\n').replaceAll(/[\u00A0\u202F]/g, ' ');
}
