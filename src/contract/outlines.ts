import * as z from 'zod';

/** How the list of tools shows an argument that is too deep for it: in one line that names where it is described. */
export const outlines = z.registry<{ readonly outline: string }>();
