import * as z from 'zod';
import { operation, reading } from './operation.ts';
import { createProfileSchema, profileSchema, updateProfileSchema } from './profiles.ts';

const idSchema = z.strictObject({ id: z.uuid() });

export const profileOperations = {
  listProfiles: reading('/profiles', {
    title: 'List profiles',
    description: 'Lists the profiles, which say how this workspace calls; the default profile comes first.',
    input: z.strictObject({}),
    output: z.strictObject({ items: z.array(profileSchema) }),
    scope: 'workspace:read',
  }),
  getProfile: operation({
    title: 'Read a profile',
    description: 'Reads a profile, which says how calls are placed.',
    input: idSchema,
    output: profileSchema,
    rest: { method: 'get', path: '/profiles/{id}', status: 200 },
    scope: 'workspace:read',
  }),
  createProfile: operation({
    title: 'Create a profile',
    description:
      'Creates a profile, which says how to call: voice, key timing, patience, caller ID, line. Use its id as profileId of a mapping or test.',
    input: createProfileSchema,
    output: profileSchema,
    rest: { method: 'post', path: '/profiles', status: 201 },
    errors: [404],
    scope: 'testing:write',
  }),
  updateProfile: operation({
    title: 'Change a profile',
    description: 'Changes the given members; null removes a member. Runs in progress keep their settings.',
    input: updateProfileSchema,
    output: profileSchema,
    rest: { method: 'patch', path: '/profiles/{id}', status: 200 },
    scope: 'testing:write',
  }),
  deleteProfile: operation({
    title: 'Delete a profile',
    description: 'Deletes a profile. 409 for the default profile, and while a mapping or test uses it.',
    input: idSchema,
    output: z.strictObject({ deleted: z.literal(true) }),
    rest: { method: 'delete', path: '/profiles/{id}', status: 200 },
    errors: [409],
    scope: 'testing:write',
  }),
} as const;
