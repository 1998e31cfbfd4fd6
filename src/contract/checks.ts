import * as z from 'zod';
import { limits } from './limits.ts';
import { inputTypeSchema } from './menu.ts';
import { outlines } from './outlines.ts';
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
export const patternSchema = untrusted(
  z.string().min(1).max(600).refine(compiles, "This isn't a valid regular expression."),
);
export const patternsSchema = z.array(patternSchema).min(1);
const stepNameSchema = untrusted(z.string().trim().min(1).max(200));
const secondsSchema = z.number().min(0.1).max(limits.missionSeconds.max);
const countSchema = z.int().min(0).max(50);
const digitsSchema = z.string().regex(/^\d{1,20}$/, 'Give 1 to 20 digits.');

const texts = {
  text: textsSchema.optional().describe('Words, or several texts of which any counts; * stands for any words'),
  patterns: patternsSchema.optional().describe("Regular expressions, only in Dialtree's own probes"),
};
export const noticeSchema = z.enum(['recording', 'emergency', 'closed', 'busy', 'wrongEntry', 'automated', 'human']);
export type SpokenNotice = z.output<typeof noticeSchema>;
const toldSchema = z.enum(['amount', 'date', 'time', 'duration', 'number', 'name', 'fact']);
const reachedSchema = z.enum(['person', 'voicemail', 'hold', 'transfer', 'ringback', 'busy', 'fax', 'silence']);

/** The part of the call that counts. A moment is a step, or the first time that another check is met. */
const momentSchema: z.ZodType<Moment> = z.lazy(() => z.union([stepNameSchema, checkSchema]));
export type Moment = string | Check;
const common = {
  name: untrusted(z.string().trim().min(1).max(300)).optional().describe('What the check states, for the report'),
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
  times: z.int().min(2).max(20).optional().describe('It must happen at least this often'),
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
  readonly times?: number | undefined;
}
/** The description of `kind` says what the kind hears, and after `Inconclusive: ` when it is inconclusive. */
const check = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject({ ...shape, ...common });

const plainKinds = [
  check({
    kind: z
      .literal('says')
      .describe(
        'The words, in this order, in any turn; words that sound alike count, a sentence that denies them does not. Inconclusive: only similar words were heard.',
      ),
    ...texts,
    threshold: z.number().min(0.5).max(1).optional().describe('Share of the words that is enough'),
    literal: z.boolean().optional().describe('Needs each word'),
    missing: z.literal('inconclusive').optional().describe('The verdict if nothing like this is heard; default: fail'),
  }).meta({ examples: [{ kind: 'says', text: 'your card * has been blocked' }] }),
  check({
    kind: z
      .literal('neverSays')
      .describe('That the words are never heard. Inconclusive: similar words were heard, or the call was cut short.'),
    ...texts,
    unless: patternsSchema.optional().describe('Ignores sentences that also match one of these'),
  }).meta({ examples: [{ kind: 'neverSays', text: ['press 9', 'press nine'] }] }),
  check({
    kind: z
      .literal('asksFor')
      .describe(
        'A request for an entry of a kind, or for what the words name. Inconclusive: a request may mean it ("enter your number"), or only mentions it.',
      ),
    input: inputTypeSchema.optional().describe('Kind of the entry'),
    digits: z.int().min(1).max(30).optional().describe('Number of digits that it names'),
    about: textsSchema.optional().describe('Words of what is asked for, such as "date of birth", or several'),
  }).meta({ examples: [{ kind: 'asksFor', input: 'pin', digits: 4 }] }),
  check({
    kind: z
      .literal('offers')
      .describe(
        'An option of a menu by its words, its key or its place; without members, any option. Also the size of menus. Inconclusive: no menu was read, or the words occur outside of an option.',
      ),
    option: textsSchema.optional().describe('Words of the option, or several texts of which any counts'),
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
  }).meta({ examples: [{ kind: 'offers', option: 'lost card', key: '2' }] }),
  check({
    kind: z
      .literal('tells')
      .describe(
        'A figure or a name in a sentence with the words of `about`, in digits or words; a fact is a statement with these words in any order and form. Inconclusive: it is in a question, a condition or an example, a figure is near a similar one ("fifteen" for "fifty"), or other words may state the fact.',
      ),
    what: toldSchema.describe('Kind of figure'),
    about: textsSchema
      .optional()
      .describe('Words that name it in the same sentence, such as "balance", or several texts of which any counts'),
    equals: z
      .union([untrusted(z.string().trim().min(1).max(100)), z.number()])
      .optional()
      .describe('As said: "$42.50", "3 May", "half past nine"'),
    atMost: z.number().optional().describe('Amounts in whole units, durations in seconds'),
    atLeast: z.number().optional().describe('Amounts in whole units, durations in seconds'),
  }).meta({ examples: [{ kind: 'tells', what: 'amount', about: 'balance', equals: '$420.50' }] }),
  check({
    kind: z
      .literal('readsBack')
      .describe(
        'The digits that the caller entered last, or the given ones, in digits or words. Inconclusive: the digits are masked as secret, or other digits were read.',
      ),
    digits: digitsSchema.optional().describe('Default: what the caller entered last'),
  }).meta({ examples: [{ kind: 'readsBack' }] }),
  check({
    kind: z
      .literal('neverReadsBack')
      .describe('That none of the digits is repeated; four in a row count. Inconclusive: the call was cut short.'),
    digits: digitsSchema.optional().describe('Default: what the caller entered'),
  }).meta({ examples: [{ kind: 'neverReadsBack' }] }),
  check({
    kind: z
      .literal('reaches')
      .describe(
        'Where the call leads: who or what answers, by its words and tones. Inconclusive: the call was cut short on hold, or a machine greets like a person.',
      ),
    what: reachedSchema.optional().describe('Who or what answers'),
    about: textsSchema.optional().describe('Words of the team or place, such as "card team"'),
    step: stepNameSchema.optional().describe('A step of a probe that looks for a way'),
    steps: countSchema.optional().describe('The most menus before it'),
    stepsOf: stepNameSchema.optional().describe('Takes no more menus than this step of the probe'),
  }).meta({ examples: [{ kind: 'reaches', what: 'person', within: 180, steps: 3 }] }),
  check({
    kind: z
      .literal('discloses')
      .describe(
        'A notice in any of many wordings: a recorded call, an emergency number, closed, busy, a wrong entry, a machine or a person that says so. Inconclusive: words of such a notice occur in another sentence.',
      ),
    notice: noticeSchema.describe('The notice'),
  }).meta({ examples: [{ kind: 'discloses', notice: 'recording', when: { before: { kind: 'offers' } } }] }),
  check({
    kind: z
      .literal('hangsUp')
      .describe('That the called side ends the call. Inconclusive: the caller hung up before the time was over.'),
  }).meta({ examples: [{ kind: 'hangsUp', when: { after: { kind: 'says', text: 'goodbye' } }, within: 5 }] }),
  check({
    kind: z
      .literal('staysOn')
      .describe(
        'That the called side does not end the call. Inconclusive: the caller hung up before the time was over.',
      ),
  }).meta({ examples: [{ kind: 'staysOn', within: 30 }] }),
  check({
    kind: z
      .literal('answersWithin')
      .describe('The time from the first INVITE to the answer. Inconclusive: a stored call has no such time.'),
    seconds: secondsSchema.describe('The longest time'),
  }).meta({ examples: [{ kind: 'answersWithin', seconds: 10 }] }),
  check({
    kind: z
      .literal('promptWithin')
      .describe(
        'The time from the answer, or from `when.after`, to the first sound of the called side. Inconclusive: the call has no times.',
      ),
    seconds: secondsSchema.describe('The longest time'),
  }).meta({ examples: [{ kind: 'promptWithin', seconds: 3 }] }),
  check({
    kind: z
      .literal('silenceAtMost')
      .describe('The longest time without words of either side. Inconclusive: the call has no times.'),
    seconds: secondsSchema.describe('The longest time'),
  }).meta({ examples: [{ kind: 'silenceAtMost', seconds: 20 }] }),
  check({
    kind: z
      .literal('language')
      .describe(
        'The language of the speech by its sound, in probes that listen for it. Inconclusive: it is neither clearly English nor clearly French.',
      ),
    is: z.enum(['en', 'fr']).describe('Language of the speech'),
    first: z.literal(true).optional().describe('Comes first, or is spoken at least as much'),
  }).meta({ examples: [{ kind: 'language', is: 'fr', first: true }] }),
  check({
    kind: z
      .literal('repeatsOnTimeout')
      .describe(
        'That the options that were offered before `when.after` are offered again, or that a key repeats them. Inconclusive: no options were offered before.',
      ),
  }).meta({ examples: [{ kind: 'repeatsOnTimeout' }] }),
  check({
    kind: z
      .literal('stopsOnKey')
      .describe('That a prompt stops within a second of a key. Inconclusive: no key was pressed during a prompt.'),
  }).meta({ examples: [{ kind: 'stopsOnKey' }] }),
  check({
    kind: z
      .literal('sends')
      .describe(
        'What the caller does. It is no proof of the called side, and marks a moment for `when`. Inconclusive: never.',
      ),
    keys: z
      .string()
      .regex(/^[0-9*#]{1,40}$/, 'Keys are 0-9, * and #.')
      .optional()
      .describe('Keys that the caller presses'),
    text: textsSchema.optional().describe('Words that the caller says, or several texts of which any counts'),
  }).meta({ examples: [{ kind: 'says', text: 'thank you', when: { after: { kind: 'sends', keys: '1' } } }] }),
] as const;

const membersSchema = z
  .array(z.lazy(() => checkSchema))
  .min(1)
  .max(20);
const groups = [
  check({
    kind: z.literal('not').describe('The opposite of another check. Inconclusive: the other check is.'),
    check: z.lazy(() => checkSchema).describe('The other check'),
  }).meta({ examples: [{ kind: 'not', check: { kind: 'discloses', notice: 'human' } }] }),
  check({
    kind: z
      .literal('any')
      .describe('That at least one of several checks passes. Inconclusive: none passes, and one is inconclusive.'),
    checks: membersSchema.describe('The other checks'),
  }).meta({
    examples: [
      {
        kind: 'any',
        checks: [
          { kind: 'reaches', what: 'person' },
          { kind: 'reaches', what: 'hold' },
        ],
      },
    ],
  }),
  check({
    kind: z
      .literal('all')
      .describe('That all of several checks pass. Inconclusive: none fails, and one is inconclusive.'),
    checks: membersSchema.describe('The other checks'),
  }).meta({ examples: [{ kind: 'all', checks: [{ kind: 'says', text: 'thank you' }, { kind: 'hangsUp' }] }] }),
] as const;
export type PlainCheck = z.output<(typeof plainKinds)[number]> & Common;
export type Check =
  | PlainCheck
  | ({ readonly kind: 'not'; readonly check: Check } & Common)
  | ({ readonly kind: 'any'; readonly checks: Check[] } & Common)
  | ({ readonly kind: 'all'; readonly checks: Check[] } & Common);
export type CheckOf<Kind extends Check['kind']> = Extract<Check, { kind: Kind }>;

export const checkSchema: z.ZodType<Check> = z.discriminatedUnion('kind', [...plainKinds, ...groups]);

/** Returns true if any of these checks, or a check in one, has regular expressions. */
export const holdsPatterns = (checks: unknown = []): boolean =>
  /(?<!\\)"(?:patterns|only|unless)":/.test(JSON.stringify(checks));

export const checksSchema = z.array(checkSchema).max(50).register(outlines, {
  outline: 'list of checks, such as [{"kind": "says", "text": "thank you"}] (getGuide missions)',
});

interface CheckPageRow {
  readonly kind: string;
  readonly hears: string;
  /** When it is inconclusive. */
  readonly open: string;
  readonly example: unknown;
  readonly members: readonly { readonly name: string; readonly description: string }[];
}

/** Every kind of check, for the page that is generated from this file. */
export const checkKinds: readonly CheckPageRow[] = [...plainKinds, ...groups].map((schema) => {
  const { kind, ...shape }: Readonly<Record<string, z.ZodType>> & { readonly kind: z.ZodLiteral<string> } =
    schema.shape;
  const [hears = '', open = ''] = kind.description?.split(' Inconclusive: ') ?? [];
  const [example] = schema.meta()?.examples as unknown[];
  const members = Object.entries(shape)
    .filter(([name]) => !(name in common))
    .map(([name, member]) => ({ name, description: member.description ?? '' }));
  return { kind: kind.value, hears, open, example, members };
});
