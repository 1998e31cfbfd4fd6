import type { AgentTool } from './agentTool.ts';
import { mapNumber } from './mapNumber.ts';
import { planCalls } from './planCalls.ts';
import { listMappings, readTree } from './readMappings.ts';
import { listTests, readRun } from './readTests.ts';
import { runMission } from './runMission.ts';
import { runTest } from './runTest.ts';
import { startPractice } from './startPractice.ts';
import type { ToolParts } from './toolParts.ts';

const makers: Readonly<Record<AgentTool['name'], (parts: ToolParts) => AgentTool>> = {
  dialtree_listMappings: listMappings,
  dialtree_readTree: readTree,
  dialtree_mapNumber: mapNumber,
  dialtree_listTests: listTests,
  dialtree_runTest: runTest,
  dialtree_runMission: runMission,
  dialtree_readRun: readRun,
  dialtree_planCalls: planCalls,
  dialtree_startPractice: startPractice,
};

export const agentToolNames = Object.keys(makers);

/** All tools of the editor's agent. The manifest declares the same ones. */
export const agentTools = (parts: ToolParts): AgentTool[] => Object.values(makers).map((make) => make(parts));
