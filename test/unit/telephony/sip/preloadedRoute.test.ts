import assert from 'node:assert/strict';
import { routeOutside } from '../../../../src/telephony/sip/preloadedRoute.ts';
import type { UserAgent } from '../../../../src/telephony/sip/userAgent.ts';

describe('the Service-Route of a line', () => {
  /** Returns the URI whose host receives a request of the line. */
  const leave = async (target: string, serviceRoute: string, outboundProxy?: string): Promise<string> => {
    let nextHop = '';
    const userAgent = { servers: (uri: string) => Promise.resolve(void (nextHop = uri)) } as unknown as UserAgent;
    const line = { serviceRoute: [serviceRoute], at: <Hop>(hop: Hop) => hop };
    await routeOutside(userAgent, target, outboundProxy === undefined ? {} : { outboundProxy }, line);
    return nextHop;
  };

  it('uses the transport of the line unless it names one', async () => {
    const tls = 'sip:1@pbx.example;transport=tls';
    assert.equal(await leave(tls, '<sip:edge.example;lr>'), 'sip:edge.example;lr;transport=tls');
    assert.equal(await leave(tls, '<sip:edge.example;lr?a=b>'), 'sip:edge.example;lr;transport=tls');
    assert.equal(await leave('sip:1@pbx.example', '<sip:edge.example;lr>'), 'sip:edge.example;lr');
    assert.equal(await leave(tls, '<sips:edge.example;lr>'), 'sips:edge.example;lr');
    const proxied = await leave('sip:1@pbx.example', '<sip:edge.example;lr>', 'sip:edge.example;transport=tls;lr');
    assert.equal(proxied, 'sip:edge.example;lr;transport=tls');
  });

  it("doesn't lead a line off TLS, where its keys are readable", async () => {
    for (const route of ['<sip:edge.example;transport=udp;lr>', '<sip:edge.example;transport=tcp;lr>'])
      await assert.rejects(leave('sip:1@pbx.example;transport=tls', route), /leads off TLS/);
  });
});
