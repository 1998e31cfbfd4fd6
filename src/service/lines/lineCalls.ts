import { randomUUID } from 'node:crypto';
import { HumanError } from '../../contract/errors.ts';
import type { callLineEchoSchema, checkLineSchema, Line, LineCheck, LineEcho } from '../../contract/lines.ts';
import { callEcho, echoSecondsAtMost } from '../../engine/echo/echoCall.ts';
import { DialError, lettingGoSeconds } from '../../engine/talk.ts';
import { pingAddressOf } from '../../model/linePlan.ts';
import { startSipAgent } from '../../telephony/agent.ts';
import type { SipAgent } from '../../telephony/call.ts';
import { systemClock } from '../../base/clock.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import type * as z from 'zod';
import type { Logger } from '../log.ts';
import { isLoopback } from '../../base/loopback.ts';
import { permitCalls } from '../runs/permission.ts';
import { DialRecord, readDialled } from '../runs/dialRecord.ts';
import { RunSlot } from '../runs/runSlot.ts';
import type { Store } from '../store/store.ts';
import { admit, settle } from '../workspaces/admission.ts';
import { demandKnown } from '../workspaces/known.ts';
import { localWorkspaceId } from '../workspaces/localKey.ts';
import type { OperatorContact } from '../workspaces/operatorContact.ts';
import { unauthorized } from '../workspaces/principal.ts';
import type { Principal } from '../workspaces/principal.ts';
import { accountOf, setPasswordOf } from './lineBook.ts';
import type { LineBook } from './lineBook.ts';
import { describeCheck, describeEcho } from './lineWords.ts';
import type { Login } from './lineWords.ts';

export interface LineCallsOptions {
  readonly store: Store;
  readonly lines: LineBook;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly log: Logger;
  readonly contact?: OperatorContact;
}

const pool = 'testing';
/** Somebody waits for the answer: a line that is full is told, and not waited for. */
const waitMs = 1500;
const left = 'The request for this call was cancelled, so Dialtree hung up.';
const stopped = 'The service was stopped during this call. Try it again.';

/**
 * Asks lines whether they are there, and calls echo numbers over them. Each has an agent of its own, so that a broken
 * line disturbs no run.
 */
export class LineCalls {
  readonly #options: LineCallsOptions;
  /** By run. */
  readonly #active = new Map<string, { readonly controller: AbortController; readonly done: Promise<unknown> }>();

  constructor(options: LineCallsOptions) {
    this.#options = options;
  }

  get activeCount(): number {
    return this.#active.size;
  }

  async check(principal: Principal, { name, line: unsaved }: z.output<typeof checkLineSchema>): Promise<LineCheck> {
    const { lines, now, log } = this.#options;
    if (unsaved && !(principal.workspaceId === localWorkspaceId && principal.scopes.has('workspace:admin'))) {
      throw new HumanError(
        "Only the administrator of this service can check a line that isn't set up yet. Give the name of a line.",
        { status: 403, code: 'line_unsaved' },
      );
    }
    demandKnown(principal);
    const line = unsaved ?? lines.settingsOf(name ?? '');
    const { from, credentials } = name === undefined ? accountOf(line, undefined) : lines.accountOf(name);
    const answer = await withAgent(line, log, (agent) =>
      agent.options(pingAddressOf(line), { ...(from !== undefined && { from }), ...(credentials && { credentials }) }),
    );
    const check = { at: now().toISOString(), ...describeCheck(answer, line, this.#login(name, line)) };
    if (name !== undefined) lines.noteCheck(name, check);
    return check;
  }

  /** Aborting `asking`, as when nobody waits for the answer any more, hangs up. */
  async echo(
    principal: Principal,
    { name, number }: z.output<typeof callLineEchoSchema>,
    asking: AbortSignal,
  ): Promise<LineEcho> {
    const { store, lines, log } = this.#options;
    const { workspaceId } = principal;
    demandKnown(principal);
    const line = lines.settingsOf(name);
    const phoneNumber = number !== undefined && /^\+\d/.test(number) ? number : lines.resolveOn(name, number).uri;
    const permit = await permitCalls(
      store,
      { resolve: () => lines.resolveOn(name, number) },
      { workspace_id: workspaceId, phone_number: phoneNumber },
      principal,
    );
    const runId = randomUUID();
    const controller = new AbortController();
    const leave = (): void => {
      controller.abort(new HumanError(left, { status: 400 }));
    };
    if (asking.aborted) leave();
    asking.addEventListener('abort', leave, { once: true });
    const calling = this.#call(
      principal,
      runId,
      { name, uri: permit.uri, costPerMinute: permit.costPerMinute, line },
      controller,
    );
    this.#active.set(runId, { controller, done: calling.catch(() => undefined) });
    try {
      return await calling;
    } finally {
      asking.removeEventListener('abort', leave);
      this.#active.delete(runId);
      log.info({ runId, line: name }, 'echo call ended');
    }
  }

  /**
   * Hangs up, and settles when the call has ended; where another process places it, that one learns of it within
   * seconds.
   */
  async cancel(runId: string): Promise<void> {
    const active = this.#active.get(runId);
    if (!active) {
      await this.#options.store.writeUnguarded((transaction) =>
        transaction.updateTable('slots').set({ cancelled: true }).where('run_id', '=', runId).execute(),
      );
      return;
    }
    active.controller.abort(unauthorized());
    await active.done;
  }

  /**
   * Counts the echo calls of processes that died: nothing else knows of them. Where others share the store, those whose
   * slot has run out.
   */
  async recover(): Promise<void> {
    const { store, now } = this.#options;
    const left = await store.db
      .selectFrom('slots')
      .selectAll()
      .where('attempt', '>', 0)
      .$if(store.notices !== undefined, (query) => query.where('expires_at', '<', now()))
      .where('run_id', 'not in', (query) => query.selectFrom('mapping_runs').select('id'))
      .where('run_id', 'not in', (query) => query.selectFrom('test_launches').select('id'))
      .where('run_id', 'not in', (query) => query.selectFrom('load_tests').select('id'))
      .execute();
    for (const { run_id: runId, workspace_id: workspaceId } of left) {
      await store.writeUnguarded(async (transaction) => {
        const { seconds, calls } = await readDialled(transaction, runId, now());
        await settle(transaction, { workspaceId, runId, pool, seconds, calls, now: now() });
      });
    }
  }

  /** Hangs up, and settles when all calls have ended. */
  async stop(): Promise<void> {
    const active = [...this.#active.values()];
    for (const { controller } of active) controller.abort(new HumanError(stopped, { status: 503, code: 'stopping' }));
    await Promise.all(active.map(({ done }) => done));
  }

  async #call(
    principal: Principal,
    runId: string,
    {
      name,
      uri,
      costPerMinute,
      line,
    }: { readonly name: string; readonly uri: string; readonly costPerMinute: number | undefined; readonly line: Line },
    controller: AbortController,
  ): Promise<LineEcho> {
    const { store, lines, clock, now, log, contact } = this.#options;
    const { workspaceId } = principal;
    const { signal } = controller;
    const release = await this.#take(name, signal);
    try {
      await store.write((transaction) =>
        admit(transaction, {
          workspaceId,
          runId,
          pool,
          wanted: { calls: 1, seconds: echoSecondsAtMost, secondsOfRun: echoSecondsAtMost, costPerMinute },
          now: now(),
          launcher: principal,
          contact,
        }),
      );
      const slot = new RunSlot({
        store,
        clock,
        now,
        log,
        run: { workspaceId, runId, pool, attempt: 1 },
        onEnd: () => {
          controller.abort();
        },
      });
      const dials = new DialRecord({ store, clock, now, log, run: { runId, slotOf: runId, attempt: 1 } });
      let seconds = 0,
        calls = 0;
      let overBudget: TimerHandle | undefined;
      try {
        const budgetSeconds = await slot.hold();
        if (budgetSeconds !== undefined)
          overBudget = clock.setTimeout(
            () => {
              controller.abort();
            },
            Math.max(0, budgetSeconds - lettingGoSeconds) * 1000,
          );
        const over = await dials.begin();
        calls = 1;
        const figures = await withAgent(line, log, (agent) =>
          callEcho({ agent, target: uri, as: lines.accountOf(name), clock: systemClock, signal }),
        ).finally(over);
        seconds = figures.callMs / 1000;
        if (signal.reason instanceof HumanError) throw signal.reason;
        return describeEcho(figures, this.#login(name, line));
      } finally {
        slot.release();
        if (overBudget !== undefined) clock.clearTimeout(overBudget);
        await store.writeUnguarded((transaction) =>
          settle(transaction, { workspaceId, runId, pool, seconds, calls, now: now() }),
        );
      }
    } finally {
      release();
    }
  }

  async #take(name: string, signal: AbortSignal): Promise<() => void> {
    const { lines, clock } = this.#options;
    const late = new AbortController();
    const timer = clock.setTimeout(() => {
      late.abort();
    }, waitMs);
    try {
      return await lines.take(name, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (signal.reason instanceof HumanError) throw signal.reason;
      if (!(error instanceof DialError)) throw error;
      throw new HumanError(
        `The line ${name} is at its maximum of simultaneous calls. Wait for one to end, then try again.`,
        {
          status: 409,
          code: 'line_busy',
        },
      );
    } finally {
      clock.clearTimeout(timer);
    }
  }

  #login(name: string | undefined, { user }: Line): Login {
    const missing =
      user === undefined
        ? undefined
        : name === undefined
          ? 'Dialtree asks for it when you save the line.'
          : this.#options.lines.lacksPassword(name)
            ? setPasswordOf(name)
            : undefined;
    return { user: user !== undefined, ...(missing !== undefined && { missing }) };
  }
}

/** An agent that reaches the far side of this line, and no more of the network than that takes. */
async function withAgent<Result>(line: Line, log: Logger, work: (agent: SipAgent) => Promise<Result>): Promise<Result> {
  const host = parseUri(pingAddressOf(line))?.host ?? '';
  const v6 = host.includes(':');
  const agent = await startSipAgent({
    host: isLoopback(host) ? (v6 ? '::1' : '127.0.0.1') : v6 ? '::' : '0.0.0.0',
    onFault: (err) => {
      log.error({ err }, 'a call of a line was ended by an internal error');
    },
  });
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
}
