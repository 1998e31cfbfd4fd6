import type * as z from 'zod';
import type { PlannedCalls } from '../../../contract/callPlan.ts';
import type { Answer } from './answer.ts';

/** How one use of a tool goes on. */
export interface ToolUse {
  /** Aborts where the agent, or the person, has enough: what was begun is ended. */
  readonly signal: AbortSignal;
  /** Tells the person how it goes. */
  readonly report: (message: string) => void;
}

/** What a person agrees to before anything is dialled. */
export interface Intent {
  /** Ends with whom it calls. */
  readonly title: string;
  /** Undefined where it cannot be told: then `why` does. */
  readonly plan: PlannedCalls | undefined;
  readonly why?: string;
}

/**
 * Something that the editor's agent may do. Its description for models is in the manifest, with the schema of `input`,
 * which a test proves equal.
 */
export interface AgentTool<Input extends z.ZodType = z.ZodType> {
  readonly name: `dialtree_${string}`;
  readonly input: Input;
  /** What it does, while it does it. */
  readonly doing: (input: z.output<Input>) => string;
  /** Of tools that call: what they would do. Dials nothing, saves nothing. */
  readonly intent?: (input: z.output<Input>, signal: AbortSignal) => Promise<Intent>;
  /** @throws HumanError and what the service answers, in sentences that tell what to do */
  readonly run: (input: z.output<Input>, use: ToolUse) => Promise<Answer>;
}

/** Keeps each tool's input typed among tools of other inputs. */
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
