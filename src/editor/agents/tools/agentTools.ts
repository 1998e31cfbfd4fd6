import type { AgentTool } from './agentTool.ts';
import { mapNumber } from './mapNumber.ts';
import { planCalls } from './planCalls.ts';
import { listMappings, readTree } from './readMappings.ts';
import { listTests, readRun } from './readTests.ts';
import { runMission } from './runMission.ts';
import { runTest } from './runTest.ts';
import { startPractice } from './startPractice.ts';
import type { ToolParts } from './toolParts.ts';

/** All that the editor's agent may do with Dialtree; the manifest declares the same. */
export const agentTools = (parts: ToolParts): AgentTool[] => [listMappings, readTree, mapNumber, listTests, runTest, runMission, readRun, planCalls, startPractice].map((make) => make(parts));
