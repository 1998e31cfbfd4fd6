import { agentCommands } from './agentCommands.ts';
import type { EditorCommand } from './command.ts';
import { fileCommands } from './fileCommands.ts';
import { firstStepCommands } from './firstStepCommands.ts';
import { issueCommands } from './issueCommands.ts';
import { lineCommands } from './lineCommands.ts';
import { mappingCommands } from './mapping/mappingCommands.ts';
import { practiceCommands } from './mapping/practiceCommands.ts';
import { stepCommands } from './mapping/stepCommands.ts';
import { profileCommands } from './profileCommands.ts';
import { modelCommands } from './service/modelCommands.ts';
import { serviceCommands } from './service/serviceCommands.ts';
import { complianceCommands } from './tests/complianceCommands.ts';
import { environmentCommands } from './tests/environmentCommands.ts';
import { handCommands } from './tests/handCommands.ts';
import { loadCommands } from './tests/loadCommands.ts';
import { runCommands } from './tests/runCommands.ts';
import { testCommands } from './tests/testCommands.ts';
import { treeCommands } from './treeCommands.ts';
import { workspaceCommands } from './workspace/workspaceCommands.ts';

/** A test proves that the manifest lists the same ones. */
export const allCommands: readonly EditorCommand[] = [
  ...mappingCommands,
  ...treeCommands,
  ...stepCommands,
  ...practiceCommands,
  ...testCommands,
  ...runCommands,
  ...handCommands,
  ...environmentCommands,
  ...complianceCommands,
  ...loadCommands,
  ...fileCommands,
  ...lineCommands,
  ...profileCommands,
  ...modelCommands,
  ...agentCommands,
  ...serviceCommands,
  ...workspaceCommands,
  ...firstStepCommands,
  ...issueCommands,
];
