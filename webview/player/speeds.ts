/** The playback speeds, in the order of the button. */
export const speeds = [1, 1.5, 2] as const;
