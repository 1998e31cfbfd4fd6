import * as z from 'zod';
import { guideEntrySchema, guideSchema } from './guides.ts';
import { calls, operation, reads, writes } from './operation.ts';
import {
  anchoredSchema,
  apiKeySchema,
  claimLinkSchema,
  createApiKeySchema,
  createdApiKeySchema,
  keyIdSchema,
  registrationSchema,
  removeAnchorSchema,
  requestAnchorCodeSchema,
  updateApiKeySchema,
  verifyAnchorCodeSchema,
  workspaceUsageSchema,
} from './workspace.ts';
import { updateWorkspaceSettingsSchema, workspaceSettingsSchema } from './workspaceSettings.ts';

const nothing = z.object({}).strict();

export const workspaceOperations = {
  getWorkspaceUsage: operation({
    title: 'Read usage and capacity',
    description:
      'Tier, free minutes, packs, who grants more minutes, consumption of this month, enrichment tokens, runs in flight, limits of the workspace and what it keeps of what it may, and whom the key that asks may call where it is limited.',
    input: nothing,
    output: workspaceUsageSchema,
    rest: { method: 'get', path: '/workspace/usage', status: 200 },
    scope: 'workspace:read',
    tool: reads,
  }),
  getWorkspaceSettings: operation({
    title: 'Read the settings of the workspace',
    description:
      'Budgets of a run and of a day (UTC), keys that are never pressed on the public network, how long recordings are kept, and the currency of rates. What is absent is not bounded. An addition of this server.',
    input: nothing,
    output: workspaceSettingsSchema,
    rest: { method: 'get', path: '/workspace/settings', status: 200 },
    scope: 'workspace:read',
    tool: reads,
  }),
  updateWorkspaceSettings: operation({
    title: 'Change the settings of the workspace',
    description:
      'Changes the members that are given; null takes one back. Ask the person who answers for the calls before a budget is raised or a key allowed. Runs in flight go on as they were launched. An addition of this server.',
    input: updateWorkspaceSettingsSchema,
    output: workspaceSettingsSchema,
    rest: { method: 'patch', path: '/workspace/settings', status: 200 },
    scope: 'workspace:admin',
    tool: writes,
  }),
  registerWorkspace: operation({
    title: 'Register a workspace',
    description:
      'Makes a new, empty workspace and returns its API key, this once. Needs no key; with a key it makes a second workspace. It has no calling capacity until a person verifies a mobile number (requestAnchorCode). A few an hour per network address.',
    input: nothing,
    output: registrationSchema,
    rest: { method: 'post', path: '/workspace/register', status: 201 },
    errors: [429],
    scope: 'open',
    tool: writes,
  }),
  requestAnchorCode: operation({
    title: "Send a code to a person's mobile",
    description:
      'Sends an SMS with a code to a person who answers for the calls of this workspace. Ask the person first, and for the code afterwards.',
    input: requestAnchorCodeSchema,
    output: z.object({ sent: z.literal(true) }).strict(),
    rest: { method: 'post', path: '/workspace/anchors/code', status: 202 },
    errors: [409, 429, 502, 503],
    scope: 'workspace:admin',
    tool: calls,
  }),
  verifyAnchorCode: operation({
    title: 'Verify the code',
    description:
      'Records the number as the verified human of this workspace. freeGrantOutcome: granted, already-granted, not-owed or refused (no free minutes: the operator of the server grants some, contact of getWorkspaceUsage), unavailable (call again after a minute).',
    input: verifyAnchorCodeSchema,
    output: anchoredSchema,
    rest: { method: 'post', path: '/workspace/anchors/verify', status: 200 },
    errors: [409],
    scope: 'workspace:admin',
    tool: writes,
  }),
  removeAnchor: operation({
    title: 'Remove a verified person',
    description:
      'The number stands for this workspace no longer, and may be verified for another one. It brings no free minutes a second time. 409 for the last verified human of a workspace that no person owns. An addition of this server.',
    input: removeAnchorSchema,
    output: z.object({ deleted: z.literal(true) }).strict(),
    rest: { method: 'delete', path: '/workspace/anchors/{phoneNumber}', status: 200 },
    errors: [409],
    scope: 'workspace:admin',
  }),
  getClaimLink: operation({
    title: 'Get a claim link',
    description:
      'A one-time link, valid one hour, with which a person takes ownership of this workspace in a browser. The API key goes on working. 409 when a person owns it already.',
    input: nothing,
    output: claimLinkSchema,
    rest: { method: 'post', path: '/claim', status: 201 },
    errors: [409],
    scope: 'workspace:admin',
    tool: writes,
  }),
  listGuides: operation({
    title: 'List guides',
    description: 'Step-by-step guides and reference pages. Reading one performs none of its steps.',
    input: nothing,
    output: z.object({ items: z.array(guideEntrySchema) }).strict(),
    rest: { method: 'get', path: '/guides', status: 200 },
    scope: 'workspace:read',
    tool: reads,
  }),
  getGuide: operation({
    title: 'Read a guide',
    description: 'A guide with its sections in order.',
    input: z.object({ slug: z.string().min(1).max(100).describe('From listGuides') }).strict(),
    output: guideSchema,
    rest: { method: 'get', path: '/guides/{slug}', status: 200 },
    scope: 'workspace:read',
    tool: reads,
  }),
  listApiKeys: operation({
    title: 'List API keys',
    description: 'The keys of the workspace, newest first; never their secrets.',
    input: nothing,
    output: z.object({ items: z.array(apiKeySchema) }).strict(),
    rest: { method: 'get', path: '/workspace/keys', status: 200 },
    scope: 'workspace:admin',
  }),
  createApiKey: operation({
    title: 'Create an API key',
    description:
      'Creates a key and returns it, this once. A key gives no scope that it lacks itself. With limits it may call only what they name, so often and so long a day.',
    input: createApiKeySchema,
    output: createdApiKeySchema,
    rest: { method: 'post', path: '/workspace/keys', status: 201 },
    errors: [409],
    scope: 'workspace:admin',
  }),
  updateApiKey: operation({
    title: 'Change an API key',
    description:
      'Renames a key, or changes what it is limited to. Runs in flight go on as they were launched. An addition of this server.',
    input: updateApiKeySchema,
    output: apiKeySchema,
    rest: { method: 'patch', path: '/workspace/keys/{id}', status: 200 },
    errors: [409],
    scope: 'workspace:admin',
  }),
  revokeApiKey: operation({
    title: 'Revoke an API key',
    description: 'The key stops working at once. 409 for the last key that may administer the workspace.',
    input: z.object({ id: keyIdSchema }).strict(),
    output: apiKeySchema,
    rest: { method: 'delete', path: '/workspace/keys/{id}', status: 200 },
    errors: [409],
    scope: 'workspace:admin',
  }),
} as const;
