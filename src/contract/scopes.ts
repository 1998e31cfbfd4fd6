import * as z from 'zod';

export const scopes = [
  'mapping:read',
  'mapping:write',
  'testing:read',
  'testing:write',
  'compliance:run',
  'workspace:read',
  'workspace:admin',
  'billing:write',
] as const;
export const scopeSchema = z.enum(scopes);
export type Scope = (typeof scopes)[number];
/** With one of these a key could take off what limits it. */
export const administers = (scope: string): boolean => scope === 'workspace:admin' || scope === 'billing:write';
