import * as z from 'zod';
import type { ChatMessage } from './chatModels.ts';

const contentSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
]);

/**
 * What of OpenAI's chat completions is understood here; what else a request holds is passed over.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const chatRequestSchema = z.object({
  model: z.string().min(1).max(300),
  messages: z
    .array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: contentSchema }))
    .min(1)
    .max(100),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  response_format: z.object({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
  stream: z.literal(false, 'Streams are not offered here.').optional(),
});
export type ChatRequest = z.output<typeof chatRequestSchema>;

export const wantsJson = ({ response_format: format }: ChatRequest): boolean =>
  format !== undefined && format.type !== 'text';

/** What a model is asked at first: whether it answers at all. */
export const readyQuestion = 'Answer with the word: ready';

const jsonOnly = 'Answer with one JSON object and nothing else: no words before or after it, and no fence around it.';

/**
 * The editor's models know neither a system's part nor a form of the answer: both are said to them in the first
 * message.
 */
export function messagesOf(request: ChatRequest): ChatMessage[] {
  const isSystem = ({ role }: ChatRequest['messages'][number]): boolean => role === 'system' || role === 'developer';
  const first = [
    ...request.messages.filter(isSystem).map(({ content }) => content),
    ...(wantsJson(request) ? [jsonOnly] : []),
  ].join('\n\n');
  return [
    ...(first === '' ? [] : [{ role: 'user', text: first } as const]),
    ...request.messages
      .filter((message) => !isSystem(message))
      .map(({ role, content }): ChatMessage => ({ role: role === 'assistant' ? 'assistant' : 'user', text: content })),
  ];
}

/**
 * The JSON object in an answer that has words or a fence around it; the answer itself where there is none, for whoever
 * asked to say so.
 */
export function jsonIn(answer: string): string {
  const object = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  try {
    JSON.parse(object);
    return object;
  } catch {
    return answer;
  }
}

/** No token of a language is longer: an answer beyond this is longer than was asked for. */
const charactersAToken = 8;
export const maxCharacters = ({ max_tokens: most, max_completion_tokens: completion }: ChatRequest): number =>
  (completion ?? most ?? 8_000) * charactersAToken;
