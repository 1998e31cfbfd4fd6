import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DialError, type CountedCall, type Dialer } from '../../engine/call/activeCall.ts';
import type { Logger } from '../basics/log.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { isStopping } from '../store/storeGate.ts';
import { seenUntil } from '../workspaces/admission.ts';

export interface DialRecordParts {
  readonly store: Store;
  readonly now: () => Date;
  readonly log: Logger;
  /** The answered calls of all runs of this process. */
  readonly active: Set<CountedCall>;
  /** `slotOf`: the run whose slot the calls use; a launch of tests has one for all its runs. */
  readonly run: { readonly runId: string; readonly slotOf: string; readonly attempt: number };
}

/**
 * Stores each call of a run before its INVITE is sent, and how many seconds it lasted, which is what budgets and bills
 * count. After a crash, the record remains, so the call counts against every budget, and isn't placed again.
 */
export class DialRecord {
  readonly #parts: DialRecordParts;
  /** Calls whose end hasn't been reported, each with what stores it. */
  readonly #open = new Map<CountedCall, (seconds: number) => void>();
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: DialRecordParts) {
    this.#parts = parts;
  }

  /** Wraps a dialer: each outbound call is recorded before it is dialled, and each inbound call when it is answered. */
  over<Call extends CountedCall>(dialer: Dialer<Call>, direction: 'ours' | 'theirs' = 'ours'): Dialer<Call> {
    return {
      dial: async (target, signal, options) => {
        assertWanted(signal);
        const before = direction === 'ours' ? await this.#begin() : undefined;
        let active: Call;
        try {
          assertWanted(signal);
          active = await dialer.dial(target, signal, options);
        } catch (error) {
          before?.(error instanceof Unwanted ? undefined : 0);
          throw error;
        }
        const end = before ?? (await this.#beginOf(active));
        if (active.ended) {
          end(active.durationSeconds);
          return active;
        }
        this.#open.set(active, end);
        this.#parts.active.add(active);
        active.listen((event) => {
          if (event.type !== 'ended') return;
          this.#open.delete(active);
          this.#parts.active.delete(active);
          end(active.durationSeconds);
        });
        return active;
      },
    };
  }

  /**
   * Resolves once the record is on the disk. Rejects if it can't be written, and the call must not be placed. Returns a
   * function for the call's end, with the seconds from its answer to its end, 0 if it wasn't answered, or undefined if
   * it wasn't dialled.
   */
  async #begin(): Promise<(seconds: number | undefined) => void> {
    const {
      store,
      now,
      run: { runId, slotOf, attempt },
    } = this.#parts;
    const id = randomUUID();
    await store.write((transaction) =>
      transaction
        .insertInto('dials')
        .values({ id, run_id: runId, slot_of: slotOf, attempt, dialled_at: now(), seconds: null })
        .execute(),
    );
    await store.sync();
    let over = false;
    return (seconds) => {
      if (over) return;
      over = true;
      this.#writing = this.#writing.then(() => this.#end(id, seconds));
    };
  }

  /** An inbound call that can't be recorded is ended. */
  async #beginOf(call: CountedCall): Promise<(seconds: number) => void> {
    try {
      return await this.#begin();
    } catch (error) {
      await call.hangUp();
      throw error;
    }
  }

  /**
   * Resolves when all ends so far are stored. A call reports its end only when its last words are understood, which can
   * be after the store has closed, so the ends of such calls are stored now.
   */
  async stored(): Promise<void> {
    for (const [call, end] of this.#open) {
      if (!call.ended) continue;
      this.#open.delete(call);
      end(call.durationSeconds);
    }
    await this.#writing;
  }

  /** A call whose end can't be stored counts until its process was last seen. */
  async #end(id: string, seconds: number | undefined): Promise<void> {
    const {
      store,
      log,
      run: { runId },
    } = this.#parts;
    try {
      await store.writeUnguarded((transaction): Promise<unknown> =>
        seconds === undefined
          ? transaction.deleteFrom('dials').where('id', '=', id).execute()
          : transaction.updateTable('dials').set({ seconds }).where('id', '=', id).execute(),
      );
    } catch (error) {
      if (isStopping(error)) log.info({ runId }, 'a call ended after the store had closed');
      else log.error({ runId, err: error }, 'the end of a call could not be stored');
    }
  }
}

/** The run was cancelled before the call was dialled. */
class Unwanted extends DialError {}

/** The last door before a call: everything before it can take long, and a run can be cancelled meanwhile. */
function assertWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new Unwanted({ by: 'local', kind: 'cancelled', reason: 'given up before it was dialled' });
}

/** What a run has dialled, in all its attempts. */
export interface Dialled {
  readonly calls: number;
  readonly seconds: number;
  /** How many attempts ended with an open call: their process crashed, or couldn't be stopped in time. */
  readonly diedOnCall: number;
}

/** Calls without a known end count until their process was last seen, or until `now` if it is active. */
export async function readDialled(db: Kysely<Database>, runId: string, now: Date): Promise<Dialled> {
  const dials = await db
    .selectFrom('dials')
    .select(['slot_of', 'attempt', 'dialled_at', 'seconds'])
    .where('run_id', '=', runId)
    .execute();
  const open = dials.filter(({ seconds }) => seconds === null);
  const [first] = open;
  const until = first && (await seenUntil(db, first.slot_of, now));
  const openSeconds = (dialledAt: Date): number => Math.max(0, (until ?? now).getTime() - dialledAt.getTime()) / 1000;
  return {
    calls: dials.length,
    diedOnCall: new Set(open.map(({ attempt }) => attempt)).size,
    seconds:
      Math.round(dials.reduce((sum, { dialled_at: at, seconds }) => sum + (seconds ?? openSeconds(at)), 0) * 1000) /
      1000,
  };
}
