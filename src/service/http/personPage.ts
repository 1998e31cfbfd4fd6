import { randomUUID } from 'node:crypto';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { HumanError, type ErrorBody } from '../../contract/errors.ts';
import type { OperationName } from '../../contract/operations.ts';

/** Refusals that a person can remove: by consent, by owning the workspace, or by verifying a mobile number. */
const codesOfPeople: ReadonlySet<string | undefined> = new Set(['consent_required', 'capacity_exhausted', 'unclaimed']);
const pageSchema = z.object({ url: z.url() });

/**
 * Returns the error that makes a client open a page for a person, who then removes the refusal (MCP 2025-11-25, "URL
 * Mode Elicitation"): the claim link of a workspace without an owner, or the account page. Undefined if a person can't
 * help, or the key may not hand out such a page.
 */
export async function pageForPerson(
  { code, message }: ErrorBody,
  ask: (operation: OperationName) => Promise<unknown>,
): Promise<UrlElicitationRequiredError | undefined> {
  if (!codesOfPeople.has(code)) return undefined;
  for (const operation of ['getClaimLink', 'getAccountLink'] as const)
    try {
      const { url } = pageSchema.parse(await ask(operation));
      return new UrlElicitationRequiredError([{ mode: 'url', elicitationId: randomUUID(), url, message }], message);
    } catch (error) {
      // Such as a workspace that has an owner.
      if (!(error instanceof HumanError)) throw error;
    }
  return undefined;
}
