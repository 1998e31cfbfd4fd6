import type { AgentTool } from './agentTool.ts';
import { mapNumber } from './mapNumber.ts';
import { runMissionTool } from './runMission.ts';
import { runTestTool } from './runTest.ts';
import { startPracticeTool } from './startPractice.ts';
import type { ToolParts } from './toolParts.ts';

/**
 * The editor's own tools for its agent, in addition to those of the MCP server (docs/decisions/agent-tools.md). The
 * manifest declares the same ones.
 */
export const agentTools = (parts: ToolParts): AgentTool[] =>
  [mapNumber, runTestTool, runMissionTool, startPracticeTool].map((make) => make(parts));
