import * as z from 'zod';
import { untrustedKeyword } from '../../contract/untrusted.ts';

export type Json = Record<string, unknown>;
type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Returns a schema as the interface shows it: with all defaults, and marks of untrusted text only on responses. */
export function interfaceSchema(schema: z.ZodType, io: 'input' | 'output', further?: Override): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override(context) {
      const { zodSchema, jsonSchema } = context;
      const { def } = zodSchema._zod;
      // Zod omits the default of a converted value, such as a number in a query.
      if (io === 'input' && def.type === 'default')
        jsonSchema.default ??= def.defaultValue as typeof jsonSchema.default;
      if (io === 'input' || jsonSchema[untrustedKeyword] !== true) Reflect.deleteProperty(jsonSchema, untrustedKeyword);
      further?.(context);
    },
  });
  return rest;
}
