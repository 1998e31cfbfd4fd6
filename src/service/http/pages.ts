import type { Hono } from 'hono';
import { addAccountRoutes } from './accountPages.ts';
import type { PageParts } from './browserSession.ts';
import { addClaimRoutes } from './claimPages.ts';
import type { AppEnvironment } from './environment.ts';
import { addSignInRoutes } from './signInPages.ts';
import { addSignUpRoutes } from './signUpPages.ts';

/** The pages on which a person takes over a workspace, signs up or in, and sees what they own. They need no API key. */
export function addPages(app: Hono<AppEnvironment>, parts: PageParts): void {
  addClaimRoutes(app, parts);
  addSignUpRoutes(app, parts);
  addSignInRoutes(app, parts);
  addAccountRoutes(app, parts);
}
