import type { AgentTool } from './agentTool.ts';
import { mapNumber } from './mapNumber.ts';
import { planCalls } from './planCalls.ts';
import { runMission } from './runMission.ts';
import { runTest } from './runTest.ts';
import { startPractice } from './startPractice.ts';
import type { ToolParts } from './toolParts.ts';

const makers: Readonly<Record<AgentTool['name'], (parts: ToolParts) => AgentTool>> = {
  dialtree_mapNumber: mapNumber,
  dialtree_runTest: runTest,
  dialtree_runMission: runMission,
  dialtree_planCalls: planCalls,
  dialtree_startPractice: startPractice,
};

/**
 * The editor's own tools for its agent, in addition to those of the MCP server (docs/decisions/agent-tools.md). The
 * manifest declares the same ones.
 */
export const agentTools = (parts: ToolParts): AgentTool[] => Object.values(makers).map((make) => make(parts));
