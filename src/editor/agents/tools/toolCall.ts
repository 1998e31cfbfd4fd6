import { describeIssues } from '../../../contract/errors.ts';
import { dataMark, markNotice, markQuotes, withoutMarks } from '../../../model/dataMark.ts';
import type { Basics } from '../../basics/createBasics.ts';
import { adviceOn } from '../../basics/errorAdvice.ts';
import { isAbort, isTypedError } from '../../basics/errors.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { ServiceSettings } from '../../basics/settings.ts';
import type { AgentTool, ToolUse } from './agentTool.ts';
import { fitAnswer, type TokenLimit } from './answer.ts';
import { gateAsks, intentWords } from './intentWords.ts';

export interface ToolCallParts extends Pick<Basics, 'formats' | 'l10n' | 'log'> {
  readonly mode: () => ServiceSettings['mode'];
  /** New for each response: at least 64 bits, letters and digits. */
  readonly nonce: () => string;
}

interface PreparedCall {
  readonly doing?: string;
  /** The question to the user. Plain text, with an empty line between paragraphs. */
  readonly confirm?: { readonly title: string; readonly text: string };
}

/**
 * Returns what is shown before a tool is used. Tools that place calls ask first, even if the plan isn't available or
 * would be refused, because that can change. They don't if the gate asks: one question for one call is enough.
 */
export async function prepareCall(
  tool: AgentTool,
  input: unknown,
  signal: AbortSignal,
  { formats, mode, l10n }: ToolCallParts,
): Promise<PreparedCall> {
  const read = tool.input.safeParse(input);
  // The use reports the problem to the model, and calls nothing.
  if (!read.success) return {};
  const doing = tool.doing(read.data);
  if (!tool.intent) return { doing };
  const intent = await tool
    .intent(read.data, signal)
    .catch((error: unknown) => ({ title: doing, plan: undefined, why: adviceOn(error, mode(), l10n).message }));
  if (intent.plan && gateAsks(intent.plan)) return { doing };
  return { doing, confirm: { title: intent.title, text: intentWords(intent, l10n, formats) } };
}

/**
 * Returns a tool's response to a model within its token budget. The text is between marks, because it contains words
 * from calls and names that others chose.
 * @throws Error whose message is a sentence for the model, with quotes between marks; an AbortError if it was cancelled
 */
export async function callTool(
  tool: AgentTool,
  input: unknown,
  use: ToolUse,
  limit: TokenLimit | undefined,
  { log, mode, l10n, nonce }: ToolCallParts,
): Promise<string> {
  const read = tool.input.safeParse(withoutMarks(input));
  if (!read.success) throw new Error(`This isn't valid input for ${tool.name}. ${describeIssues(read.error)}`);
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
    const quoting = markQuotes(message, new Set(isTypedError(error) ? error.quotes : []), mark);
    throw new Error(quoting === message ? message : `${quoting}\n${markNotice(mark)}`, { cause: error });
  }
}
