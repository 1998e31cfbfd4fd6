import { startSipAgent } from '../../src/telephony/agent.ts';
import type { NatSettings } from '../../src/telephony/call.ts';

/** What a caller in another namespace reports; the process prints it as JSON. */
export interface NatCall {
  readonly invite: string;
  readonly heardLoudFrames: number;
  readonly end: string;
}

/** Places one call, plays a tone all the time, and waits until the other side, or after `seconds` this side, hangs up. */
const [uri = '', settings = '{}', seconds = '60'] = process.argv.slice(2);
const agent = await startSipAgent({ host: '0.0.0.0' });
const leg = agent.call(uri, { nat: JSON.parse(settings) as NatSettings });
const tone = Int16Array.from({ length: 8000 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 440 * i) / 8000));
let heardLoudFrames = 0;
const ended = new Promise<string>((resolve) => {
  leg.listen((event) => {
    if (event.type === 'audio' && event.frame.pcm.some((sample) => Math.abs(sample) > 2000)) heardLoudFrames++;
    if (event.type === 'answered') {
      for (let second = 0; second < 5; second++) void leg.play(tone);
      setTimeout(() => void leg.hangup(), Number(seconds) * 1000).unref();
    }
    if (event.type === 'ended') resolve(`${event.end.by} ${event.end.kind}: ${event.end.reason}`);
  });
});
const end = await ended;
const invite = leg.trace()[0]?.text ?? '';
console.log(JSON.stringify({ invite, heardLoudFrames, end } satisfies NatCall));
await agent.close();
