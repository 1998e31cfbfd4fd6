import { sentencesOf } from '../../base/sentences.ts';
import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import type { callLineEchoSchema, checkLineSchema, Line, LineCheck, LineEcho } from '../../contract/lines.ts';
import { defaultCaller } from '../../contract/profiles.ts';
import { callEcho, echoSecondsAtMost } from '../../engine/echo/echoCall.ts';
import type { EchoFigures } from '../../engine/echo/echoCall.ts';
import { lettingGoSeconds } from '../../engine/call/activeCall.ts';
import { startSipAgent } from '../../telephony/agent.ts';
import type { SipAgent } from '../../telephony/call.ts';
import { systemClock } from '../../base/clock.ts';
import type { TimerHandle } from '../../base/clock.ts';
import type * as z from 'zod';
import type { Logger } from '../basics/log.ts';
import { callingHosts, isLoopback } from '../../base/loopback.ts';
import { dialerFor } from '../runs/dialerFor.ts';
import type { DialerParts } from '../runs/dialerFor.ts';
import { permitCalls } from '../runs/permission.ts';
import type { Permit } from '../runs/permission.ts';
import { readDialled } from '../runs/dialRecord.ts';
import type { LifecycleParts, OpenRun, RunKind, RunLifecycle } from '../runs/lifecycle.ts';
import { StopReason } from '../runs/stopReason.ts';
import type { Database } from '../store/schema.ts';
import { serviceStopping } from '../store/storeGate.ts';
import { assertKnown, isKnown } from '../workspaces/known.ts';
import { localWorkspaceId } from '../workspaces/localKey.ts';
import { unauthorized } from '../workspaces/principal.ts';
import type { Principal } from '../workspaces/principal.ts';
import { accountOf } from '../lines/lineAccount.ts';
import { setPasswordOf } from '../lines/lineBook.ts';
import { examineLine } from '../lines/lineExamination.ts';
import { describeLineCheck, describeLineEcho } from '../lines/lineWords.ts';
import type { Login } from '../lines/lineWords.ts';
import { hostsOfLine } from '../numbers/dialGate.ts';
import { parseTarget } from '../numbers/target.ts';

type LineCallsOptions = LifecycleParts & Omit<DialerParts, 'dialer'>;

type EchoSlot = Pick<Selectable<Database['slots']>, 'workspace_id' | 'attempt'> & OpenRun;
interface EchoEnd {
  readonly seconds: number;
  readonly calls: number;
  readonly echo?: LineEcho;
  /** The error for the client instead. */
  readonly error?: unknown;
}

const clientLeft = new StopReason(
  'cancel',
  sentencesOf('The request for this call was cancelled, so Dialtree hung up.'),
);

/** Checks lines, and calls echo numbers over them. Each call has its own agent, so a broken line disturbs no run. */
export class LineCalls {
  readonly #options: LineCallsOptions;
  readonly #asked: AskedEchoes;
  readonly #life: RunLifecycle<'echo'>;

  constructor(options: LineCallsOptions, asked: AskedEchoes, life: RunLifecycle<'echo'>) {
    this.#options = options;
    this.#asked = asked;
    this.#life = life;
  }

  async check(principal: Principal, { name, line: unsaved }: z.output<typeof checkLineSchema>): Promise<LineCheck> {
    const { lines, now } = this.#options;
    if (unsaved && !(principal.workspaceId === localWorkspaceId && principal.scopes.has('workspace:admin'))) {
      throw new HumanError(
        "Only the administrator of this service can check a line that isn't set up yet. Give the name of an existing line.",
        { status: 403, code: 'line_unsaved' },
      );
    }
    assertKnown(principal);
    const line = unsaved ?? lines.settingsOf(name ?? '');
    const check = { at: now().toISOString(), ...(await this.#examine(name, line)) };
    if (name !== undefined) lines.noteCheck(name, check);
    return check;
  }

  /** Aborting `asking`, for example when the response isn't awaited any more, hangs up. */
  async echo(
    principal: Principal,
    { name, number }: z.output<typeof callLineEchoSchema>,
    asking: AbortSignal,
  ): Promise<LineEcho> {
    const { store, lines, log } = this.#options;
    const { workspaceId } = principal;
    // Other clients don't learn which lines exist.
    if (isKnown(principal)) lines.settingsOf(name);
    const runId = randomUUID();
    const leave = (): void => {
      this.#life
        .cancel('echo', runId, clientLeft)
        .catch((err: unknown) => log.error({ runId, err }, 'an echo call could not be ended'));
    };
    let release: (() => void) | undefined;
    try {
      const asked = await this.#life.start('echo', {
        id: runId,
        launcher: principal,
        prepare: async () => {
          assertKnown(principal);
          const line = lines.settingsOf(name);
          const phoneNumber = parseTarget(number ?? '').number ?? lines.resolveOn(name, number).uri;
          const permit = await permitCalls(
            store,
            { resolve: () => lines.resolveOn(name, number) },
            { workspace_id: workspaceId, phone_number: phoneNumber, caller: defaultCaller },
            principal,
          );
          release = await this.#take(name, asking);
          const seconds = echoSecondsAtMost;
          return {
            wanted: { calls: 1, seconds, secondsOfRun: seconds, costPerMinute: permit.costPerMinute },
            insert: () => Promise.resolve({ permit, line, login: this.#login(name, line) }),
          };
        },
      });
      if (asking.aborted) leave();
      asking.addEventListener('abort', leave, { once: true });
      let end: EchoEnd | undefined;
      this.#asked.set(runId, {
        ...asked,
        onEnd: (how) => {
          end = how;
        },
      });
      await this.#life.carryOut('echo', runId);
      if (end?.echo) return end.echo;
      throw end ? end.error : serviceStopping();
    } finally {
      this.#asked.delete(runId);
      asking.removeEventListener('abort', leave);
      release?.();
    }
  }

  /** The client waits for the response, so a full line is reported rather than waited for. */
  async #take(name: string, asking: AbortSignal): Promise<() => void> {
    const { lines } = this.#options;
    if (lines.isFull(name))
      throw new HumanError(
        `The line ${name} already has its maximum number of simultaneous calls. Wait for one to end, then try again.`,
        { status: 409, code: 'line_busy' },
      );
    return await lines.take(name, asking).catch((error: unknown) => {
      throw asking.aborted ? refusalOf(clientLeft) : error;
    });
  }

  async #examine(name: string | undefined, line: Line): Promise<Omit<LineCheck, 'at'>> {
    const { lines, log, clock } = this.#options;
    try {
      const account = name === undefined ? accountOf(line, undefined) : lines.accountOf(name);
      const known = name === undefined ? undefined : lines.registrationOf(name);
      const { answer, findings } = await withAgent(line, log, (agent) =>
        examineLine(agent, line, account, { clock, known }),
      );
      return describeLineCheck(answer, line, this.#login(name, line), findings);
    } catch (error) {
      if (error instanceof HumanError && error.code === 'line_certificate')
        return { state: 'failed', message: error.message };
      throw error;
    }
  }

  #login(name: string | undefined, { user }: Line): Login {
    if (name === undefined) return { user: user !== undefined, isUnsaved: user !== undefined };
    const missing = user !== undefined && this.#options.lines.lacksPassword(name) ? setPasswordOf(name) : undefined;
    return { user: user !== undefined, ...(missing !== undefined && { missing }) };
  }
}

interface AskedEcho {
  readonly permit: Permit;
  readonly line: Line;
  readonly login: Login;
  readonly onEnd: (end: EchoEnd) => void;
}
/** The calls whose requests this process answers, by run. */
export type AskedEchoes = Map<string, AskedEcho>;

export const echoKind = (options: LineCallsOptions, askedEchoes: AskedEchoes): RunKind<EchoSlot, EchoEnd> => ({
  /** Another process is asked to end an echo call only when its key is revoked. */
  cancelled: new StopReason('cancel', sentencesOf('The key was revoked.')),
  stopped: new StopReason('stop', sentencesOf('The service was stopped during this call. Try the call again.')),
  lost: new StopReason('crash', sentencesOf('The service ended unexpectedly during this call. Try the call again.')),

  open: openEchoes,

  async begin(transaction, id) {
    const [row] = await openEchoes(transaction, id);
    return row && { row, workspaceId: row.workspace_id, attempt: row.attempt + 1 };
  },

  async work({ row, attempt }, control) {
    const { clock, log } = options;
    const runId = row.id;
    const asked = askedEchoes.get(runId);
    if (!asked) throw new Error('an echo call that nobody asked for');
    const { permit, line, login } = asked;
    const { budgetSeconds } = control;
    const spent = new AbortController();
    const signal = AbortSignal.any([control.signal, spent.signal]);
    let overBudget: TimerHandle | undefined;
    if (budgetSeconds !== undefined)
      overBudget = clock.setTimeout(() => spent.abort(), Math.max(0, budgetSeconds - lettingGoSeconds) * 1000);
    let calls = 0;
    const dialer: DialerParts<ReturnType<typeof echoed>>['dialer'] = {
      use: (work) =>
        withAgent(line, log, (agent) =>
          work({
            dialer: {
              dial: async (target, aborted, { voice: _voice, keys: _keys, ...as } = {}) => {
                calls = 1;
                return echoed(await callEcho({ agent, target, as, clock: systemClock, signal: aborted }));
              },
            },
            receive: () => Promise.reject(new Error('no calls come in')),
          }),
        ),
    };
    const calling = { runId, slotOf: runId, attempt, hasLine: true };
    try {
      const { figures, durationSeconds: seconds } = await dialerFor({ ...options, dialer }, calling, permit, (call) =>
        call.dialer.dial(call.target, signal),
      );
      return { seconds, calls, echo: describeLineEcho(figures, line, login) };
    } catch (error) {
      return { seconds: 0, calls, error };
    } finally {
      if (overBudget !== undefined) clock.clearTimeout(overBudget);
    }
  },

  async endOf({ id }, why, worked) {
    const { seconds, calls } = worked ?? (await readDialled(options.store.db, id, options.now()));
    return { seconds, calls, error: refusalOf(why) };
  },

  async end(transaction, { id }, end) {
    askedEchoes.get(id)?.onEnd(end);
    const { seconds, calls } = end;
    const [slot] = await openEchoes(transaction, id);
    return slot && { workspaceId: slot.workspace_id, seconds, calls };
  },
});

/** No other table contains echo calls. */
const openEchoes = (db: Kysely<Database>, id?: string): Promise<EchoSlot[]> =>
  db
    .selectFrom('slots')
    .select(['run_id as id', 'workspace_id', 'attempt'])
    .where('kind', '=', 'echo')
    .$if(id !== undefined, (query) => query.where('run_id', '=', id ?? ''))
    .execute();

function refusalOf(why: StopReason): HumanError {
  if (why === clientLeft) return new HumanError(String(clientLeft), { status: 400 });
  if (why.endedBy === 'cancel') return unauthorized();
  return new HumanError(String(why), { status: 503, code: 'stopping' });
}

/** Returns a call that has ended. */
const echoed = (figures: EchoFigures) => ({
  figures,
  ended: figures.end ?? ({ by: 'local', kind: 'hangup', reason: 'hung up' } as const),
  durationSeconds: figures.callMs / 1000,
  listen: () => () => undefined,
  hangUp: () => Promise.resolve(),
});

/** Runs `work` with an agent that reaches the called side of this line, and no more of the network than that needs. */
async function withAgent<Result>(line: Line, log: Logger, work: (agent: SipAgent) => Promise<Result>): Promise<Result> {
  const agent = await startSipAgent({
    ...callingHosts(!hostsOfLine(line).every(isLoopback)),
    onFault: (err) => log.error({ err }, 'a call of a line was ended by an internal error'),
  });
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
}
