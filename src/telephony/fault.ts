/** Receives internal errors. Such an error ends one call and doesn't affect the others. */
export type OnFault = (error: unknown) => void;

/** For an agent without a log: a warning of the process, which ends nothing. */
export const warnOfFault: OnFault = (error) => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.emitWarning(message, { type: 'TelephonyFault', ...(stack !== undefined && { detail: stack }) });
};
