import assert from 'node:assert/strict';
import { Hono } from 'hono';
import { beginSession, sessionToken } from '../../../src/service/http/browserSession.ts';
import type { OpenPageParts, PageParts } from '../../../src/service/http/browserSession.ts';
import type { AppEnvironment } from '../../../src/service/http/environment.ts';
import { silentLog } from '../../../src/service/basics/log.ts';
import { countInMemory } from '../../../src/service/workspaces/requestCounts.ts';
import { TryLimit } from '../../../src/service/people/tryLimit.ts';

describe("a session's cookie", () => {
  it('requires https and this host if the service uses https', async () => {
    const opened = { sessions: { open: () => Promise.resolve('token') } } as unknown as OpenPageParts;
    const parts: PageParts = {
      baseUrl: 'https://dial.example.com/v1',
      open: () => Promise.resolve(opened),
      signsUp: false,
      contact: undefined,
      tries: new TryLimit(countInMemory),
      now: () => new Date(),
      log: silentLog,
    };
    const app = new Hono<AppEnvironment>();
    app.post('/', (context) => beginSession(context, parts, { personId: 'person', workspaceId: 'workspace' }));
    app.get('/', (context) => context.text(sessionToken(context, parts) ?? 'none'));
    const [cookie = ''] = (await app.request('/', { method: 'POST' })).headers.getSetCookie();
    assert.equal(cookie, '__Host-dialtree_session=token; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Strict');
    assert.equal(
      await (await app.request('/', { headers: { cookie: '__Host-dialtree_session=token' } })).text(),
      'token',
    );
    assert.equal(
      await (await app.request('/', { headers: { cookie: 'dialtree_session=token' } })).text(),
      'none',
      'planted over http',
    );
  });
});
