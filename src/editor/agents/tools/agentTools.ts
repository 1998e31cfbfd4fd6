import type { AgentTool } from './agentTool.ts';
import { mapNumber } from './mapNumber.ts';
import { planCalls } from './planCalls.ts';
import { runMission } from './runMission.ts';
import { runTest } from './runTest.ts';
import { startPractice } from './startPractice.ts';
import type { ToolParts } from './toolParts.ts';

/**
 * The editor's own tools for its agent, in addition to those of the MCP server (docs/decisions/agent-tools.md). The
 * manifest declares the same ones.
 */
export const agentTools = (parts: ToolParts): AgentTool[] =>
  [mapNumber, runTest, runMission, planCalls, startPractice].map((make) => make(parts));
