import type * as z from 'zod';
import type { PlannedCalls } from '../../../contract/callPlan.ts';
import type { Answer } from './answer.ts';

export interface ToolUse {
  /** Aborts if the agent or the user cancels. The use then ends what it started. */
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

/** The question that the user agrees to before a call. */
export interface Intent {
  /** Ends with the called side. */
  readonly title: string;
  /** Undefined if it isn't known; `why` has the reason. */
  readonly plan: PlannedCalls | undefined;
  readonly why?: string;
}

/**
 * An action for the editor's agent. Its description for models is in the manifest with the schema of `input`; a test
 * proves that the schemas are equal.
 */
export interface AgentTool<Input extends z.ZodType = z.ZodType> {
  readonly name: `dialtree_${string}`;
  readonly input: Input;
  readonly doing: (input: z.output<Input>) => string;
  /** For tools that call: what they would do. Calls nothing and saves nothing. */
  readonly intent?: (input: z.output<Input>, signal: AbortSignal) => Promise<Intent>;
  /** @throws HumanError and the service's errors, whose messages say what to do */
  readonly run: (input: z.output<Input>, use: ToolUse) => Promise<Answer>;
}

/** Keeps each tool's input typed in a list of tools with different inputs. */
export const agentTool = <Input extends z.ZodType>(tool: AgentTool<Input>): AgentTool => ({
  name: tool.name,
  input: tool.input,
  doing: (input) => tool.doing(tool.input.parse(input)),
  ...(tool.intent && {
    intent: (input: unknown, signal: AbortSignal) =>
      tool.intent?.(tool.input.parse(input), signal) ?? Promise.reject(new Error('no intent')),
  }),
  run: (input, use) => tool.run(tool.input.parse(input), use),
});
