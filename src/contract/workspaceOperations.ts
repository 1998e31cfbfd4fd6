import * as z from 'zod';
import { guideEntrySchema, guideSchema } from './guides.ts';
import { calling, operation, reading, sets, writes } from './operation.ts';
import {
  accountLinkSchema,
  anchoredSchema,
  apiKeySchema,
  claimLinkSchema,
  createApiKeySchema,
  createdApiKeySchema,
  keyIdSchema,
  registrationSchema,
  requestAnchorCodeSchema,
  updateApiKeySchema,
  verifyAnchorCodeSchema,
  workspaceUsageSchema,
} from './workspace.ts';
import { updateWorkspaceSettingsSchema, workspaceSettingsSchema } from './workspaceSettings.ts';

const nothing = z.strictObject({});

export const workspaceOperations = {
  getWorkspaceUsage: reading('/workspace/usage', {
    title: 'Read usage and capacity',
    description:
      'Reads the minutes left and used, how to get more, runs in progress, storage, and the limits of the workspace and of your key.',
    input: nothing,
    output: workspaceUsageSchema,
    scope: 'workspace:read',
  }),
  getWorkspaceSettings: reading('/workspace/settings', {
    title: "Read the workspace's settings",
    description:
      'Reads budgets per run and per day (UTC), forbidden keys, how long recordings are kept, and the currency.',
    input: nothing,
    output: workspaceSettingsSchema,
    scope: 'workspace:read',
  }),
  updateWorkspaceSettings: operation({
    title: "Change the workspace's settings",
    description:
      'Changes the given members; null removes one. Ask the person responsible for the calls before you raise a budget or allow a key.',
    input: updateWorkspaceSettingsSchema,
    output: workspaceSettingsSchema,
    rest: { method: 'patch', path: '/workspace/settings', status: 200 },
    scope: 'workspace:admin',
    tool: sets,
  }),
  registerWorkspace: operation({
    title: 'Register a workspace',
    description:
      "Creates a new, empty workspace and returns its API key, which is shown only once. Needs no key. It can't place calls until a person verifies a mobile number (requestAnchorCode) or the operator grants minutes.",
    input: nothing,
    output: registrationSchema,
    rest: { method: 'post', path: '/workspace/register', status: 201 },
    scope: 'open',
    tool: writes,
  }),
  requestAnchorCode: calling('/workspace/anchors/code', {
    title: "Send a code to a person's mobile phone",
    description:
      "Sends an SMS with a code to the person responsible for this workspace's calls. Ask the person for permission first, and for the code afterwards.",
    input: requestAnchorCodeSchema,
    output: z.strictObject({ sent: z.literal(true) }),
    errors: [409, 502, 503],
    scope: 'workspace:admin',
  }),
  verifyAnchorCode: operation({
    title: 'Verify the code',
    description:
      'Records the number as a verified person of this workspace. If no free minutes are granted, use getClaimLink, or ask the operator; if unavailable, send it again after a minute.',
    input: verifyAnchorCodeSchema,
    output: anchoredSchema,
    rest: { method: 'post', path: '/workspace/anchors/verify', status: 200 },
    errors: [409],
    scope: 'workspace:admin',
    tool: writes,
  }),
  getClaimLink: operation({
    title: 'Get a claim link',
    description:
      'Returns a one-time link, valid for one hour, with which a person takes ownership of this workspace in a browser.',
    input: nothing,
    output: claimLinkSchema,
    rest: { method: 'post', path: '/claim', status: 201 },
    errors: [409],
    scope: 'workspace:admin',
    tool: writes,
  }),
  getAccountLink: operation({
    title: 'Get the address of the account page',
    description:
      "Returns the address of the page where a person sees the usage and manages the keys of their workspace. With the service's own key, on the same machine, it is a one-time link that signs in, valid for one minute.",
    input: nothing,
    output: accountLinkSchema,
    rest: { method: 'post', path: '/account/link', status: 201 },
    scope: 'workspace:admin',
  }),
  listGuides: reading('/guides', {
    title: 'List guides',
    description: 'Lists step-by-step guides and reference pages.',
    input: nothing,
    output: z.strictObject({ items: z.array(guideEntrySchema) }),
    scope: 'workspace:read',
  }),
  getGuide: reading('/guides/{slug}', {
    title: 'Read a guide',
    description: 'Reads a guide with its sections.',
    input: z.strictObject({ slug: z.string().min(1).max(100).describe('From listGuides') }),
    output: guideSchema,
    scope: 'workspace:read',
  }),
  listApiKeys: operation({
    title: 'List API keys',
    description: "Lists the workspace's keys, newest first, without their secrets.",
    input: nothing,
    output: z.strictObject({ items: z.array(apiKeySchema) }),
    rest: { method: 'get', path: '/workspace/keys', status: 200 },
    scope: 'workspace:admin',
  }),
  createApiKey: operation({
    title: 'Create an API key',
    description:
      "Creates a key and returns it; the key is shown only once. It can't have scopes that your key lacks. Use limits to restrict what the key may call, and how much per day.",
    input: createApiKeySchema,
    output: createdApiKeySchema,
    rest: { method: 'post', path: '/workspace/keys', status: 201 },
    errors: [409],
    scope: 'workspace:admin',
  }),
  updateApiKey: operation({
    title: 'Change an API key',
    description: 'Renames a key, or changes its limits. Runs in progress keep their limits.',
    input: updateApiKeySchema,
    output: apiKeySchema,
    rest: { method: 'patch', path: '/workspace/keys/{id}', status: 200 },
    errors: [409],
    scope: 'workspace:admin',
  }),
  revokeApiKey: operation({
    title: 'Revoke an API key',
    description: 'Revokes a key at once. 409 for the last key that can administer the workspace.',
    input: z.strictObject({ id: keyIdSchema }),
    output: apiKeySchema,
    rest: { method: 'delete', path: '/workspace/keys/{id}', status: 200 },
    errors: [409],
    scope: 'workspace:admin',
  }),
} as const;
