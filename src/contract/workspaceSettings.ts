import * as z from 'zod';
import { limits } from './limits.ts';

const {
  budgets: { seconds, calls, cost, tokens },
  recordingDays,
} = limits;
export const budgetSchemas = {
  secondsPerRun: z
    .number()
    .min(seconds.min)
    .max(seconds.max)
    .describe('Call seconds per run; for a mapping or load test, of all calls together'),
  secondsPerDay: z.number().min(seconds.min).max(seconds.max).describe('Call seconds per day, UTC'),
  callsPerDay: z.int().min(calls.min).max(calls.max).describe('Calls per day, UTC'),
  costPerDay: z
    .number()
    .min(cost.min)
    .max(cost.max)
    .describe("Cost per day, in the workspace's currency; routes without a rate are free"),
  tokensPerDay: z.int().min(tokens.min).max(tokens.max).describe('Language model tokens per day, UTC'),
} as const;

/** Limits that the workspace sets for itself. What is absent isn't limited; 0 allows no calls, or no questions. */
export const budgetsSchema = z.object(budgetSchemas).partial().strict();
export type Budgets = z.output<typeof budgetsSchema>;
export type BudgetName = keyof Budgets;

const recordingDaysSchema = z
  .int()
  .min(recordingDays.min)
  .max(recordingDays.max)
  .describe('Days until recordings are deleted');
const forbiddenKeysSchema = z
  .string()
  .regex(/^[0-9*#]*$/, 'Give the forbidden keys (0-9, * and #) one after another without separators, such as 9*.')
  .max(limits.forbiddenKeys.max)
  .describe('Never pressed on the public network, such as 9*');
const currencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, 'A currency has three capital letters, such as USD.')
  .describe('ISO 4217 code of the currency for rates');

/** Settings of a workspace for its own calls. By default, nothing is limited and recordings are kept. */
export const workspaceSettingsSchema = z.strictObject({
  recordingDays: recordingDaysSchema.optional(),
  budgets: budgetsSchema.default({}),
  forbiddenKeys: forbiddenKeysSchema.default(''),
  currency: currencySchema.default('USD'),
});
export type WorkspaceSettings = z.output<typeof workspaceSettingsSchema>;

const nullable = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.nullable().optional()])) as {
    [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>;
  };

/** Changes the given properties; null removes one. */
export const updateWorkspaceSettingsSchema = z.strictObject({
  recordingDays: recordingDaysSchema.nullable().optional(),
  budgets: z
    .strictObject(nullable(budgetSchemas))
    .nullable()
    .optional()
    .describe('null removes one budget, or all of them'),
  forbiddenKeys: forbiddenKeysSchema.nullable().optional(),
  currency: currencySchema.nullable().optional(),
});
export type UpdateWorkspaceSettings = z.output<typeof updateWorkspaceSettingsSchema>;
