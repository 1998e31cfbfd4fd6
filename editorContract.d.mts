import type { Plugin } from 'esbuild';

/** Builds the contract as the editor half needs it. */
export const editorContract: Plugin;
/** Returns the source of a module of the contract without what only the service and JSON Schemas need. */
export function forEditor(source: string): string;
