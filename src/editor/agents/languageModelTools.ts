import {
  CancellationError,
  LanguageModelTextPart,
  LanguageModelToolResult,
  lm,
  MarkdownString,
  ProgressLocation,
  window,
} from 'vscode';
import type { CancellationToken, LanguageModelTool } from 'vscode';
import { escapeMarkdown } from '../../base/escape.ts';
import { isAbort } from '../basics/errors.ts';
import type { Disposable } from '../basics/lifetime.ts';
import type { AgentTool } from './tools/agentTool.ts';
import { callTool, prepareCall, type ToolCallParts } from './tools/toolCall.ts';

/** Registers the tools with the editor. They are loaded at the first use, because most windows never need them. */
export const registerTools = (
  names: readonly string[],
  find: (name: string) => Promise<AgentTool>,
  parts: ToolCallParts,
): Disposable[] =>
  names.map((name) =>
    lm.registerTool(
      name,
      editorTool(() => find(name), parts),
    ),
  );

const editorTool = (tool: () => Promise<AgentTool>, parts: ToolCallParts): LanguageModelTool<unknown> => ({
  async prepareInvocation({ input }, token) {
    const { doing, confirm } = await prepareCall(await tool(), input, signalOf(token), parts);
    return {
      ...(doing !== undefined && { invocationMessage: doing }),
      ...(confirm && {
        confirmationMessages: {
          title: confirm.title,
          message: new MarkdownString(confirm.text.split('\n\n').map(escapeMarkdown).join('\n\n')),
        },
      }),
    };
  },
  async invoke({ input, tokenizationOptions: room }, token) {
    const limit = room && { budget: room.tokenBudget, count: (text: string) => room.countTokens(text, token) };
    try {
      const text = await window.withProgress(
        { location: ProgressLocation.Window, title: 'Dialtree' },
        async (progress) =>
          callTool(
            await tool(),
            input,
            { signal: signalOf(token), report: (message) => progress.report({ message }) },
            limit,
            parts,
          ),
      );
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    } catch (error) {
      if (token.isCancellationRequested || isAbort(error)) throw new CancellationError();
      throw error;
    }
  },
});

function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
