import type { Clock } from '../../base/clock.ts';
import { lineTransportSchema, type Line } from '../../contract/lines.ts';
import { addressOf, pingAddressOf } from '../../model/calls/linePlan.ts';
import type { CallerAccount, PingAnswer, RegistrationState, SipAgent } from '../../telephony/call.ts';
import { accountOf } from './lineAccount.ts';
import { LineRegistrations } from './lineRegistrations.ts';
import type { LineFindings } from './lineWords.ts';

/** For the response to OPTIONS. */
const firstMs = 5000;
/** For an answer over another transport. Together, a check takes less than 10 s. */
const otherMs = 2500;

/**
 * Finds out whether the called side answers, accepts the registration of a line that registers, and, if nothing answers,
 * whether it does over another transport. `known` is a registration of this line that exists already: a second one
 * could end it, because many PBXs accept one device only.
 */
export async function examineLine(
  agent: Pick<SipAgent, 'options' | 'register'>,
  line: Line,
  account: CallerAccount,
  { clock, known }: { readonly clock: Clock; readonly known?: RegistrationState | undefined },
): Promise<{ readonly answer: PingAnswer; readonly findings: LineFindings }> {
  const { line: _line, ...anyone } = account;
  const canRegister = line.register === true && account.credentials !== undefined;
  const [answer, registration] = await Promise.all([
    agent.options(pingAddressOf(line), { ...anyone, timeoutMs: firstMs }),
    known?.state === 'registered' || !canRegister
      ? known
      : new LineRegistrations(() => Promise.resolve(agent), clock).settle(
          'check',
          line,
          account,
          new AbortController().signal,
        ),
  ]);
  if (registration?.state === 'registered')
    return { answer, findings: { registration, registeredSeconds: ((registration.until ?? 0) - clock.now()) / 1000 } };
  const answering = isUnanswered(answer) ? await answeringLine(agent, line) : undefined;
  return { answer, findings: { ...(registration && { registration }), ...(answering && { answering }) } };
}

/** A certificate that isn't accepted belongs to something that answers over TLS. */
const isCertificate = ({ reason }: PingAnswer): boolean => /certificate/.test(reason);
const isUnanswered = (answer: PingAnswer): boolean =>
  answer.failure === 'timeout' ||
  answer.failure === 'refused' ||
  (answer.failure === 'network' && !isCertificate(answer));

/**
 * Returns the first other transport over which something answers, with its address there. The login isn't sent: the
 * other transport can be a less secure one.
 */
async function answeringLine(agent: Pick<SipAgent, 'options'>, line: Line): Promise<LineFindings['answering']> {
  // An address with the default port of one transport means that of the other.
  const place = addressOf(line).replace(/:506[01]$/, '');
  const others = lineTransportSchema.options.filter((transport) => transport !== (line.transport ?? 'udp'));
  const found = others.map(async (transport) => {
    const other: Line = line.kind === 'uri' ? { ...line, uri: place, transport } : { ...line, host: place, transport };
    const answer = await agent.options(pingAddressOf(other), { ...accountOf(other, undefined), timeoutMs: otherMs });
    return answer.failure === undefined || (transport === 'tls' && isCertificate(answer))
      ? { transport, place }
      : undefined;
  });
  return (await Promise.all(found)).find((one) => one !== undefined);
}
