import type { OperationInput } from '../../src/contract/operations.ts';

type ScriptInput = OperationInput<'createTestConfig'>;
type MissionInput = OperationInput<'createMissionTestConfig'>;

/** The input of a scripted test whose only step dials. */
export const scriptInput = (phoneNumber: string, more: Partial<ScriptInput> = {}): ScriptInput => ({
  name: 'test',
  phoneNumber,
  steps: [{ name: 'dial', action: { type: 'dial' } }],
  ...more,
});

/** The input of a mission test. */
export const missionInput = (phoneNumber: string, more: Partial<MissionInput> = {}): MissionInput => ({
  name: 'mission',
  phoneNumber,
  mission: 'Find out the opening hours.',
  acceptance: 'The opening hours are given.',
  ...more,
});

/** Steps with these actions, each named after its type. */
export const stepsOf = (...actions: ScriptInput['steps'][number]['action'][]): ScriptInput['steps'] =>
  actions.map((action) => ({ name: action.type, action }));
