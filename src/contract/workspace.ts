import * as z from 'zod';
import { isoDateSchema, nameSchema, phoneNumberSchema } from './common.ts';
import { keyLimitsSchema } from './keyLimits.ts';
import { limits, quotas } from './limits.ts';
import { administers, scopeSchema } from './scopes.ts';
import { ours, secret, untrusted } from './untrusted.ts';

export const tierSchema = z.enum(['free', 'starter', 'team', 'enterprise']);
export const poolSchema = z.enum(['testing', 'loadTesting', 'mapping', 's2s', 's2stest']);
export type Pool = z.output<typeof poolSchema>;

const perPool = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ testing: value, loadTesting: value, mapping: value, s2s: value, s2stest: value });
const balanceSchema = z
  .strictObject({ granted: z.number(), used: z.number(), remaining: z.number() })
  .meta({ id: 'Balance' });

const usedTodaySchema = z
  .strictObject({ calls: z.int(), seconds: z.number(), tokens: z.int() })
  .describe('Used today (UTC), including what is reserved for runs in progress');

/** The workspace's remaining allowance. All amounts are minutes, except the tokens. */
export const workspaceUsageSchema = z.strictObject({
  workspaceId: z.uuid(),
  tier: tierSchema,
  capacity: z
    .enum(['metered', 'unlimited'])
    .describe('unlimited: the owner pays the carrier; minutes are still counted'),
  claimed: z.boolean().describe('A person owns the workspace'),
  contact: ours(z.string()).optional().describe('How to reach the operator of this server, who can grant more minutes'),
  freeMinutes: perPool(balanceSchema),
  reservedMinutes: perPool(z.number()).describe('Reserved for runs in progress, and still part of what remains'),
  packs: z
    .array(
      z.strictObject({
        id: z.uuid(),
        pool: poolSchema,
        minutes: z.number(),
        remaining: z.number(),
        purchasedAt: isoDateSchema,
      }),
    )
    .describe('Minutes that the operator granted'),
  period: z
    .strictObject({ startedAt: isoDateSchema, endsAt: isoDateSchema, minutes: perPool(z.number()) })
    .describe('The current month, UTC'),
  enrichmentTokens: balanceSchema,
  modelTokens: z
    .strictObject({ usedToday: z.int(), perDay: z.int().optional() })
    .describe('Language model tokens of all keys'),
  runsInFlight: z.int().min(0),
  limits: z.strictObject({ requestsPerMinute: z.int(), runs: z.int() }),
  stored: z
    .partialRecord(z.enum(quotas), z.strictObject({ used: z.number(), limit: z.number() }))
    .describe('How much the workspace stores, and how much its tier allows'),
  anchors: z.array(z.strictObject({ phoneNumber: phoneNumberSchema, verifiedAt: isoDateSchema })),
  key: z
    .strictObject({ keyPrefix: ours(z.string()), limits: keyLimitsSchema, usedToday: usedTodaySchema })
    .optional()
    .describe('The key you use, if it is limited'),
});
export type WorkspaceUsage = z.output<typeof workspaceUsageSchema>;

export const registrationSchema = z.strictObject({
  workspaceId: z.uuid(),
  apiKey: secret(z.string()).describe('Shown only once'),
  keyPrefix: ours(z.string()).describe('Safe to show'),
  scopes: z.array(scopeSchema),
});
export type Registration = z.output<typeof registrationSchema>;

export const keyIdSchema = z
  .string()
  .regex(/^[0-9A-Za-z]{8}$/, 'A key id has 8 letters and digits. List the keys to find it.')
  .describe('Id of the key');
export const apiKeySchema = z.strictObject({
  id: ours(z.string()),
  name: untrusted(z.string()),
  keyPrefix: ours(z.string()),
  scopes: z.array(scopeSchema),
  limits: keyLimitsSchema.optional().describe('Absent if the key has no limits of its own'),
  createdAt: isoDateSchema,
  lastUsedAt: isoDateSchema.optional(),
  revokedAt: isoDateSchema.optional(),
});
export type ApiKey = z.output<typeof apiKeySchema>;
export const createApiKeySchema = z
  .strictObject({
    name: nameSchema,
    scopes: z
      .array(scopeSchema)
      .min(1)
      .optional()
      .describe('Default: the scopes of the key you use; if limits is set, without workspace:admin and billing:write'),
    limits: keyLimitsSchema.optional().describe('Limits for the key of a program'),
  })
  .refine(({ scopes = [], limits }) => limits === undefined || !scopes.some(administers), {
    path: ['scopes'],
    error:
      "A key with limits can't have workspace:admin or billing:write, because it could then remove its own limits. Leave those scopes out.",
  });
export const updateApiKeySchema = z.strictObject({
  id: keyIdSchema,
  name: nameSchema.optional(),
  limits: keyLimitsSchema.nullable().optional().describe('Replaces the limits of the key; null removes them all'),
});
export const createdApiKeySchema = apiKeySchema
  .extend({ apiKey: secret(z.string()).describe('Shown only once') })
  .strict();

/** Malformed numbers are refused with a reason, not by the schema. */
const anchorNumberSchema = z
  .string()
  .min(1)
  .max(40)
  .describe('Mobile number in E.164 form, from the UK, Guernsey, Jersey, the Isle of Man or the US');
const replacesSchema = z.string().min(1).max(40).optional().describe('Number of the verified person to replace');
export const requestAnchorCodeSchema = z.strictObject({
  phoneNumber: anchorNumberSchema,
  replaces: replacesSchema.describe(
    'Number of the verified person to replace; required if the workspace has no place left. Give the same number to verifyAnchorCode',
  ),
});
export const verifyAnchorCodeSchema = z.strictObject({
  phoneNumber: anchorNumberSchema.describe('Number that the code was sent to'),
  code: z
    .string()
    .min(1)
    .max(20)
    .describe(`The ${String(limits.anchors.codeDigits)} digits of the code`),
  replaces: replacesSchema,
});
export const freeGrantOutcomeSchema = z.enum(['granted', 'already-granted', 'not-owed', 'refused', 'unavailable']);
export type FreeGrantOutcome = z.output<typeof freeGrantOutcomeSchema>;
export const anchoredSchema = z.strictObject({
  anchored: z.literal(true),
  freeGrantOutcome: freeGrantOutcomeSchema,
  /** What a workspace without an owner can do if it gets no free minutes. */
  message: ours(z.string()).optional(),
});

export const accountLinkSchema = z.strictObject({
  url: secret(z.string()).describe('Address for a person to open in a browser'),
  expiresAt: isoDateSchema.optional().describe('If present, the address is a link that works once until then'),
});

export const claimLinkSchema = z.strictObject({
  url: secret(z.string()).describe('Link for a person to open; works once and is valid for one hour'),
  expiresAt: isoDateSchema,
});
