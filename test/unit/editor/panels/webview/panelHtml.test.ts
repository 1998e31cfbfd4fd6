import assert from 'node:assert/strict';
import { panelHtml } from '../../../../../src/editor/panels/webview/panelHtml.ts';

describe("a tree's page", () => {
  const html = panelHtml({
    cspSource: 'https://*.vscode-cdn.net',
    script: 'https://x/main.js',
    style: 'https://x/main.css',
    nonce: 'n0nce',
    language: 'de',
    texts: { Run: '</script><script>alert(1)</script>' },
    title: '<b>"Bank" & Co</b>',
    subject: 'a"><img src=x>',
  });

  it('loads only its own script and style', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    assert.ok(policy.startsWith("default-src 'none'; "));
    assert.match(policy, /script-src 'nonce-n0nce';/);
    assert.doesNotMatch(policy, /unsafe|\*;|https:;/);
    assert.deepEqual(
      [...html.matchAll(/<script ([^>]*)>/g)].map(([, attributes]) => attributes),
      ['id="l10n" type="application/json"', 'nonce="n0nce" type="module" src="https://x/main.js"'],
    );
  });

  it('embeds its texts as data, with any content', () => {
    const [, json = ''] = /<script id="l10n"[^>]*>(.*?)<\/script>/.exec(html) ?? [];
    assert.deepEqual(JSON.parse(json), { Run: '</script><script>alert(1)</script>' });
    assert.ok(html.includes('<html lang="de">'));
  });

  it('escapes markup in a name', () =>
    assert.ok(html.includes('<title>&lt;b&gt;&quot;Bank&quot; &amp; Co&lt;/b&gt;</title>')));

  it('escapes markup in what it shows', () => assert.ok(html.includes('data-subject="a&quot;&gt;&lt;img src=x&gt;"')));
});
