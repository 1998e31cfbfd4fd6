import * as z from 'zod';

/** What a practice IVR says: words or recordings, one after the other, which can depend on the try and the call. */

export const recordingSchema = z.strictObject({
  wav: z.string().min(1).describe('Path of a WAV file, relative to this file'),
  text: z.string().min(1).max(4000).describe('What the recording says'),
});
export type IvrPrompt = string | z.output<typeof recordingSchema>;

export type Prompt =
  IvrPrompt | Prompt[] | { say: Prompt; bargeIn: boolean } | { byTry: Prompt[] } | { byCall: Prompt[] };
const maxChoices = 20;

const promptRule =
  'A prompt must be text to say, {"wav": file, "text": what it says}, {"say": prompt, "bargeIn": true or false}, {"byTry": [prompts]}, {"byCall": [prompts]}, or a list of these.';
/** The members that distinguish the forms of a prompt, in the order of the union; empty for a list. */
const forms = ['wav', 'say', 'byTry', 'byCall', ''];

/** Returns the problem within the form that was meant, with its place, because a union only reports its own place. */
function promptProblem({ input, errors = [] }: { input?: unknown; errors?: readonly (readonly z.core.$ZodIssue[])[] }) {
  const form = forms.findIndex((name) =>
    name === '' ? Array.isArray(input) : typeof input === 'object' && input !== null && name in input,
  );
  const issue = form < 0 ? undefined : errors[form + 1]?.[0];
  return issue && issue.path.length > 0 ? `${issue.path.map(String).join('.')}: ${issue.message}` : promptRule;
}

const innerSchema: z.ZodType<Prompt, Prompt> = z.lazy(() => promptSchema);
/** A prompt that can be empty: the IVR says nothing. */
export const silentPromptSchema = z.union([z.string().max(0), innerSchema], {
  error: ({ errors }) => errors[1]?.[0]?.message,
});
const alternativesSchema = z.array(silentPromptSchema).min(2).max(maxChoices);

export const promptSchema: z.ZodType<Prompt, Prompt> = z
  .union(
    [
      z.string().min(1).max(4000),
      recordingSchema,
      z.strictObject({
        say: innerSchema.describe('What the IVR says'),
        bargeIn: z.boolean().describe('Whether a key stops this part of the prompt'),
      }),
      z.strictObject({
        byTry: alternativesSchema.describe('What the IVR says at the first try, the second, …; the last one repeats'),
      }),
      z.strictObject({
        byCall: alternativesSchema.describe('What the IVR says in the first call, the second, …; then from the start'),
      }),
      z.array(innerSchema).min(1).max(50).describe('Parts that the IVR says one after the other'),
    ],
    { error: promptProblem },
  )
  .meta({ id: 'Prompt' });

/** Counts from 0: the failures so far in this state, and the calls before this one. */
interface PromptTurn {
  readonly tries: number;
  readonly call: number;
}

/** Returns what is played in this turn. Parts that don't say whether a key stops them use `bargeIn`. */
export function promptParts(
  prompt: Prompt,
  turn: PromptTurn,
  bargeIn: boolean,
): { readonly spoken: IvrPrompt; readonly bargeIn: boolean }[] {
  if (prompt === '') return [];
  if (isSpoken(prompt)) return [{ spoken: prompt, bargeIn }];
  if (Array.isArray(prompt)) return prompt.flatMap((part) => promptParts(part, turn, bargeIn));
  if ('say' in prompt) return promptParts(prompt.say, turn, prompt.bargeIn);
  const chosen =
    'byTry' in prompt
      ? prompt.byTry[Math.min(turn.tries, prompt.byTry.length - 1)]
      : prompt.byCall[turn.call % prompt.byCall.length];
  return promptParts(chosen ?? '', turn, bargeIn);
}

export const promptText = (prompt: Prompt, turn: PromptTurn = { tries: 0, call: 0 }): string =>
  promptParts(prompt, turn, true)
    .map(({ spoken }) => (typeof spoken === 'string' ? spoken : spoken.text))
    .join(' ');

const turns = Array.from({ length: maxChoices ** 2 }, (_, index) => ({
  tries: index % maxChoices,
  call: Math.floor(index / maxChoices),
}));

/** Returns the different texts of a prompt over all tries and calls; first that of the first try of the first call. */
export const promptTexts = (prompt: Prompt): string[] =>
  isSpoken(prompt) ? [promptText(prompt)] : [...new Set(turns.map((turn) => promptText(prompt, turn)))];

/** Returns a prompt with all prompts in it. */
export function promptNodes(prompt: Prompt): Prompt[] {
  if (isSpoken(prompt)) return [prompt];
  if (Array.isArray(prompt)) return [prompt, ...prompt.flatMap(promptNodes)];
  const inner = 'say' in prompt ? [prompt.say] : 'byTry' in prompt ? prompt.byTry : prompt.byCall;
  return [prompt, ...inner.flatMap(promptNodes)];
}

export const isSpoken = (prompt: Prompt): prompt is IvrPrompt => typeof prompt === 'string' || 'wav' in prompt;
