import { startSipAgent } from '../telephony/agent.ts';
import type { CallEnd, SipAgent } from '../telephony/call.ts';
import { sleep, systemClock } from '../base/clock.ts';
import { spokenTexts, type IvrSource } from './ivrSource.ts';
import { checkVoices, sessionOn, type PracticeOptions } from './server.ts';

interface PracticeCallOptions extends Pick<PracticeOptions, 'speech' | 'clock' | 'timeOfDay' | 'onEvent'> {
  /** Aborting hangs up. */
  readonly signal?: AbortSignal;
}

/**
 * Calls a SIP URI of this machine and plays the IVR to the called party, like the dialler of a campaign. `answerAfterMs`
 * is the time from the answer to its first word. Resolves with the end of the call. Rejects and hangs up if a prompt
 * can't be synthesised.
 */
export async function placePracticeCall(
  uri: string,
  source: IvrSource,
  options: PracticeCallOptions,
): Promise<CallEnd> {
  const { speech } = options;
  await checkVoices([source], speech);
  for (const text of spokenTexts(source.ivr)) await speech.speak(text, source.ivr.voice);
  // Packets from this address don't leave the machine.
  const agent = await startSipAgent({ host: '127.0.0.1' });
  try {
    return await callAndPlay(agent, uri, source, options);
  } finally {
    await agent.close();
  }
}

function callAndPlay(
  agent: SipAgent,
  uri: string,
  source: IvrSource,
  { clock = systemClock, signal, ...options }: PracticeCallOptions,
): Promise<CallEnd> {
  const leg = agent.call(uri, signal ? { signal } : {});
  const play = sessionOn(leg, source, { options, clock });
  return new Promise((resolve, reject) => {
    leg.listen((event) => {
      if (event.type === 'ended') resolve(event.end);
      if (event.type !== 'answered') return;
      sleep(clock, source.ivr.answerAfterMs)
        .then(() => play())
        .catch((cause: unknown) => reject(new Error("The call couldn't go on.", { cause })));
    });
  });
}
