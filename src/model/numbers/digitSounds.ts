/** Words that recognition often writes for a spoken digit: "press to", "press for". */
export const digitSounds = { to: '2', too: '2', for: '4', fore: '4', ate: '8', won: '1' } as const;
