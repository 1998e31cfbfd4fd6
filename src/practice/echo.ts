import { startSipAgent } from '../telephony/agent.ts';
import type { SipAgentOptions } from '../telephony/call.ts';
import type { PracticeRegistry } from './registry.ts';
import { announced, cannotListen } from './server.ts';

export interface EchoServer {
  readonly host: string;
  readonly port: number;
  /** Any name and number is answered; this is an example. */
  readonly uri: string;
  close(): Promise<void>;
}

/**
 * Answers every call and returns all audio that it receives, frame by frame. With `challenge`, only callers with the
 * password are answered.
 */
export async function startEcho({
  host = '127.0.0.1',
  port = 5070,
  challenge,
  registry,
}: Partial<Pick<SipAgentOptions, 'host' | 'port' | 'challenge'>> & {
  readonly registry?: PracticeRegistry;
}): Promise<EchoServer> {
  const agent = await startSipAgent({ host, port, listenTcp: true, ...(challenge && { challenge }) }).catch(
    (cause: unknown) => {
      throw cannotListen(cause, host, port);
    },
  );
  const withdraw = await announced(agent, registry);
  agent.onCall((leg) => {
    leg.listen((event) => {
      if (event.type === 'audio') void leg.play(event.frame.pcm);
    });
    leg.answer();
  });
  return {
    host,
    port: agent.address.port,
    uri: `sip:echo@${host.includes(':') ? `[${host}]` : host}:${String(agent.address.port)}`,
    close: () => {
      withdraw();
      return agent.close();
    },
  };
}
