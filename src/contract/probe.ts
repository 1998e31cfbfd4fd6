import * as z from 'zod';
import { checkSchema, patternSchema, patternsSchema, type Check } from './checks.ts';
import { catalogueEntrySchema, type CatalogueEntry } from './compliance.ts';
import { timeOfDaySchema } from './ivrFile.ts';
import { inputTypeSchema } from './menu.ts';

/** A probe of the catalogue, with its steps and checks, as the service reads `media/compliance`. */

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

const nameSchema = z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/);

/**
 * Returns the schema of the steps of a call, in order. If a step can't be carried out, the steps after it aren't reached.
 * `label` is the words of an option, and `sentences` those of a prompt.
 */
export function probeStepWith<Label extends z.ZodType, Sentences extends z.ZodType>(
  label: Label,
  sentences: Sentences,
) {
  /** The answer if no option fits. `towards`: an option with these words. */
  const wayOut = z.union([
    z.strictObject({ towards: label }),
    z.strictObject({ press: z.string().regex(/^[0-9*#]{1,12}$/) }),
    z.strictObject({ say: spokenTextSchema }),
  ]);
  /** A prompt that asks for one of these, or contains a matching sentence. */
  const asked = z
    .strictObject({ asks: z.array(inputTypeSchema).min(1).optional(), says: sentences.optional() })
    .refine(({ asks, says }) => asks !== undefined || says !== undefined, 'Give what is asked for or said.');
  return z.discriminatedUnion('do', [
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
      .describe(
        'Hangs up, and calls the same number again, even if the previous call could not complete all its steps',
      ),
    z.strictObject({ do: z.literal('press'), id: nameSchema, keys: z.string().regex(/^[0-9*#]{1,12}$/) }),
    z.strictObject({
      do: z.literal('reach'),
      id: nameSchema,
      towards: label.describe('Labels of menu options, or offered phrases, that lead closer to the goal'),
      by: z.enum(['keys', 'speech']).optional().describe('Uses only keys, or only speech; default: both'),
      until: z
        .union([z.enum(['option', 'help', 'human']), asked])
        .describe(
          'option: a matching option was chosen, or the call is put through; help: the call is put through or on hold, or a person speaks; human: a person speaks; asks: this is asked for; says: this is said',
        ),
      otherwise: z
        .array(wayOut)
        .max(20)
        .optional()
        .describe('Tried in this order at a prompt without a matching option'),
      maxSteps: z.int().min(1).max(20).default(6),
      maxSeconds: z.int().min(10).max(600).default(180),
    }),
    z.strictObject({
      do: z.literal('answer'),
      id: nameSchema,
      when: asked,
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
}
const probeStepSchema = probeStepWith(patternSchema, patternsSchema);
export type ProbeStep = z.output<typeof probeStepSchema>;
export type ProbeQuestion = Extract<ProbeStep, { do: 'answer' }>['when'];

/** A check with the sentence that says what is observed if it passes. */
export type NamedCheck = Check & { readonly name: string };
export const namedCheckSchema = checkSchema.refine(
  ({ name }) => name !== undefined,
  'Give the name of this check.',
) as unknown as z.ZodType<NamedCheck>;

/** Returns a check and all checks in it. */
export const checksIn = (check: Check): Check[] => [
  check,
  ...[
    ...('checks' in check ? check.checks : []),
    ...('check' in check ? [check.check] : []),
    ...[check.when?.after, check.when?.before].filter((moment) => typeof moment === 'object'),
  ].flatMap(checksIn),
];
/** Returns the names of the steps whose call a check is about. */
export const stepsNamed = (check: Check): string[] =>
  checksIn(check)
    .flatMap(({ when, ...one }) => [when?.reached, when?.after, when?.before, 'step' in one ? one.step : undefined])
    .filter((name) => typeof name === 'string');

const probeDialogueSchema = z
  .strictObject({
    language: z.literal('en').optional().describe('Language of its patterns; absent if it has none'),
    appliesIf: z
      .strictObject({ check: checkSchema, why: z.string() })
      .optional()
      .describe('Unless this is met, there is nothing to observe and the probe is INCONCLUSIVE'),
    localTime: z
      .strictObject({ from: timeOfDaySchema, to: timeOfDaySchema })
      .optional()
      .describe(
        "When the probe can be judged, in the called side's local time. At other times, Dialtree places no call, and the probe is INCONCLUSIVE",
      ),
    steps: z.array(probeStepSchema).min(1),
    checks: z
      .array(namedCheckSchema)
      .min(1)
      .describe('Each is about the call of the step that it names, otherwise about the first call'),
  })
  .superRefine(({ steps, checks, appliesIf }, context) => {
    const ids = new Set(steps.map(({ id }) => id));
    if (ids.size !== steps.length) context.addIssue({ code: 'custom', message: 'Two steps have the same id.' });
    for (const check of [...checks, ...(appliesIf ? [appliesIf.check] : [])].flatMap(checksIn)) {
      const compared = 'stepsOf' in check ? check.stepsOf : undefined;
      for (const name of [...stepsNamed(check), ...(compared === undefined ? [] : [compared])]) {
        if (!ids.has(name))
          context.addIssue({ code: 'custom', message: `A check names the step ${name}, which doesn't exist.` });
      }
    }
  });
/** A file of the catalogue: the entry, its steps and its checks. Lists contain only the entry. */
export const probeSchema = catalogueEntrySchema
  .extend({
    dialogue: probeDialogueSchema,
  })
  .strict();
export type Probe = z.output<typeof probeSchema>;

export const catalogueEntryOf = ({ dialogue: _dialogue, ...entry }: Probe): CatalogueEntry => entry;
