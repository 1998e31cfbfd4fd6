import * as z from 'zod';
import { maskMission } from '../../model/secrets/missionSecrets.ts';
import type { LanguageModel } from '../model/languageModel.ts';
import { readFacts } from './missionFacts.ts';
import { missionSystem, missionTitle, promptTitle, readingTitle, transcriptTitle } from './prompts.ts';
import { maxKeys, maxSpoken } from './turnDecision.ts';
import type { DecideOptions, TurnDecision, TurnSituation } from './turnDecision.ts';

/** One flat object, because some endpoints don't support unions. */
const answerSchema = z
  .object({
    why: z.string().min(1).max(500),
    action: z.enum(['press', 'say', 'wait', 'hangUp']),
    keys: z
      .string()
      .regex(/^[0-9*#]+$/, 'Only 0-9, * and #')
      .max(maxKeys)
      .nullable(),
    text: z.string().min(1).max(maxSpoken).nullable(),
    reason: z.enum(['reached', 'stuck', 'ended']).nullable(),
  })
  .strict()
  .superRefine(({ action, keys, text, reason }, context) => {
    const missing =
      action === 'press' && keys === null
        ? 'keys'
        : action === 'say' && text === null
          ? 'text'
          : action === 'hangUp' && reason === null
            ? 'reason'
            : undefined;
    if (missing !== undefined)
      context.addIssue({ code: 'custom', path: [missing], message: `The action ${action} needs it.` });
  });

/** The decisions already summarise turns before these. */
const maxTurns = 60;

/** @throws ModelError */
export async function decideByModel(
  situation: TurnSituation,
  model: LanguageModel,
  { budget, timeoutMs = 15_000, signal }: DecideOptions,
): Promise<TurnDecision> {
  const { mission, transcript, prompt, reading, past, left } = situation;
  // The mission's own text is the only source of secrets here.
  const shown = (text: string): string => maskMission(mission, text);
  const answer = await model.ask({
    name: 'next_action',
    system: missionSystem,
    schema: answerSchema,
    tokens: 1500,
    temperature: 0,
    timeoutMs,
    ...(budget && { budget }),
    ...(signal && { signal }),
    parts: [
      { kind: 'text', text: `${missionTitle}\n${mission}` },
      {
        kind: 'data',
        title: transcriptTitle,
        text: transcript
          .slice(-maxTurns)
          .map(({ speaker, text }) => `${speaker}: ${shown(text.replace(/\s+/g, ' '))}`)
          .join('\n'),
      },
      { kind: 'data', title: promptTitle, text: shown(prompt) },
      { kind: 'data', title: readingTitle, text: shown(JSON.stringify(reading)) },
      {
        kind: 'text',
        text: `Actions so far: ${past.length}. Left: ${Math.floor(left.turns)} turns, ${Math.floor(left.seconds)} seconds.`,
      },
    ],
  });
  return toDecision(answer, situation);
}

function toDecision(
  { action, keys, text, reason, why: told }: z.output<typeof answerSchema>,
  { mission }: TurnSituation,
): TurnDecision {
  const secrets = readFacts(mission)
    .entries.filter(({ secret }) => secret)
    .map(({ digits }) => digits);
  const why = maskMission(
    mission,
    secrets.reduce((kept, secret) => kept.replaceAll(secret, '…'), told),
  );
  // A part of a secret is also secret, such as its last four digits.
  const tells = (entered: string): boolean => {
    const digits = entered.replace(/[^0-9]/g, '');
    return digits.length >= 3 && secrets.some((secret) => secret.includes(digits) || digits.includes(secret));
  };
  if (action === 'press' && keys !== null) return { action, keys, why, ...(tells(keys) && { secret: true as const }) };
  if (action === 'say' && text !== null)
    return { action, text: text.trim(), why, ...(tells(text) && { secret: true as const }) };
  if (action === 'hangUp') return { action, reason: reason ?? 'stuck', why };
  return { action: 'wait', why };
}
