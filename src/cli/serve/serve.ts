import { HumanError } from '../../contract/errors.ts';
import { createLog } from '../../service/basics/log.ts';
import { startService, startSharedService } from '../../service/service.ts';
import { UsageError, type CliCommand } from '../command.ts';
import { secretValues } from '../settings/secretValues.ts';
import { readServeOptions } from './options.ts';

export const serve: CliCommand = {
  help: `Prints one JSON line when the service is ready: {"event":"ready","mcpUrl":…,"baseUrl":…,"apiKey":…,"owner":…}.
"owner" is false if another process already serves this data folder: the line then says where, and this process ends.
With a database, any number of processes can share the store. The line then has neither "apiKey" nor "owner",
because clients register their own workspaces.

  --host HOST          address to listen on (default 127.0.0.1)
  --allow-remote       allows a host that other machines can reach
  --public-url URL     address at which a TLS proxy offers this service, such as https://dialtree.example.com;
                       addresses that the service gives out begin with it, and the service trusts the
                       X-Forwarded-For header of the proxy
  --port PORT          default 0: any free port
  --data DIR           folder for the store and recordings (default ~/.dialtree); with a database, only for
                       the recordings; all processes must be able to use it
  --database-url URL   uses this database as the store, postgres://user:password@host:5432/database; all
                       processes with this URL share it; or set DIALTREE_DATABASE_URL in the environment, which
                       process lists don't show
  --role ROLE          with a database: api answers requests, worker executes runs, all does both (default)
  --routes FILE|JSON   dial plan: {"+12025550100": "sip:practice@127.0.0.1:5070", "+1*":
                       "sip:{number}@trunk.example.com"}; to set the cost per minute, use {"uri": "sip:…",
                       "costPerMinute": 0.01} instead of an address
  --lines FILE|JSON    lines for calls, by name: {"main": {"kind": "trunk", "host":
                       "trunk.example.com", "user": "12345", "callerId": "+12025550100", "numbers": ["+1*"],
                       "callsPerSecond": 1, "concurrentCalls": 10}}; kind is trunk, pbx or uri. Their passwords
                       come from the environment: DIALTREE_LINE_PASSWORD_MAIN, or all of them in
                       DIALTREE_LINE_PASSWORDS as {"main": "…"}
  --sms twilio|log     how verification codes are sent (default: not at all). twilio reads
                       DIALTREE_TWILIO_ACCOUNT_SID, DIALTREE_TWILIO_AUTH_TOKEN, DIALTREE_TWILIO_FROM and, for a
                       provider with the same interface, DIALTREE_TWILIO_URL from the environment; log is for
                       development and prints them on stderr
  --mail smtp|log      how people who sign up at /signup get their codes (default: not at all, and sign-up is
                       off). smtp reads DIALTREE_SMTP_URL (smtps://user:password@mail.example.com, or smtp: with
                       STARTTLS) and DIALTREE_MAIL_FROM (ops@example.com) from the environment; log is for
                       development and prints them on stderr
  --contact TEXT       how to reach you, such as ops@example.com: shown to people who need more minutes, which
                       you add with dialtree admin grant; or set DIALTREE_CONTACT in the environment
  --assets DIR         folder of the speech models and the store's files
  --idle-exit SECONDS  ends the service this many seconds after the last client has disconnected
  --log-file FILE      writes the log to FILE instead of stderr
  --repair             sets a damaged store aside and restores the newest export`,
  run: serveUntilStopped,
};

/** Runs the service, and resolves with the exit code when it has ended. */
export async function serveUntilStopped(args: readonly string[]): Promise<number> {
  const complain = (error: unknown): number => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  };
  let options: Awaited<ReturnType<typeof readServeOptions>>;
  try {
    options = await readServeOptions(args);
  } catch (error) {
    return complain(error);
  }
  const { logFile, shared, ...rest } = options;
  const log = createLog(logFile, 'info', secretValues(process.env, { ...rest, ...shared }));
  let stop = (): void => undefined;
  const stopped = new Promise<void>((settle) => {
    stop = settle;
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    const service = shared
      ? await startSharedService({ ...rest, ...shared, log })
      : await startService({ ...rest, log, onIdle: stop });
    const { close, ...ready } = service;
    process.stdout.write(`${JSON.stringify({ event: 'ready', ...ready })}\n`);
    if ('owner' in ready && !ready.owner) return 0;
    await stopped;
    const toldMs = performance.now();
    return await withinLimit(
      close(() => performance.now() - toldMs > lateMs),
      log,
    );
  } catch (error) {
    if (error instanceof HumanError) return complain(error);
    log.error({ err: error }, 'the service could not start');
    return complain(new Error("Couldn't start the service because of an internal error. See the log above."));
  }
}

const endWithinMs = 4800;
/** Exporting the store takes about a second, or more on a busy machine, so it doesn't begin later than this. */
const lateMs = 1500;

/** Resolves with the exit code. If something doesn't close in time, the next start recovers it as after a crash. */
async function withinLimit(closing: Promise<void>, log: ReturnType<typeof createLog>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((settle) => {
    timer = setTimeout(() => {
      log.error('closing took too long; exiting without a clean shutdown');
      settle(0);
    }, endWithinMs);
  });
  const closed = closing.then(
    () => 0,
    (error: unknown) => {
      log.error({ err: error }, 'the service did not close cleanly');
      return 1;
    },
  );
  const code = await Promise.race([closed, late]);
  clearTimeout(timer);
  return code;
}
