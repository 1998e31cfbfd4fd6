/** Larger files of tests, rows, IVRs and trees aren't read: checking them would take too long and too much memory. */
export const maxFileBytes = 20_000_000;
