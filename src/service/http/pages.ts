import { Hono } from 'hono';
import { addAccountRoutes } from './accountPages.ts';
import type { PageParts } from './browserSession.ts';
import { addClaimRoutes } from './claimPages.ts';
import type { AppEnvironment } from './environment.ts';
import { sendFailure } from './pageShell.ts';
import { addSignInRoutes } from './signInPages.ts';
import { addSignUpRoutes } from './signUpPages.ts';

/**
 * The pages on which a person takes over a workspace, signs up or in, and sees what they own. They need no API key.
 * `checkVisit` rejects if the client must wait.
 */
export function pagesOf(parts: PageParts, checkVisit: (address: string) => Promise<void>): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>();
  app.onError((error, context) => sendFailure(context, error, parts.log));
  app.use(async ({ req, env }, next) => {
    if (/^\/(?:claim|signin|signout|signup|account)(?:\/|$)/.test(req.path)) await checkVisit(env.address);
    await next();
  });
  addClaimRoutes(app, parts);
  addSignUpRoutes(app, parts);
  addSignInRoutes(app, parts);
  addAccountRoutes(app, parts);
  return app;
}
