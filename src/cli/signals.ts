const signals = ['SIGINT', 'SIGTERM'] as const;

/** Settles at the first Ctrl+C or SIGTERM. */
export async function untilSignal(): Promise<void> {
  const signal = interruption();
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => { resolve(); }, { once: true });
    // Timers keep the process alive where nothing else does.
    const alive = setInterval(() => undefined, 60_000);
    signal.addEventListener('abort', () => { clearInterval(alive); }, { once: true });
  });
}

/** Aborts at the first signal; the second one ends the process at once, as it would without us. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    for (const name of signals) process.off(name, abort);
    controller.abort();
  };
  for (const name of signals) process.on(name, abort);
  return controller.signal;
}
