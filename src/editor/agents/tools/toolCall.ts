import { describeIssues } from '../../../contract/errors.ts';
import { dataMark, markNotice, markQuotes, withoutMarks } from '../../../model/dataMark.ts';
import { adviceOn } from '../../basics/errorAdvice.ts';
import { isAbort, isTypedError } from '../../basics/errors.ts';
import type { Formats } from '../../basics/formats.ts';
import type { L10n } from '../../basics/localise.ts';
import type { Logger } from '../../basics/log/logger.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { ServiceSettings } from '../../basics/settings.ts';
import type { AgentTool, ToolUse } from './agentTool.ts';
import { fitAnswer } from './answer.ts';
import type { TokenLimit } from './answer.ts';
import { intentWords } from './intentWords.ts';

export interface ToolCallParts {
  readonly formats: Formats;
  readonly log: Logger;
  readonly mode: () => ServiceSettings['mode'];
  readonly l10n: L10n;
  /** Fresh for each answer, at least 64 bits, letters and digits. */
  readonly nonce: () => string;
}

export interface PreparedCall {
  readonly doing?: string;
  /** What a person agrees to first. Plain text, paragraphs apart by an empty line. */
  readonly confirm?: { readonly title: string; readonly text: string };
}

/**
 * What is shown before a tool is used. Whoever calls always asks first, also where its plan cannot be told or would be
 * refused: that may pass.
 */
export async function prepareCall(
  tool: AgentTool,
  input: unknown,
  signal: AbortSignal,
  { formats, mode, l10n }: ToolCallParts,
): Promise<PreparedCall> {
  const read = tool.input.safeParse(input);
  // What is wrong with it, the use tells the model; nothing is dialled then.
  if (!read.success) return {};
  const doing = tool.doing(read.data);
  if (!tool.intent) return { doing };
  const intent = await tool
    .intent(read.data, signal)
    .catch((error: unknown) => ({ title: doing, plan: undefined, why: adviceOn(error, mode(), l10n).message }));
  return { doing, confirm: { title: intent.title, text: intentWords(intent, l10n, formats) } };
}

/**
 * What a tool tells the model, in as many tokens as there is room for: between marks, since it holds words of calls and
 * names that others gave.
 * @throws Error whose message is a sentence for the model, what it quotes of others between marks; an AbortError where
 * it was cancelled
 */
export async function callTool(
  tool: AgentTool,
  input: unknown,
  use: ToolUse,
  limit: TokenLimit | undefined,
  { log, mode, l10n, nonce }: ToolCallParts,
): Promise<string> {
  const read = tool.input.safeParse(withoutMarks(input));
  if (!read.success) throw new Error(`This is no input for ${tool.name}. ${describeIssues(read.error)}`);
  const mark = dataMark(nonce());
  const marked = (text: string): string => `${markNotice(mark)}\n${mark.around(`\n${text}\n`)}`;
  try {
    const text = await fitAnswer(
      await tool.run(read.data, use),
      limit && { ...limit, count: (answer) => limit.count(marked(answer)) },
    );
    return marked(text);
  } catch (error) {
    use.signal.throwIfAborted();
    if (isAbort(error)) throw error;
    log.warn(`${tool.name}: ${describeCause(error)}`);
    const { message } = adviceOn(error, mode(), l10n);
    const quoting = markQuotes(message, isTypedError(error) ? error.quotes : [], mark);
    throw new Error(quoting === message ? message : `${quoting}\n${markNotice(mark)}`, { cause: error });
  }
}
