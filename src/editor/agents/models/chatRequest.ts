import * as z from 'zod';
import type { ChatMessage } from './chatModels.ts';

const contentSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
]);

/**
 * The supported part of OpenAI's chat completions. Other properties of a request are ignored.
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

/** The first question to a model, which checks that it responds at all. */
export const readyQuestion = 'Answer with the word: ready';

const jsonOnly = 'Answer with one JSON object and nothing else: no words before or after it, and no fence around it.';

/** The editor's models have no system role and no response format, so both go into the first message. */
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
 * Returns the JSON object in a response that has text or a fence around it. Without one, returns the response itself,
 * so that the caller can report it.
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

/** No token of a language is longer, so a longer response exceeds what was requested. */
const charactersAToken = 8;
export const maxCharacters = ({ max_tokens: most, max_completion_tokens: completion }: ChatRequest): number =>
  (completion ?? most ?? 8_000) * charactersAToken;
