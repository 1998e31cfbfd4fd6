const signals = ['SIGINT', 'SIGTERM'] as const;

/** Resolves when `interruption` aborts, or when the program that forked this process has ended. */
export async function untilSignal(): Promise<void> {
  const signal = interruption();
  await new Promise<void>((resolve) => {
    // The timer keeps the process alive if nothing else does.
    const alive = setInterval(() => undefined, 60_000);
    const end = (): void => {
      clearInterval(alive);
      process.off('disconnect', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    process.on('disconnect', end);
    // The parent has already ended.
    if ('connected' in process && !process.connected) end();
  });
}

/**
 * Aborts at the first Ctrl+C or SIGTERM, and when the terminal is closed. The second Ctrl+C or SIGTERM ends the process
 * immediately, as it would by default. SIGHUP never does: the kernel and the shell of a closing terminal both send it.
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
