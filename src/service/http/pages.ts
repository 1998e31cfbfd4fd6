import { Hono } from 'hono';
import { addAccountRoutes } from './accountPages.ts';
import type { PageParts } from './browserSession.ts';
import { addClaimRoutes } from './claimPages.ts';
import type { AppEnvironment } from './environment.ts';
import { sendFailure } from './pageShell.ts';
import { addSignInRoutes } from './signInPages.ts';
import { addSignUpRoutes } from './signUpPages.ts';

/** Answers a request without a key from this network address. */
type Visit = (address: string, answer: () => Promise<void>) => Promise<void>;

/**
 * The pages on which a person takes over a workspace, signs up or in, and sees what they own. They need no API key.
 * `visit` rejects if the client must wait.
 */
export function pagesOf(parts: PageParts, visit: Visit): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>();
  app.onError((error, context) => sendFailure(context, error, parts.log));
  app.use(async ({ req, env }, next) => {
    if (/^\/(?:claim|signin|signout|signup|account)(?:\/|$)/.test(req.path)) await visit(env.address, next);
    else await next();
  });
  addClaimRoutes(app, parts);
  addSignUpRoutes(app, parts);
  addSignInRoutes(app, parts);
  addAccountRoutes(app, parts);
  return app;
}
