const signals = ['SIGINT', 'SIGTERM'] as const;

/** Settles as `interruption` aborts, and when the program that forked this one is gone. */
export async function untilSignal(): Promise<void> {
  const signal = interruption();
  await new Promise<void>((resolve) => {
    // Timers keep the process alive where nothing else does.
    const alive = setInterval(() => undefined, 60_000);
    const end = (): void => {
      clearInterval(alive);
      process.off('disconnect', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    process.on('disconnect', end);
    // Forked, and alone already.
    if ('connected' in process && !process.connected) end();
  });
}

/**
 * Aborts at the first Ctrl+C or SIGTERM, and when the terminal is closed; the second Ctrl+C or SIGTERM ends the process
 * at once, as it would without us. SIGHUP never does: the kernel and the shell of a terminal that closes both send it.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    for (const name of signals) process.off(name, abort);
    controller.abort();
  };
  for (const name of [...signals, 'SIGHUP'] as const) process.on(name, abort);
  return controller.signal;
}
