export const speeds = [1, 1.5, 2] as const;
