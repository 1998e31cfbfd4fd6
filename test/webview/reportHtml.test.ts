import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { ReportSnapshot } from '../../src/contract/reportPanel.ts';
import { savedReport } from '../../src/editor/panels/reports/savedReport.ts';
import { readTranslation } from '../support/l10nStrings.ts';
import { findings } from './accessibility.ts';
import { failedRun, missionRun } from './reportRun.ts';
import { makeWav } from './speechLikeWav.ts';
import { artifacts, bundleWebview, WebviewPage, withFile, withFolder } from './webviewPage.ts';

const audioUrl = 'http://127.0.0.1:1/audio?signature=abc';

const withSaved = (
  snapshot: ReportSnapshot,
  wav: Uint8Array | undefined,
  work: (page: Page, html: string) => Promise<void>,
  { colorScheme = 'dark', language = 'en' }: { colorScheme?: 'light' | 'dark'; language?: 'en' | 'de' } = {},
): Promise<void> =>
  withFolder(async (folder) => {
    await bundleWebview(folder, 'report');
    const [script, style] = await Promise.all(
      ['main.js', 'main.css'].map(async (name) => readFile(path.join(folder, name), 'utf8')),
    );
    const html = savedReport(snapshot, wav && Buffer.from(wav), {
      script: script ?? '',
      style: style ?? '',
      language,
      texts: language === 'en' ? undefined : await readTranslation(language),
    });
    await withFile(
      html,
      async (page) => {
        await page.locator('.run-outcome').waitFor();
        await work(page, html);
      },
      { colorScheme },
    );
  });

describe("a run's report as an HTML file", () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`shows the run and plays its recording in a browser with a ${colorScheme} theme`, async () => {
      await withSaved(
        failedRun({ audioUrl }),
        makeWav(29),
        async (page, html) => {
          const text = await page.locator('body').innerText();
          for (const part of ['Failed', 'The called side hung up after “Good bye.”', '42% match, 80% needed'])
            assert.ok(text.includes(part), part);
          const times = await page.locator('.turn .at').allInnerTexts();
          assert.deepEqual(times, times.toSorted());
          assert.ok((await page.locator('.call-mark').count()) > 3);
          assert.ok(!html.includes('signature'), "the recording's address");
          for (const name of ['Share…', 'Run again', 'Open test file', 'Accept what was heard…'])
            assert.equal(await page.getByRole('button', { name }).isVisible(), false, name);
          const player = page.locator('.player[data-phase=ready]');
          await player.waitFor();
          await player.getByRole('button', { name: 'Play' }).click();
          await page.locator('.player[data-playing=true]').waitFor();
          await page.screenshot({ path: path.join(artifacts, `report-html-${colorScheme}.png`) });
          await player.getByRole('button', { name: 'Pause' }).click();
          assert.deepEqual(await findings(new WebviewPage(page, '')), []);
        },
        { colorScheme },
      );
    });

  it('shows what a hostile IVR says as text', async () => {
    const hostile = `</script><script>document.title = 'pwned'</script><img src=x onerror="document.title='pwned'"><!--<script>`;
    const { run } = failedRun();
    await withSaved(
      {
        ...failedRun({
          audioUrl,
          reason: hostile,
          row: { [hostile]: hostile },
          steps: run.steps.map((step) => ({ ...step, name: hostile, transcript: hostile, reason: hostile })),
          transcript: [{ speaker: 'them', text: hostile, startMs: 0, endMs: 900 }],
        }),
        name: `<title>${hostile}`,
      },
      undefined,
      async (page) => {
        assert.equal(await page.locator('.turn p').innerText(), hostile);
        assert.equal(await page.title(), `<title>${hostile}`);
        assert.equal(await page.locator('img').count(), 0);
        assert.equal(await page.locator('script').count(), 5);
        assert.match(await page.locator('body').innerText(), /This file was saved without the recording\./);
      },
    );
  });

  it("shows a mission's verdict, without judging it again", async () => {
    await withSaved(missionRun(), undefined, async (page) => {
      assert.equal(await page.getByRole('button', { name: 'Judge again…' }).isVisible(), false);
      assert.ok((await page.locator('.turn').count()) > 2);
    });
  });

  it('has the language of the editor', async () => {
    await withSaved(
      failedRun(),
      undefined,
      async (page) => {
        assert.equal(await page.locator('html').getAttribute('lang'), 'de');
        assert.match(await page.locator('.run-outcome').innerText(), /Fehlgeschlagen/);
      },
      { language: 'de' },
    );
  });
});
