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
/** A key with one of these scopes could remove its own limits. */
export const administers = (scope: string): boolean => scope === 'workspace:admin' || scope === 'billing:write';
