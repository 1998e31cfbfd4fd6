import * as z from 'zod';
import { catalogueEntrySchema, type CatalogueEntry } from './compliance.ts';
import { timeOfDaySchema } from './ivrFile.ts';
import { inputTypeSchema } from './menu.ts';

/** A probe of the catalogue, with its steps and assertions, as the service reads `media/compliance`. */

/** Card numbers that schemes and processors publish for tests. They have no account. */
const publishedTestCards = [
  '4111111111111111',
  '4012888888881881',
  '5555555555554444',
  '5105105105105100',
  '378282246310005',
  '6011111111111117',
  '3530111333300000',
] as const;
const holdsRealCard = (text: string): boolean =>
  [...text.matchAll(/\d(?:[ -]?\d){11,}/g)].some(
    ([digits]) => !publishedTestCards.some((card) => card === digits.replaceAll(/\D/g, '')),
  );
const spokenTextSchema = z
  .string()
  .min(1)
  .max(300)
  .refine((text) => !holdsRealCard(text), "This isn't a published test card number. Use one.");

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
 * apostrophes.
 */
const patternSchema = z.string().min(1).max(600).refine(compiles, "This isn't a valid regular expression.");
const patternsSchema = z.array(patternSchema).min(1);
const nameSchema = z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/);

/** The answer if no option fits. `towards`: an option with these words. */
const wayOutSchema = z.union([
  z.strictObject({ towards: patternSchema }),
  z.strictObject({ press: z.string().regex(/^[0-9*#]+$/) }),
  z.strictObject({ say: spokenTextSchema }),
]);
/** A prompt that asks for one of these, or contains a matching sentence. */
const askedSchema = z
  .strictObject({ asks: z.array(inputTypeSchema).min(1).optional(), says: patternsSchema.optional() })
  .refine(({ asks, says }) => asks !== undefined || says !== undefined, 'Give what is asked for or said.');
export type Asked = z.output<typeof askedSchema>;

/** The steps of the call, in order. If a step can't be carried out, the steps after it aren't reached. */
export const probeStepSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('listen'),
    id: nameSchema,
    seconds: z.number().min(1).max(300),
    until: z
      .enum(['speech', 'promptEnd'])
      .optional()
      .describe(
        "promptEnd: stops when the called side has finished; speech: stops at its first word on the call, which counts as this step's action",
      ),
  }),
  z
    .strictObject({ do: z.literal('greet'), id: nameSchema, text: spokenTextSchema })
    .describe('Says the text and continues at once, like a person who answers a call'),
  z.strictObject({
    do: z.literal('say'),
    id: nameSchema,
    text: spokenTextSchema,
    secretDigits: z
      .string()
      .regex(/^\d{3,8}$/)
      .optional()
      .describe('Digits said after the text, one by one; never shown'),
  }),
  z
    .strictObject({
      do: z.literal('call'),
      id: nameSchema,
      why: z.string().min(1).max(100).describe('Purpose of this call'),
    })
    .describe('Hangs up, and calls the same number again, even if the previous call could not complete all its steps'),
  z.strictObject({ do: z.literal('press'), id: nameSchema, keys: z.string().regex(/^[0-9*#]{1,12}$/) }),
  z.strictObject({
    do: z.literal('reach'),
    id: nameSchema,
    towards: patternSchema.describe('Labels of menu options, or offered phrases, that lead closer to the goal'),
    by: z.enum(['keys', 'speech']).optional().describe('Uses only keys, or only speech; default: both'),
    until: z
      .union([z.enum(['option', 'help', 'human']), askedSchema])
      .describe(
        'option: a matching option was chosen, or the call is put through; help: the call is put through or on hold, or a person speaks; human: a person speaks; asks: this is asked for; says: this is said',
      ),
    otherwise: z.array(wayOutSchema).optional().describe('Tried in this order at a prompt without a matching option'),
    maxSteps: z.int().min(1).max(20).default(6),
    maxSeconds: z.int().min(10).max(600).default(180),
  }),
  z.strictObject({
    do: z.literal('answer'),
    id: nameSchema,
    when: askedSchema,
    give: z.union([
      z.enum(['yes', 'no']),
      z.strictObject({
        digits: z
          .string()
          .regex(/^\d{1,19}$/)
          .refine((digits) => !holdsRealCard(digits), "This isn't a published test card number. Use one."),
        by: z.enum(['keys', 'voice']),
        secret: z.boolean().default(false),
      }),
    ]),
  }),
]);
export type ProbeStep = z.output<typeof probeStepSchema>;

const claim = {
  id: nameSchema,
  text: z.string().min(1).max(300).describe('What is observed if the assertion passes, as a sentence'),
  after: nameSchema.optional().describe("Considers only what the called side says after this step's action"),
  before: nameSchema.optional().describe("Considers only what the called side says before this step's action"),
  reached: nameSchema.optional().describe('Judged only if this step was reached'),
  withinSeconds: z
    .number()
    .min(0.5)
    .max(600)
    .optional()
    .describe('Counted from the answer, or from the end of the action of `after`'),
};
/**
 * What to look for in the called side's words, in one window of the call: the window of the named step, or the first
 * one. If the window doesn't show it, the outcome is INCONCLUSIVE.
 */
export const probeAssertionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('says'),
    ...claim,
    patterns: patternsSchema,
    contrary: patternsSchema
      .optional()
      .describe('If a sentence matches one of these, the assertion fails, whatever else is said'),
    orEach: z.array(patternsSchema).min(2).optional().describe('Also passes if each of these lists matches a sentence'),
    missing: z.enum(['FAIL', 'INCONCLUSIVE']).default('FAIL'),
  }),
  z.strictObject({
    kind: z.literal('neverSays'),
    ...claim,
    patterns: patternsSchema,
    unless: patternsSchema.optional().describe('Ignores sentences that also match one of these'),
  }),
  z.strictObject({
    kind: z.literal('order'),
    ...claim,
    patterns: patternsSchema,
    contrary: patternsSchema.optional(),
    precedes: z
      .union([z.enum(['options', 'request']), z.strictObject({ says: patternsSchema })])
      .describe('options: the first option that is offered; request: the first thing that is asked for'),
  }),
  z.strictObject({
    kind: z.literal('answeredWithin'),
    ...claim,
    after: nameSchema,
    seconds: z.number().min(0.5).max(60),
  }),
  z.strictObject({ kind: z.literal('stepsTo'), ...claim, step: nameSchema, atMost: z.int().min(0).max(20) }),
  z.strictObject({ kind: z.literal('secondsTo'), ...claim, step: nameSchema, atMost: z.number().min(1).max(600) }),
  z.strictObject({ kind: z.literal('stepsNoMore'), ...claim, step: nameSchema, than: nameSchema }),
  z.strictObject({ kind: z.literal('noHangUp'), ...claim, after: nameSchema }),
  z.strictObject({
    kind: z.literal('hangsUp'),
    ...claim,
    after: nameSchema,
    withinSeconds: z.number().min(0.5).max(60),
  }),
  z.strictObject({
    kind: z.literal('offersOnly'),
    ...claim,
    patterns: patternsSchema.describe('Labels of menu options'),
  }),
  z.strictObject({ kind: z.literal('offersKeys'), ...claim }),
  z.strictObject({ kind: z.literal('offersAgain'), ...claim, after: nameSchema }),
  z.strictObject({ kind: z.literal('notReadBack'), ...claim, after: nameSchema }),
  z
    .strictObject({ kind: z.literal('frenchFirst'), ...claim })
    .describe('French comes before English, or is spoken at least as much'),
  z.strictObject({ kind: z.literal('served'), ...claim, after: nameSchema }),
]);
export type ProbeAssertion = z.output<typeof probeAssertionSchema>;

export const probeDialogueSchema = z
  .strictObject({
    language: z.literal('en').optional().describe('Language of its patterns; absent if it has none'),
    appliesIf: z
      .strictObject({ says: patternsSchema, why: z.string() })
      .optional()
      .describe('If nothing like this is heard, there is nothing to observe and the probe is INCONCLUSIVE'),
    localTime: z
      .strictObject({ from: timeOfDaySchema, to: timeOfDaySchema })
      .optional()
      .describe(
        "When the probe can be judged, in the called side's local time. At other times, Dialtree places no call, and the probe is INCONCLUSIVE",
      ),
    steps: z.array(probeStepSchema).min(1),
    assertions: z.array(probeAssertionSchema).min(1),
  })
  .superRefine(({ steps, assertions }, context) => {
    const names = new Set(steps.map(({ id }) => id));
    if (names.size !== steps.length || new Set(assertions.map(({ id }) => id)).size !== assertions.length)
      context.addIssue({ code: 'custom', message: 'Two steps or two assertions have the same id.' });
    for (const assertion of assertions) {
      for (const name of [
        assertion.after,
        assertion.before,
        assertion.reached,
        'step' in assertion ? assertion.step : undefined,
        'than' in assertion ? assertion.than : undefined,
      ]) {
        if (name !== undefined && !names.has(name))
          context.addIssue({
            code: 'custom',
            message: `Assertion ${assertion.id} names the step ${name}, which doesn't exist.`,
          });
      }
    }
  });
export type ProbeDialogue = z.output<typeof probeDialogueSchema>;

/** A file of the catalogue: the entry, its steps and its assertions. Lists contain only the entry. */
export const probeSchema = catalogueEntrySchema
  .extend({
    dialogue: probeDialogueSchema,
  })
  .strict();
export type Probe = z.output<typeof probeSchema>;

export const catalogueEntryOf = ({ dialogue: _dialogue, ...entry }: Probe): CatalogueEntry => entry;
