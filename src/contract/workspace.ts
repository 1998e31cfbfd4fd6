import * as z from 'zod';
import { isoDateSchema, nameSchema, phoneNumberSchema } from './common.ts';
import { limits } from './limits.ts';
import { scopeSchema } from './scopes.ts';

export const tierSchema = z.enum(['free', 'starter', 'team', 'enterprise']);
export const poolSchema = z.enum(['testing', 'loadTesting', 'mapping', 's2s', 's2stest']);
export type Pool = z.output<typeof poolSchema>;

const perPool = <Value extends z.ZodType>(value: Value) => z.object({ testing: value, loadTesting: value, mapping: value, s2s: value, s2stest: value }).strict();
const balanceSchema = z.object({ granted: z.number(), used: z.number(), remaining: z.number() }).strict();

/** What the workspace may still do. All amounts are minutes, but for the tokens. */
export const workspaceUsageSchema = z.object({
  workspaceId: z.uuid(),
  tier: tierSchema,
  capacity: z.enum(['metered', 'unlimited']).describe('unlimited: the owner pays the carrier; minutes are counted all the same'),
  claimed: z.boolean().describe('A person owns the workspace'),
  freeMinutes: perPool(balanceSchema),
  packs: z.array(z.object({ id: z.uuid(), pool: poolSchema, minutes: z.number(), remaining: z.number(), purchasedAt: isoDateSchema }).strict()),
  period: z.object({ startedAt: isoDateSchema, endsAt: isoDateSchema, minutes: perPool(z.number()) }).strict().describe('The current month, UTC'),
  enrichmentTokens: balanceSchema,
  runsInFlight: z.int().min(0),
  limits: z.object({ requestsPerMinute: z.int(), runs: z.int() }).strict(),
  anchors: z.array(z.object({ phoneNumber: phoneNumberSchema, verifiedAt: isoDateSchema }).strict()),
}).strict();
export type WorkspaceUsage = z.output<typeof workspaceUsageSchema>;

export const registrationSchema = z.object({
  workspaceId: z.uuid(),
  apiKey: z.string().describe('Returned this once'),
  keyPrefix: z.string().describe('Safe to show'),
  scopes: z.array(scopeSchema),
}).strict();
export type Registration = z.output<typeof registrationSchema>;

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  keyPrefix: z.string(),
  scopes: z.array(scopeSchema),
  createdAt: isoDateSchema,
  lastUsedAt: isoDateSchema.optional(),
  revokedAt: isoDateSchema.optional(),
}).strict();
export type ApiKey = z.output<typeof apiKeySchema>;
export const createApiKeySchema = z.object({ name: nameSchema, scopes: z.array(scopeSchema).min(1).optional().describe('Default: those of the key that asks') }).strict();
export const createdApiKeySchema = apiKeySchema.extend({ apiKey: z.string().describe('Returned this once') }).strict();

export const profileSchema = z.object({ id: z.uuid(), name: z.string(), isDefault: z.boolean() }).strict();

/** Refusals of malformed numbers are told by reason and not by the schema. */
const anchorNumberSchema = z.string().min(1).max(40).describe('Mobile number in E.164 form; UK, Guernsey, Jersey, Isle of Man or US');
export const requestAnchorCodeSchema = z.object({ phoneNumber: anchorNumberSchema }).strict();
export const verifyAnchorCodeSchema = z.object({
  phoneNumber: anchorNumberSchema.describe('The number the code was requested for'),
  code: z.string().min(1).max(20).describe(`The ${String(limits.anchors.codeDigits)} digits as read`),
  replaces: z.string().min(1).max(40).optional().describe('A verified human of this workspace who is replaced'),
}).strict();
export const freeGrantOutcomeSchema = z.enum(['granted', 'already-granted', 'not-owed', 'refused', 'unavailable']);
export type FreeGrantOutcome = z.output<typeof freeGrantOutcomeSchema>;
export const anchoredSchema = z.object({ anchored: z.literal(true), freeGrantOutcome: freeGrantOutcomeSchema }).strict();

export const claimLinkSchema = z.object({ url: z.string().describe('One use, valid one hour, for a person to open'), expiresAt: isoDateSchema }).strict();
