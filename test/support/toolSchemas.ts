import * as z from 'zod';
import { untrustedKeyword } from '../../src/contract/untrusted.ts';
import { agentTools } from '../../src/editor/agents/tools/agentTools.ts';
import type { AgentTool } from '../../src/editor/agents/tools/agentTool.ts';
import type { ToolParts } from '../../src/editor/agents/tools/toolParts.ts';

/** The tools alone: their names and inputs, which need no services. */
export const bareTools = (): AgentTool[] => agentTools({} as ToolParts);

/** Returns the schema of a tool's input as the manifest shows it to models, without parts that only cost tokens. */
export function toolSchema({ input }: AgentTool): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override({ jsonSchema }) {
      Reflect.deleteProperty(jsonSchema, untrustedKeyword);
      if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}
