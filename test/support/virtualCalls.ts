import { createDialer } from '../../src/engine/call/conversation.ts';
import type { Dialer } from '../../src/engine/call/activeCall.ts';
import { loadIvr } from '../../src/practice/ivrSource.ts';
import type { IvrSource } from '../../src/practice/ivrSource.ts';
import { answerCalls } from '../../src/practice/server.ts';
import type { PracticeOptions } from '../../src/practice/server.ts';
import { findInstallation, speechAssets } from '../../src/service/basics/installation.ts';
import { speechEngineOn } from '../../src/speech/engine.ts';
import { WorkerHandle } from '../../src/speech/workerHandle.ts';
import type { SpeechWorker } from '../../src/speech/workerHandle.ts';
import type { TaskName, WorkerTasks } from '../../src/speech/workerProtocol.ts';
import type { IncomingCallLeg, SipAgent } from '../../src/telephony/call.ts';
import { sleep, systemClock } from '../../src/base/clock.ts';
import { RecordedRecognitions } from './recordedRecognitions.ts';
import { TelephonyLink } from './telephonyLink.ts';
import { VirtualClock } from './virtualClock.ts';

interface VirtualCallsOptions extends Pick<PracticeOptions, 'timeOfDay' | 'onEvent'> {
  /** From a recogniser's request to its text. Default: as on an idle machine. */
  readonly recognitionMs?: number;
  /** Default: a network without faults. */
  readonly network?: (clock: VirtualClock) => TelephonyLink;
  /** Sees each call before its IVR, which gets what this returns, or nothing. */
  readonly onCall?: (leg: IncomingCallLeg, clock: VirtualClock) => IncomingCallLeg | undefined;
}

/** From a recogniser's request to its text on an idle machine. */
const usualRecognitionMs = 400;

/** The models of all test files of this process, which would load them again and speak the same prompts. */
class SharedModels {
  readonly spoken = new Map<string, Promise<Int16Array>>();
  readonly worker: WorkerHandle;
  #users = 0;
  #closing: NodeJS.Timeout | undefined;

  constructor() {
    const installation = findInstallation();
    this.worker = new WorkerHandle({
      name: 'speech of virtual calls',
      url: installation.speechWorker,
      settings: { assetsDir: speechAssets(installation) },
      clock: systemClock,
      idleMs: 5 * 60_000,
      log: (level, message) => {
        if (level === 'error') console.error(message);
      },
    });
  }

  take(): void {
    clearTimeout(this.#closing);
    this.#users += 1;
  }

  /** Closes the models if no test file takes them soon. */
  release(): void {
    this.#users -= 1;
    if (this.#users === 0)
      this.#closing = setTimeout(() => {
        shared = undefined;
        void this.worker.close();
      }, nextFileMs);
  }
}
/** Longer than loading a test file takes. */
const nextFileMs = 1000;
let shared: SharedModels | undefined;

export interface VirtualCall {
  readonly target: string;
  /** One for each IVR that answers. */
  readonly targets: readonly string[];
  readonly agent: SipAgent;
  readonly dialer: Dialer;
  readonly clock: VirtualClock;
}

/**
 * Real calls to practice IVRs, in virtual time: real voices, SIP and RTP between two agents, and voice activity from
 * the real model. The network is in memory, time passes when everything waits, and recognitions come from a recording
 * (`RecordedRecognitions`). A call takes a moment, and goes the same way every time on every machine.
 */
export class VirtualCalls {
  readonly #models: SharedModels;
  readonly #recording: RecordedRecognitions;
  readonly #recorded: SpeechWorker;
  static #streams = 0;

  private constructor(models: SharedModels, recording: RecordedRecognitions) {
    this.#models = models;
    this.#recording = recording;
    this.#recorded = recording.over(models.worker);
  }

  /** `recording` names the file with its recognitions; for `scratch`, see `RecordedRecognitions.open`. */
  static async open(recording: string, scratch = false): Promise<VirtualCalls> {
    const opened = await RecordedRecognitions.open(recording, scratch);
    shared ??= new SharedModels();
    shared.take();
    return new VirtualCalls(shared, opened);
  }

  /** Answers with this IVR, or these, while `work` runs, on a separate network and clock. */
  async to<Result>(
    ivr: IvrSource | string | readonly IvrSource[],
    work: (call: VirtualCall) => Promise<Result>,
    { network, recognitionMs = usualRecognitionMs, onCall = (leg) => leg, ...options }: VirtualCallsOptions = {},
  ): Promise<Result> {
    const sources = typeof ivr === 'string' ? [await loadIvr(ivr)] : 'ivr' in ivr ? [ivr] : ivr;
    const clock = new VirtualClock();
    const worker = this.#workerOn(clock, recognitionMs);
    const speech = speechEngineOn({
      voice: worker,
      listener: worker,
      recognisers: [worker],
      linguist: worker,
      log: (level, message) => {
        if (level === 'error') console.error(message);
      },
    });
    const link = network?.(clock) ?? new TelephonyLink(clock);
    const [caller, callee] = [link.agent('10.0.0.1'), link.agent('10.0.0.2')];
    const faults: unknown[] = [];
    const answering: SipAgent = {
      address: callee.address,
      call: (...call) => callee.call(...call),
      options: (...ping) => callee.options(...ping),
      register: (...registration) => callee.register(...registration),
      close: () => callee.close(),
      onCall: (answer) =>
        callee.onCall((leg) => {
          const answered = onCall(leg, clock);
          if (answered) answer(answered);
        }),
    };
    const { targets } = answerCalls(answering, sources, {
      ...options,
      speech,
      clock,
      onError: (_ivr, error) => faults.push(error),
    });
    try {
      const target = targets[0]?.uri ?? '';
      const result = await clock.run(
        work({
          target,
          targets: targets.map(({ uri }) => uri),
          agent: caller,
          clock,
          dialer: createDialer({ agent: caller, speech, clock }),
        }),
      );
      if (faults.length > 0) throw new AggregateError(faults, 'The practice IVR failed.');
      return result;
    } finally {
      await clock.run(Promise.all([caller.close(), callee.close()]));
      await speech.close();
    }
  }

  /** Returns a text spoken like the practice IVR speaks it: 8 kHz, 16 bit, mono. */
  async speak(text: string, voice: string): Promise<Int16Array> {
    return this.#models.worker.start('speak', { text, voice }).result;
  }

  /** Lets the models go. Returns what is wrong with the recording. */
  async close(): Promise<readonly string[]> {
    this.#models.release();
    return await this.#recording.close();
  }

  /** Wraps the models for this clock, with its own audio streams. */
  #workerOn(clock: VirtualClock, recognitionMs: number): SpeechWorker {
    const streams = (VirtualCalls.#streams += 1_000_000);
    return {
      running: true,
      start: (task, input) => ({
        result: this.#answer(task, 'stream' in input ? { ...input, stream: streams + input.stream } : input, {
          clock,
          recognitionMs,
        }),
        abandon: () => undefined,
      }),
      close: () => Promise.resolve(),
    };
  }

  async #answer<Name extends TaskName>(
    task: Name,
    input: WorkerTasks[Name]['request'],
    { clock, recognitionMs }: { readonly clock: VirtualClock; readonly recognitionMs: number },
  ): Promise<WorkerTasks[Name]['result']> {
    const ask = (): Promise<WorkerTasks[Name]['result']> => this.#recorded.start(task, input).result;
    if (task === 'speak') {
      const key = JSON.stringify(input);
      const { spoken } = this.#models;
      const audio = spoken.get(key) ?? (ask() as Promise<Int16Array>);
      spoken.set(key, audio);
      return clock.hold(audio);
    }
    const answer = await clock.hold(ask());
    if (task === 'recognise' || task === 'lean') await sleep(clock, recognitionMs);
    return answer;
  }
}
