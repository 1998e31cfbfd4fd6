import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { patienceMs } from '../support/patience.ts';
import { launchBrowser } from './browser.ts';

export interface PageOptions {
  /** Served at the root of `origin`; without it, every request gets a 404. */
  folder?: string;
  context?: BrowserContextOptions;
  /** Where the page opens, in a separate context; without it, in a separate browser. */
  browser?: Browser;
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * Opens an empty page in the tests' Chromium, and a static server on 127.0.0.1, for the duration of `work`. `origin` is
 * the server's address, without a slash at its end.
 */
export async function withPage<T>(
  work: (page: Page, origin: string) => Promise<T>,
  options: PageOptions = {},
): Promise<T> {
  const server = createStaticServer(options.folder);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    const browser = options.browser ?? (await launchBrowser());
    try {
      const page = await browser.newPage(options.context);
      page.setDefaultTimeout(patienceMs);
      try {
        const { port } = server.address() as AddressInfo;
        return await work(page, `http://127.0.0.1:${port}`);
      } finally {
        await page.close();
      }
    } finally {
      if (!options.browser) await browser.close();
    }
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function createStaticServer(folder: string | undefined): Server {
  return createServer((request, response) => {
    void fileOf(folder, request.url ?? '/').then(
      ({ body, type }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
}

async function fileOf(folder: string | undefined, url: string): Promise<{ body: Buffer; type: string }> {
  if (folder === undefined) {
    throw new Error('No folder is served.');
  }
  const wanted = decodeURIComponent(new URL(url, 'http://127.0.0.1').pathname);
  const file = path.join(folder, wanted.endsWith('/') ? `${wanted}index.html` : wanted);
  if (path.relative(folder, file).startsWith('..')) {
    throw new Error('Outside the served folder.');
  }
  return { body: await readFile(file), type: contentTypes[path.extname(file)] ?? 'application/octet-stream' };
}
