import type { Line, Lines, LineState } from '../../contract/lines.ts';
import { addressOf, shownSettings } from '../../model/calls/linePlan.ts';
import type { Basics } from '../basics/createBasics.ts';
import { after } from '../basics/wallClock.ts';
import { Coalescer } from '../basics/coalescer.ts';
import { Emitter } from '../basics/emitter.ts';
import { DisposableStore, type Disposable } from '../basics/lifetime.ts';
import { describeCause } from '../basics/log/logger.ts';
import type { Connection } from '../host/connection.ts';
import type { LinePasswords } from '../host/linePasswords.ts';
import type { PracticeIvrs } from '../host/practice.ts';
import type { ShownLine, WrongLine } from './lineRows.ts';

interface LineListParts extends Pick<Basics, 'clock' | 'log'> {
  readonly connection: Pick<Connection, 'call' | 'state' | 'mode' | 'onDidChangeState' | 'onDidReplace'>;
  readonly lines: () => Lines;
  readonly wrongLines: () => readonly WrongLine[];
  readonly passwords: Pick<LinePasswords, 'read'>;
  readonly practice: Pick<PracticeIvrs, 'onLine' | 'onDidChange'>;
  /** Fires if something in the workspace has changed, such as the number of calls. */
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** Active calls are counted this often while the list is shown. */
const pollMs = 2000;

/**
 * The lines as they are shown. Lines of the embedded service come from the settings, without starting it; their state
 * is added while it runs. Lines of a remote service come from that service. Reads only while it is watched.
 */
export class LineList implements Disposable {
  readonly #parts: LineListParts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  readonly onDidChange = this.#changed.listen;
  readonly #reading = new Coalescer(() => this.#read());
  readonly #busy = new Set<string>();
  /** Undefined until the service that runs now has been asked. */
  #serviceStates: readonly LineState[] | undefined;
  #passwords: ReadonlySet<string> = new Set();
  #isSeen = false;
  #isRead = false;
  #stopPolling = (): void => undefined;

  constructor(parts: LineListParts) {
    this.#parts = parts;
    const { connection, practice, onDidChange } = parts;
    this.#disposables.add(connection.onDidChangeState(() => this.refreshSoon()));
    this.#disposables.add(
      connection.onDidReplace(() => {
        this.#serviceStates = undefined;
        this.refreshSoon();
      }),
    );
    this.#disposables.add(onDidChange(() => this.refreshSoon()));
    this.#disposables.add(practice.onDidChange(() => this.#changed.fire(undefined)));
  }

  /** Whether the lines belong to a remote service, and can't be changed here. */
  get isForeign(): boolean {
    return this.#parts.connection.mode === 'remote';
  }
  get isRead(): boolean {
    return this.#isRead;
  }

  get lines(): readonly ShownLine[] {
    const { lines, practice } = this.#parts;
    const knownStates = new Map(this.#serviceStates?.map((state) => [state.name, state]));
    const states = this.isForeign
      ? (this.#serviceStates ?? [])
      : Object.entries(lines()).map(([name, line]) =>
          stateOf(name, line, this.#passwords.has(name), knownStates.get(name)),
        );
    return states.map((state) => ({
      name: state.name,
      state,
      isOwn: !this.isForeign,
      isBusy: this.#busy.has(state.name),
      answeredBy: this.isForeign ? undefined : practice.onLine(state.name)?.name,
      waits:
        !this.isForeign &&
        this.#isReady &&
        this.#serviceStates !== undefined &&
        !isSame(state, knownStates.get(state.name)),
    }));
  }

  get #isReady(): boolean {
    return this.#parts.connection.state.kind === 'ready';
  }

  get wrongLines(): readonly WrongLine[] {
    return this.isForeign ? [] : this.#parts.wrongLines();
  }

  /** Follows changes while the list is shown. */
  follow(watched: boolean): void {
    this.#isSeen = watched;
    this.refreshSoon();
  }

  /** Shows that a request about a line is in progress. */
  async whileBusy<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.#busy.add(name);
    this.#changed.fire(undefined);
    try {
      return await work();
    } finally {
      this.#busy.delete(name);
      await this.refresh();
    }
  }

  /** Never rejects; earlier results stay. */
  refresh(): Promise<void> {
    return this.#reading.request();
  }

  refreshSoon(): void {
    if (this.#isSeen) void this.refresh();
  }

  dispose(): void {
    this.#isSeen = false;
    this.#stopPolling();
    this.#disposables.dispose();
  }

  async #read(): Promise<void> {
    const { connection, lines, passwords, clock, log } = this.#parts;
    this.#stopPolling();
    try {
      const names = Object.keys(lines());
      const storedPasswords = await Promise.all(
        names.map(async (name) => [name, (await passwords.read(name)) !== undefined] as const),
      );
      this.#passwords = new Set(storedPasswords.flatMap(([name, has]) => (has ? [name] : [])));
      // The embedded service isn't started just to ask it.
      if (this.isForeign || this.#isReady) this.#serviceStates = (await connection.call('listLines', {})).items;
      this.#isRead = true;
    } catch (error) {
      log.debug(`The lines were not read: ${describeCause(error)}`);
    }
    this.#changed.fire(undefined);
    if (this.#isSeen && this.#serviceStates?.some(({ callsNow, registration }) => callsNow > 0 || registration))
      this.#stopPolling = after(clock, pollMs, () => {
        void this.refresh();
      });
  }
}

/** Whether the service uses a line with the settings that it has now. */
function isSame(own: LineState, used: LineState | undefined): boolean {
  const textOf = ({ callsNow: _calls, lastCheck: _check, registration: _now, ...state }: LineState): string =>
    JSON.stringify(Object.entries(state).sort());
  return used !== undefined && textOf(own) === textOf(used);
}

/** Returns a line of the settings, with the service's state if the service has the same line. */
function stateOf(name: string, line: Line, hasPassword: boolean, told: LineState | undefined): LineState {
  const known = told?.address === addressOf(line) ? told : undefined;
  return {
    name,
    ...shownSettings(line),
    login: line.user === undefined ? 'none' : hasPassword ? 'set' : 'missing',
    callsNow: known?.callsNow ?? 0,
    ...(known?.registration && { registration: known.registration }),
    ...(known?.lastCheck && { lastCheck: known.lastCheck }),
  };
}
