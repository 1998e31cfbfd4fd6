import * as z from 'zod';
import { checkProblems } from './checkProblems.ts';
import { checkSchema } from './checks.ts';
import { descriptionSchema, dialTargetSchema, nameSchema, profileIdSchema, tagsSchema } from './common.ts';
import { ivrReferenceSchema, schemaReferenceSchema, withOneTarget } from './fileMembers.ts';
import { timeOfDaySchema } from './ivrFile.ts';
import { limits } from './limits.ts';
import { launchLineSchema } from './lines.ts';
import { namedCheckSchema, probeStepWith, type ProbeQuestion, type Probe, type ProbeStep } from './probe.ts';
import { outlines } from './outlines.ts';
import { untrusted } from './untrusted.ts';

/** A user's compliance probe: that of a `*.probe.json` file, and that of a launch. It has plain words, no patterns. */

const bounds = { text: 200, texts: 20, steps: 30, wildcards: 3, wildcardWords: 5 };

const looksLikePattern = /\\|[.)\]}][*+?]|\(\?|[\^|[\]{}]/;
const wordsSchema = untrusted(z.string().trim().min(1).max(bounds.text))
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'This has no words. Write the words that are said.')
  .refine(
    (text) => !looksLikePattern.test(text),
    'This looks like a regular expression. Write the words themselves, or several texts in a list.',
  );
const oneOrSeveral = <Text extends z.ZodType<string>>(text: Text) =>
  z.union([text, z.array(text).min(1).max(bounds.texts)], { error: 'Give a text, or a list of texts.' });
/** On a live number, words that a wildcard stands for would count as words that the author asked for. */
const labelsSchema = oneOrSeveral(
  wordsSchema.refine((text) => !text.includes('*'), "Here, * can't stand for other words. Write several texts."),
).describe('Words of an option, or several texts of which any counts');
const sentencesSchema = oneOrSeveral(
  wordsSchema.refine(
    (text) => text.split('*').length - 1 <= bounds.wildcards,
    `Use * at most ${String(bounds.wildcards)} times in one text.`,
  ),
).describe(
  `Words of one sentence, or several texts of which any counts; * stands for up to ${String(bounds.wildcardWords)} words`,
);

const stepSchema = probeStepWith(labelsSchema, sentencesSchema);

const content = {
  name: nameSchema.describe('Name of the probe'),
  description: descriptionSchema.optional().describe('Purpose of the probe'),
  rule: untrusted(z.string().max(500)).optional().describe('Rule that the probe is based on'),
  jurisdiction: untrusted(z.string().max(100)).optional().describe('Where the rule applies'),
  reviewedOn: z.iso.date().optional().describe('Date of the last review by a lawyer'),
  profileId: profileIdSchema.optional(),
  tags: tagsSchema.optional(),
  appliesIf: z
    .strictObject({ check: checkSchema, why: untrusted(z.string().min(1).max(300)) })
    .optional()
    .describe('Unless this check passes, the probe is inconclusive, for the reason in why'),
  localTime: z
    .strictObject({ from: timeOfDaySchema, to: timeOfDaySchema })
    .optional()
    .describe("When the probe can be judged, in the called side's local time. At other times, no call is placed"),
  steps: z.array(stepSchema).min(1).max(bounds.steps).describe('What the caller does, in order'),
  checks: z.array(namedCheckSchema).min(1).max(50).describe('What the calls must do, each with its name'),
};
type Content = z.output<z.ZodObject<typeof content>>;

function refuse({ steps, checks, appliesIf }: Content, context: z.core.$RefinementCtx): void {
  const ids = new Set<string>();
  for (const [index, { id }] of steps.entries()) {
    if (ids.has(id))
      context.addIssue({ code: 'custom', path: ['steps', index, 'id'], message: 'Another step has the same id.' });
    ids.add(id);
  }
  const surroundings = { steps: ids, maxSeconds: limits.missionSeconds.max };
  for (const { path, message } of checkProblems(checks, surroundings))
    context.addIssue({ code: 'custom', path: ['checks', ...path], message });
  for (const { path, message } of appliesIf ? checkProblems([appliesIf.check], surroundings) : [])
    context.addIssue({ code: 'custom', path: ['appliesIf', 'check', ...path.slice(1)], message });
}

/** The compliance probe as a file, `*.probe.json`. */
export const probeFileSchema = withOneTarget(
  z
    .strictObject({
      $schema: schemaReferenceSchema,
      id: z
        .uuid()
        .optional()
        .describe(
          'Identifies the probe in the service and in baselines, even if the file moves. Without it, the place of the file in its repository does. If you copy the file, remove the id from the copy.',
        ),
      ...content,
      phoneNumber: dialTargetSchema
        .optional()
        .describe('What to call: an E.164 number such as +12025550101, or a SIP URI. Leave it out if you use ivr.'),
      ivr: ivrReferenceSchema,
    })
    .superRefine(refuse),
);
export type ProbeFile = z.output<typeof probeFileSchema>;

/** The content of a probe file without its target. */
export const ownProbeSchema = z
  .strictObject({ id: z.uuid().describe('Identifies the probe in its runs'), ...content })
  .superRefine(refuse)
  .register(outlines, { outline: 'a *.probe.json file with id, without target (docs/compliance.md)' });
export type OwnProbe = z.output<typeof ownProbeSchema>;

const oneProbe = 'Give either catalogueTestId or probe.';
export const runComplianceTestSchema = z
  .strictObject({
    phoneNumber: dialTargetSchema.describe(
      "Number under test; for mode receive, the number that the campaign calls from, or on behalf of; it isn't dialled",
    ),
    catalogueTestId: z.string().min(1).max(100).optional().describe('Id of a compliance probe'),
    probe: ownProbeSchema.optional(),
    line: launchLineSchema,
  })
  .refine(({ catalogueTestId, probe }) => (catalogueTestId === undefined) !== (probe === undefined), oneProbe);

const ownPrefix = 'own:';
/** Returns the `catalogueTestId` of the runs of a user's probe. */
export const ownProbeId = (id: string): string => `${ownPrefix}${id}`;
/** Returns the id of the user's probe whose run it is. */
export const ownIdIn = (catalogueTestId = ''): string | undefined =>
  catalogueTestId.startsWith(ownPrefix) ? catalogueTestId.slice(ownPrefix.length) : undefined;
/** Returns the id of the test that was run, unless it is a probe of the catalogue. */
export const testIdIn = ({
  configId,
  catalogueTestId,
}: {
  readonly configId?: string | undefined;
  readonly catalogueTestId?: string | undefined;
}): string | undefined => configId ?? ownIdIn(catalogueTestId);

/** Returns a user's probe as Dialtree performs it: its words become patterns that take a bounded time. */
export function probeOf(own: Omit<OwnProbe, 'id' | 'profileId' | 'tags'>): Probe {
  const { name, description = name, rule, jurisdiction, reviewedOn, appliesIf, localTime, steps, checks } = own;
  return {
    id: 'own',
    title: name,
    sector: 'own',
    description,
    mode: 'dial',
    ...(rule !== undefined && { rule }),
    ...(jurisdiction !== undefined && { jurisdiction }),
    ...(reviewedOn !== undefined && { reviewedOn }),
    dialogue: {
      ...(appliesIf && { appliesIf }),
      ...(localTime && { localTime }),
      steps: steps.map(withPatterns),
      checks,
    },
  };
}

type Texts = z.output<typeof sentencesSchema>;

function withPatterns(step: Content['steps'][number]): ProbeStep {
  const asked = ({
    says,
    ...rest
  }: {
    readonly asks?: ProbeQuestion['asks'];
    readonly says?: Texts | undefined;
  }): ProbeQuestion => ({
    ...rest,
    ...(says !== undefined && { says: [patternOf(says)] }),
  });
  switch (step.do) {
    case 'reach': {
      const { otherwise, until } = step;
      return {
        ...step,
        towards: patternOf(step.towards),
        until: typeof until === 'string' ? until : asked(until),
        ...(otherwise && {
          otherwise: otherwise.map((out) => ('towards' in out ? { towards: patternOf(out.towards) } : out)),
        }),
      } as ProbeStep;
    }
    case 'answer':
      return { ...step, when: asked(step.when) };
    default:
      return step;
  }
}

const gap = String.raw`[\s,;:.!?"-]+`;
const letter = String.raw`[^\s,;:.!?"-]`;
/** A letter is never part of a gap, so there is one way to read a sentence, except for the few wildcards. */
const wildcard = `(?:${letter}+${gap}){0,${String(bounds.wildcardWords)}}?`;

/** Returns a pattern for whole words in lower case. */
function patternOf(texts: Texts): string {
  const sources = (typeof texts === 'string' ? [texts] : texts).map((text) =>
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .split('*')
      .map((part) => (part.match(/[^\s,;:.!?"-]+/g) ?? []).map((word) => word.replaceAll(/[$()*+/]/g, String.raw`\$&`)))
      .filter((words) => words.length > 0)
      .map((words) => words.join(gap))
      .join(gap + wildcard),
  );
  return `(?<!${letter})(?:${sources.join('|')})(?!${letter})`;
}
