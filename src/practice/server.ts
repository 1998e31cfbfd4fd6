import path from 'node:path';
import { HumanError } from '../contract/errors.ts';
import { ivrSlug, type IvrFile } from '../contract/ivrFile.ts';
import type { IvrPrompt } from '../contract/ivrPrompt.ts';
import type { SpeechEngine } from '../speech/ear.ts';
import { startSipAgent } from '../telephony/agent.ts';
import type { CallLeg, IncomingCallLeg, RegisterOptions, RegistrationState, SipAgent } from '../telephony/call.ts';
import { isLoopback } from '../base/loopback.ts';
import { inTime, sleep, systemClock, type Clock } from '../base/clock.ts';
import { impairmentOf } from './faults.ts';
import { followFile, type Played } from './followFile.ts';
import { spokenTexts, type IvrSource } from './ivrSource.ts';
import { PracticeRegistry, type RunningIvr } from './registry.ts';
import { IvrSession, type EndSound, type SessionEvent, type SessionCall } from './session.ts';
import { soundEdges } from '../speech/promptMatcher.ts';
import { endSoundOf } from './sounds.ts';

export interface PracticeTarget {
  readonly name: string;
  readonly number?: string | undefined;
  readonly uri: string;
  readonly file: string;
}

export interface PracticeServer {
  readonly host: string;
  readonly port: number;
  readonly targets: readonly PracticeTarget[];
  close(): Promise<void>;
}

export interface PracticeOptions {
  readonly host?: string;
  /** An address of the other IP family, for a line there. */
  readonly otherHost?: string;
  /** 0 picks a free one. */
  readonly port?: number;
  /** With port 0, takes the port that the first file had last, if it is free, so that its address stays the same. */
  readonly keepsAddress?: boolean;
  readonly speech: SpeechEngine;
  /** Where the server is registered. Default: the registry of this user. */
  readonly registry?: PracticeRegistry;
  /** Synthesises all prompts before the first call, so that none waits for a voice. Default: in the background. */
  readonly speakFirst?: boolean;
  /** Registers this line, whose calls the first IVR answers. All other calls must come from this machine. */
  readonly line?: {
    readonly name: string;
    readonly options: RegisterOptions;
    readonly onChange: (state: RegistrationState) => void;
  };
  readonly clock?: Clock;
  /** Local time, for `hours`. */
  readonly timeOfDay?: () => Date;
  readonly onEvent?: (ivr: string, event: SessionEvent) => void;
  /** A call was hung up because it couldn't continue (a prompt couldn't be synthesised). */
  readonly onError?: (ivr: string, error: unknown) => void;
  /** Reads a file again at the first call after it changed. Default: calls hear the IVR as it was given. */
  readonly reload?: (file: string) => Promise<IvrSource>;
  /** A changed file can't be played, so calls hear its last valid version. Called once for each problem. */
  readonly onStale?: (problem: string) => void;
}

/** Answers calls for these IVRs by the user part of the request URI: the number, the name's slug or the file's stem. */
export async function startPractice(sources: readonly IvrSource[], options: PracticeOptions): Promise<PracticeServer> {
  const host = options.host ?? '127.0.0.1';
  const clock = options.clock ?? systemClock;
  const port = options.port ?? 5070;
  const { onError } = options;
  // A name that two of them share is reported before a port is opened.
  usersOf(sources);
  const played = follow(sources, options);
  await checkVoices(sources, options.speech);
  const listen = (at: number): Promise<SipAgent> =>
    startSipAgent({
      host,
      ...(options.otherHost !== undefined && { otherHost: options.otherHost }),
      port: at,
      listenTcp: true,
      clock,
      ...(onError && {
        onFault: (error: unknown) =>
          onError(sources.length === 1 ? (sources[0]?.ivr.name ?? '') : 'A practice IVR', error),
      }),
    });
  const { registry = new PracticeRegistry() } = options;
  const kept = options.keepsAddress === true && port === 0 ? registry.lastPortOf(sources[0]?.file ?? '') : undefined;
  const agent = await listen(kept ?? port)
    .catch((cause: unknown) => (kept === undefined ? Promise.reject(cause as Error) : listen(port)))
    .catch((cause: unknown) => {
      throw cannotListen(cause, host, port);
    });
  const { line } = options;
  const shownHost = host.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^::$/, '::1');
  const { targets, spoken } = answerCalls(agent, sources, { ...options, host: shownHost }, played);
  const withdraw = await announced(agent, registry, targets);
  if (options.speakFirst) await spoken;
  if (line) agent.register(line.name, line.options, line.onChange);
  return {
    host: shownHost,
    port: agent.address.port,
    targets,
    // First, so that another program on the port doesn't count as Dialtree.
    close: () => {
      withdraw();
      return agent.close();
    },
  };
}

/** Answers the calls to this agent. `spoken` settles once every prompt has been synthesised. */
export function answerCalls(
  agent: SipAgent,
  sources: readonly IvrSource[],
  options: PracticeOptions,
  played = follow(sources, options),
): { readonly targets: readonly PracticeTarget[]; readonly spoken: Promise<void> } {
  const { clock = systemClock, host = agent.address.host, onError } = options;
  const byUser = usersOf(sources);
  agent.onCall((leg) => {
    const user = userOf(leg.requestUri);
    const only = sources.length === 1 || leg.line !== undefined ? sources[0] : undefined;
    const source = byUser.get(user) ?? byUser.get(ivrSlug(user)) ?? only;
    const isMeant = !options.line || leg.line !== undefined || isLoopback(leg.peerHost);
    const version = source && isMeant && played.get(source)?.();
    if (!version) {
      leg.reject(404, 'Not Found');
      return;
    }
    if (version instanceof Promise) leg.ring();
    answer(leg, version, { options, clock }).catch((error: unknown) => {
      onError?.(source.ivr.name, error);
      void leg.hangup();
    });
  });
  const authority = `${host.includes(':') ? `[${host}]` : host}:${String(agent.address.port)}`;
  return {
    targets: sources.map(({ ivr, file }) => ({
      name: ivr.name,
      file,
      uri: `sip:${ivrSlug(ivr.name)}@${authority}`,
      number: ivr.number,
    })),
    spoken: prefetch(sources, options.speech),
  };
}

/** Registers this agent's address, or closes the agent if that fails. Returns a function that unregisters it. */
export async function announced(
  agent: SipAgent,
  registry: PracticeRegistry = new PracticeRegistry(),
  ivrs: readonly RunningIvr[] = [],
): Promise<() => void> {
  try {
    return registry.announce(agent.address, ivrs);
  } catch (error) {
    await agent.close();
    throw error;
  }
}

/** Returns the user part without its parameters (RFC 3261 section 19.1.1). Invalid escapes stay as they are. */
function userOf(uri: string): string {
  const user = /^sips?:([^@;?]*)(?:;[^@]*)?@/i.exec(uri)?.[1] ?? '';
  try {
    return decodeURIComponent(user).toLowerCase();
  } catch {
    return user.toLowerCase();
  }
}

export function cannotListen(cause: unknown, host: string, port: number): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new HumanError(
      `Port ${String(port)} on ${host} is in use. Stop the program that uses it, or choose another port with --port (0 picks a free one).`,
      { status: 409, code: 'port_in_use', cause },
    );
  }
  if (
    code === 'EADDRNOTAVAIL' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'EACCES' ||
    code === 'EINVAL'
  ) {
    return new HumanError(
      `Couldn't listen on ${host}, port ${String(port)} (${code}). Give an address of this machine with --host, such as 127.0.0.1, and a port of 1024 or more.`,
      { status: 409, code: 'cannot_listen', cause },
    );
  }
  return cause;
}

function usersOf(sources: readonly IvrSource[]): Map<string, IvrSource> {
  const byUser = new Map<string, IvrSource>();
  for (const source of sources) {
    const { name, number } = source.ivr;
    const clash = number === undefined ? byUser.get(ivrSlug(name)) : (byUser.get(number) ?? byUser.get(ivrSlug(name)));
    if (clash)
      throw new HumanError(`${source.file} and ${clash.file} have the same name or number. Change one of them.`, {
        status: 409,
        code: 'ivr_duplicate',
      });
    byUser.set(ivrSlug(name), source);
    if (number !== undefined) byUser.set(number, source);
  }
  // Second, so that a file's name never takes the name of another IVR.
  for (const source of sources) {
    const stem = path
      .basename(source.file)
      .replace(/(\.ivr)?\.json$/, '')
      .toLowerCase();
    if (!byUser.has(stem)) byUser.set(stem, source);
  }
  return byUser;
}

export async function checkVoices(sources: readonly IvrSource[], speech: SpeechEngine): Promise<void> {
  for (const { ivr, file } of sources) {
    if (ivr.voice !== undefined && !speech.voices.includes(ivr.voice)) {
      throw new HumanError(
        `${file}: the voice "${ivr.voice}" doesn't exist. Choose one of ${speech.voices.join(', ')}.`,
        {
          status: 400,
          code: 'ivr_voice',
        },
      );
    }
  }
  const [first] = sources;
  // One short word shows that the voice's files exist, before a caller hears silence.
  if (first) await speech.speak('Welcome.', first.ivr.voice);
}

/**
 * Synthesises every prompt ahead, so that a call's timing doesn't depend on the synthesiser. A failure occurs again,
 * and is reported, when the prompt is played.
 */
async function prefetch(sources: readonly IvrSource[], speech: SpeechEngine): Promise<void> {
  try {
    for (const { ivr } of sources) for (const text of spokenTexts(ivr)) await speech.speak(text, ivr.voice);
  } catch {
    // Reported when the prompt is played.
  }
}

function follow(sources: readonly IvrSource[], options: PracticeOptions): Map<IvrSource, () => Played> {
  const { reload, onStale } = options;
  const loaderOf = ({ file }: IvrSource) => reload && (() => loadAgain(() => reload(file), options));
  return new Map(sources.map((source) => [source, followFile(source, loaderOf(source), onStale)]));
}

/** Resolves when a changed IVR can be played. Prompts that take longer are synthesised when they are played. */
async function loadAgain(read: () => Promise<IvrSource>, { speech, clock = systemClock }: PracticeOptions) {
  // A file that is being saved can be missing or cut short for a moment.
  const source = await read().catch(() => sleep(clock, 300).then(read));
  await checkVoices([source], speech);
  await inTime(clock, 10_000, prefetch([source], speech), new Error('late')).catch(() => undefined);
  return source;
}

interface CallContext {
  readonly options: Pick<PracticeOptions, 'host' | 'speech' | 'timeOfDay' | 'onEvent'>;
  readonly clock: Clock;
}

/** The caller hears the last words of an announcement this much later. */
const jitterBufferMs = 200;

async function answer(leg: IncomingCallLeg, played: Played, { options, clock }: CallContext): Promise<void> {
  const version = await played;
  const { source, random } = version;
  const { announcement, answerAfterMs, earlyMedia, faults } = source.ivr;
  const isRejected = random() < faults.rejectRate;
  const line = lineOn(leg, source, options.speech);
  if (announcement !== undefined) {
    leg.ring(183);
    await line.play(announcement);
    await sleep(clock, jitterBufferMs);
  }
  if (isRejected) {
    leg.reject(faults.rejectWith);
    return;
  }
  if (answerAfterMs > 0) {
    leg.ring(earlyMedia ? 183 : 180);
    if (earlyMedia) line.sound('ringback');
    await sleep(clock, answerAfterMs);
    line.stop();
  }
  if (leg.state === 'ended') return;
  const run = sessionOn(leg, source, { options, clock });
  const impairRtp = impairmentOf(faults, random, clock);
  leg.answer(impairRtp ? { impairRtp } : {});
  await run(version.answered++);
}

/** Connects a session to a leg. The returned function plays it, once the call is answered. */
export function sessionOn(
  leg: CallLeg,
  source: IvrSource,
  { options, clock }: CallContext,
): (callsBefore?: number) => Promise<void> {
  const { ivr } = source;
  const session = new IvrSession(ivr, lineOn(leg, source, options.speech), clock, (event) =>
    options.onEvent?.(ivr.name, event),
  );
  const ear = Object.values(ivr.states).some((state) => state.speech) ? options.speech.openEar() : undefined;
  ear?.listen((event) => {
    try {
      if (event.type === 'speechStart') session.speaking();
      else if (event.type === 'utterance') session.phrase(event.utterance.text);
    } catch (error) {
      leg.fail(error);
    }
  });
  leg.listen((event) => {
    if (event.type === 'digit') session.key(event.digit);
    else if (event.type === 'audio') ear?.push(event.frame.pcm);
    else if (event.type === 'ended') {
      ear?.close();
      session.ended();
    }
  });
  return async (callsBefore = 0) => {
    const { dropCallAfterMs } = ivr.faults;
    if (dropCallAfterMs !== null) void sleep(clock, dropCallAfterMs).then(() => leg.hangup());
    const facts = { caller: userOf(leg.remoteUri), callsBefore };
    await session.run(startAt(ivr, options.timeOfDay?.() ?? new Date()), facts);
  };
}

/**
 * Returns the first state of a call at this local time. A range that ends before it begins includes midnight; one that
 * ends where it begins lasts all day.
 */
export function startAt(ivr: IvrFile, now: Date): string {
  const time = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`;
  const variant = ivr.hours.find(({ from, to }) => (from < to ? time >= from && time < to : time >= from || time < to));
  return variant?.start ?? ivr.start;
}

/** A soft consonant at the beginning of a word is quieter than what counts as sound. */
const softOnsetMs = 30;

/** Replaces the silence at the beginning of a prompt (8 kHz) by this much. */
function withLead(pcm: Int16Array, leadMs: number): Int16Array {
  const sound = pcm.subarray(Math.round(Math.max(0, soundEdges(pcm).firstMs - softOnsetMs) * 8));
  const led = new Int16Array(leadMs * 8 + sound.length);
  led.set(sound, leadMs * 8);
  return led;
}

function lineOn(leg: CallLeg, source: IvrSource, speech: SpeechEngine): SessionCall {
  let stops = 0;
  const { voice, leadMs } = source.ivr;
  const pcmOf = async (prompt: IvrPrompt): Promise<Int16Array> => {
    const pcm =
      typeof prompt === 'string'
        ? await speech.speak(prompt, voice)
        : (source.recordings.get(prompt.wav) ?? new Int16Array(0));
    return leadMs === undefined ? pcm : withLead(pcm, leadMs);
  };
  return {
    async play(prompt) {
      const before = stops;
      const pcm = await pcmOf(prompt);
      if (stops === before) await leg.play(pcm);
    },
    sound(sound: EndSound, wav?: string) {
      const before = stops;
      const pcm = wav === undefined ? endSoundOf(sound) : (source.recordings.get(wav) ?? new Int16Array(0));
      // An empty recording would repeat without a pause.
      if (pcm.length === 0) return;
      void (async () => {
        while ((await leg.play(pcm)) === 'played' && sound !== 'beep' && stops === before);
      })();
    },
    stop() {
      stops += 1;
      leg.clearAudio();
    },
    hangUp() {
      stops += 1;
      void leg.hangup();
    },
  };
}
