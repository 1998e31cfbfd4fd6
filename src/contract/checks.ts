import * as z from 'zod';
import { limits } from './limits.ts';
import { inputTypeSchema } from './menu.ts';
import { untrusted } from './untrusted.ts';

/** What a call must do, as data: the one language of missions, scripted steps and compliance probes. */

const wordsSchema = untrusted(z.string().trim().min(1).max(500)).refine(
  (text) => /[\p{L}\p{N}]/u.test(text),
  'This has no words. Write what must be heard; * stands for any words.',
);
/** One text, or several of which any counts. */
const textsSchema = z.union([wordsSchema, z.array(wordsSchema).min(1).max(100)]);
const compiles = (source: string): boolean => {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
};
/**
 * A regular expression that is matched against one sentence of the called side, in lower case with straight
 * apostrophes. Only Dialtree's own probes have them: those of a stranger could take forever.
 */
export const patternSchema = z.string().min(1).max(600).refine(compiles, "This isn't a valid regular expression.");
export const patternsSchema = z.array(patternSchema).min(1);
export const stepNameSchema = z.string().trim().min(1).max(200);
const secondsSchema = z.number().min(0.1).max(limits.missionSeconds.max);
const countSchema = z.int().min(0).max(50);
const digitsSchema = z.string().regex(/^\d{1,20}$/, 'Give 1 to 20 digits.');

const texts = {
  text: textsSchema.optional().describe('Words, or several texts of which any counts; * stands for any words'),
  patterns: patternsSchema.optional().describe("Regular expressions, only in Dialtree's own probes"),
};
const hasTexts = ({ text, patterns }: { readonly text?: unknown; readonly patterns?: unknown }): boolean =>
  text !== undefined || patterns !== undefined;
const noTexts = 'Give text.';

export const noticeSchema = z.enum(['recording', 'emergency', 'closed', 'busy', 'wrongEntry', 'automated', 'human']);
export type Notice = z.output<typeof noticeSchema>;
export const toldSchema = z.enum(['amount', 'date', 'time', 'duration', 'number', 'name']);
export const reachedSchema = z.enum(['person', 'voicemail', 'hold', 'transfer', 'ringback', 'busy', 'fax', 'silence']);

/** The part of the call that counts. A moment is a step, or the first time that another check is met. */
const momentSchema: z.ZodType<Moment> = z.lazy(() => z.union([stepNameSchema, checkSchema]));
export type Moment = string | Check;
const common = {
  name: z.string().trim().min(1).max(300).optional().describe('What the check states, for the report'),
  when: z
    .strictObject({
      get after() {
        return momentSchema.optional();
      },
      get before() {
        return momentSchema.optional();
      },
      reached: stepNameSchema.optional().describe('Counts only if the step with this name was reached'),
    })
    .optional()
    .describe(
      'The part of the call that counts: after or before the step with this name, or after or before another check is first met, such as {"kind": "offers"}. Default: the whole call',
    ),
  within: secondsSchema
    .optional()
    .describe('Seconds from the answer, or from the end of `when.after`, in which it must happen'),
};
interface Common {
  readonly name?: string | undefined;
  readonly when?:
    | {
        readonly after?: Moment | undefined;
        readonly before?: Moment | undefined;
        readonly reached?: string | undefined;
      }
    | undefined;
  readonly within?: number | undefined;
}
const check = <Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape, ...common });

const plainKinds = [
  check('says', {
    ...texts,
    threshold: z.number().min(0.5).max(1).optional().describe('Share of the words that must be heard; default: 0.8'),
    literal: z.boolean().optional().describe('Needs each word, in this order'),
    missing: z
      .literal('inconclusive')
      .optional()
      .describe('The verdict if nothing like this is heard; default: fail, or inconclusive if other words may say it'),
  }).refine(hasTexts, noTexts),
  check('neverSays', {
    ...texts,
    unless: patternsSchema.optional().describe('Ignores sentences that also match one of these'),
  }).refine(hasTexts, noTexts),
  check('asksFor', {
    input: inputTypeSchema.optional().describe('Kind of the entry'),
    digits: z.int().min(1).max(30).optional().describe('Number of digits that it names'),
    about: wordsSchema.optional().describe('Words of what is asked for, such as "date of birth"'),
  }),
  check('offers', {
    option: textsSchema.optional().describe('Words of the option'),
    key: z
      .string()
      .regex(/^[0-9*#]{1,4}$/, 'A key is 0-9, * or #.')
      .optional()
      .describe('Key of the option'),
    position: z.int().min(1).max(20).optional().describe('Its place in its menu, from 1'),
    atMost: countSchema.optional().describe('The most options that a menu may have'),
    atLeast: countSchema.optional().describe('The fewest options that a menu may have'),
    only: patternsSchema.optional().describe("Every option matches one of these; only in Dialtree's own probes"),
    allByKey: z.literal(true).optional().describe('No option can be chosen only by voice'),
  }),
  check('tells', {
    what: toldSchema.describe('Kind of figure'),
    about: wordsSchema.optional().describe('Words that name it in the same sentence, such as "balance"'),
    equals: z
      .union([z.string().trim().min(1).max(100), z.number()])
      .optional()
      .describe('As said: "$42.50", "3 May"'),
    atMost: z.number().optional().describe('Amounts in whole units, durations in seconds'),
    atLeast: z.number().optional(),
  }),
  check('readsBack', { digits: digitsSchema.optional().describe('Default: what the caller entered last') }),
  check('neverReadsBack', { digits: digitsSchema.optional().describe('Default: what the caller entered') }),
  check('reaches', {
    what: reachedSchema.optional(),
    step: stepNameSchema.optional().describe('A step of a probe that looks for a way'),
    steps: countSchema.optional().describe('The most menus before it'),
    stepsOf: stepNameSchema.optional().describe('Takes no more menus than this step of the probe'),
  }).refine(({ what, step }) => what !== undefined || step !== undefined, 'Give what, or step.'),
  check('discloses', { notice: noticeSchema }),
  check('hangsUp', {}),
  check('staysOn', {}),
  check('answersWithin', { seconds: secondsSchema }),
  check('promptWithin', { seconds: secondsSchema }),
  check('silenceAtMost', { seconds: secondsSchema }),
  check('language', {
    is: z.enum(['en', 'fr']),
    first: z.literal(true).optional().describe('Comes first, or is spoken at least as much'),
  }),
  check('repeatsOnTimeout', {}),
  check('stopsOnKey', {}),
  check('sends', {
    keys: z
      .string()
      .regex(/^[0-9*#]{1,40}$/, 'Keys are 0-9, * and #.')
      .optional(),
    text: wordsSchema.optional().describe('Words that the caller says'),
  }),
] as const;

const membersSchema = z
  .array(z.lazy(() => checkSchema))
  .min(1)
  .max(20);
const notSchema = z.strictObject({
  kind: z.literal('not'),
  get check(): z.ZodType<Check> {
    return checkSchema;
  },
  ...common,
});
const anySchema = z.strictObject({
  kind: z.literal('any'),
  get checks(): z.ZodType<Check[]> {
    return membersSchema;
  },
  ...common,
});
const allSchema = z.strictObject({
  kind: z.literal('all'),
  get checks(): z.ZodType<Check[]> {
    return membersSchema;
  },
  ...common,
});
export type PlainCheck = z.output<(typeof plainKinds)[number]> & Common;
export type Check =
  | PlainCheck
  | ({ readonly kind: 'not'; readonly check: Check } & Common)
  | ({ readonly kind: 'any' | 'all'; readonly checks: readonly Check[] } & Common);
export type CheckOf<Kind extends Check['kind']> = Extract<Check, { kind: Kind }>;

export const checkSchema: z.ZodType<Check> = z.discriminatedUnion('kind', [
  ...plainKinds,
  notSchema,
  anySchema,
  allSchema,
]) as unknown as z.ZodType<Check>;
