import type * as z from 'zod';
import { lineOperations } from './lineOperations.ts';
import { mappingOperations } from './mappingOperations.ts';
import { profileOperations } from './profileOperations.ts';
import { testingOperations } from './testingOperations.ts';
import { workspaceOperations } from './workspaceOperations.ts';

/** The whole interface, one row per operation. */
export const operations = {
  ...mappingOperations,
  ...testingOperations,
  ...lineOperations,
  ...workspaceOperations,
  ...profileOperations,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationInput<Name extends OperationName> = z.input<Operations[Name]['input']>;
export type OperationArguments<Name extends OperationName> = z.output<Operations[Name]['input']>;
export type OperationOutput<Name extends OperationName> = z.output<Operations[Name]['output']>;
