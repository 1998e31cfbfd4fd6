import assert from 'node:assert/strict';
import { SipHeaders } from '../../../../src/telephony/sip/headers.ts';
import { InviteClientTransaction } from '../../../../src/telephony/sip/inviteClientTransaction.ts';
import { InviteServerTransaction } from '../../../../src/telephony/sip/inviteServerTransaction.ts';
import type { SipMessage, SipRequest } from '../../../../src/telephony/sip/message.ts';
import { NonInviteClientTransaction } from '../../../../src/telephony/sip/nonInviteClientTransaction.ts';
import { NonInviteServerTransaction } from '../../../../src/telephony/sip/nonInviteServerTransaction.ts';
import { createResponse } from '../../../../src/telephony/sip/response.ts';
import type { TransactionContext } from '../../../../src/telephony/sip/transaction.ts';
import { TransactionLayer } from '../../../../src/telephony/sip/transactionLayer.ts';
import { ManualClock, settle } from '../../../support/manualClock.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';

function request(method: string): SipRequest {
  const headers = new SipHeaders([
    ['Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1'],
    ['From', '<sip:a@a>;tag=1'],
    ['To', '<sip:b@b>'],
    ['Call-ID', 'c'],
    ['CSeq', `1 ${method}`],
  ]);
  return { kind: 'request', method, uri: 'sip:b@b', headers, body: '' };
}

/** Everything sent, as `time name`. */
function stage(reliable = false): {
  clock: ManualClock;
  sent: string[];
  heard: string[];
  context: TransactionContext;
  user: { onResponse: (r: { status: number }) => void; onFailure: (why?: string) => void };
} {
  const clock = new ManualClock();
  const sent: string[] = [],
    heard: string[] = [];
  const name = (message: SipMessage): string => (message.kind === 'request' ? message.method : String(message.status));
  return {
    clock,
    sent,
    heard,
    context: {
      clock,
      reliable,
      send: (message) => {
        sent.push(`${String(clock.now())} ${name(message)}`);
      },
      onTerminated: () => {
        heard.push(`${String(clock.now())} terminated`);
      },
      onFault: (error) => {
        throw error;
      },
    },
    user: {
      onResponse: ({ status }) => {
        heard.push(`${String(clock.now())} ${String(status)}`);
      },
      onFailure: (why = 'failure') => {
        heard.push(`${String(clock.now())} ${why}`);
      },
    },
  };
}

describe('an INVITE client transaction', () => {
  const start = (reliable = false) => {
    const all = stage(reliable);
    const invite = request('INVITE');
    return { ...all, invite, transaction: new InviteClientTransaction(invite, all.context, all.user) };
  };

  it('doubles timer A, and gives up with timer B after 64·T1', () => {
    const { clock, sent, heard } = start();
    clock.advance(60_000);
    assert.deepEqual(sent, [
      '0 INVITE',
      '500 INVITE',
      '1500 INVITE',
      '3500 INVITE',
      '7500 INVITE',
      '15500 INVITE',
      '31500 INVITE',
    ]);
    assert.deepEqual(heard, ['32000 terminated', '32000 timeout']);
    assert.equal(clock.pending, 0);
  });

  it('stops timers A and B at a provisional response', () => {
    const { clock, sent, heard, invite, transaction } = start();
    clock.advance(600);
    transaction.receive(createResponse(invite, 180));
    clock.advance(100_000);
    assert.deepEqual(sent, ['0 INVITE', '500 INVITE']);
    assert.deepEqual(heard, ['600 180']);
  });

  it('acknowledges a refusal and its repetitions until timer D', () => {
    const { clock, sent, heard, invite, transaction } = start();
    transaction.receive(createResponse(invite, 486));
    clock.advance(1000);
    transaction.receive(createResponse(invite, 486));
    clock.advance(30_999);
    assert.deepEqual(heard, ['0 486']);
    clock.advance(1);
    assert.deepEqual(heard, ['0 486', '32000 terminated']);
    assert.deepEqual(sent, ['0 INVITE', '0 ACK', '1000 ACK']);
  });

  it('passes on each 2xx until timer M (RFC 6026)', () => {
    const { clock, heard, invite, transaction } = start();
    transaction.receive(createResponse(invite, 200, { toTag: 'x' }));
    clock.advance(20_000);
    transaction.receive(createResponse(invite, 200, { toTag: 'y' }));
    transaction.receive(createResponse(invite, 486));
    clock.advance(12_000);
    transaction.receive(createResponse(invite, 200, { toTag: 'y' }));
    assert.deepEqual(heard, ['0 200', '20000 200', '32000 terminated']);
  });

  it('has no timer A and a timer D of zero on a reliable transport', () => {
    const { clock, sent, heard, invite, transaction } = start(true);
    clock.advance(5000);
    transaction.receive(createResponse(invite, 404));
    assert.deepEqual(sent, ['0 INVITE', '5000 ACK']);
    assert.deepEqual([...heard].sort(), ['5000 404', '5000 terminated']);
    assert.equal(clock.pending, 0);
  });

  it('waits 64·T1 for the final response after a CANCEL', () => {
    const { clock, heard, invite, transaction } = start();
    transaction.receive(createResponse(invite, 180));
    transaction.cancelled();
    clock.advance(1000);
    transaction.receive(createResponse(invite, 180));
    clock.advance(31_000);
    assert.deepEqual(heard, ['0 180', '1000 180', '32000 terminated', '32000 timeout']);
  });

  it('reports a transport failure', () => {
    const { heard, transaction } = start();
    transaction.transportFailed();
    assert.deepEqual(heard, ['0 terminated', '0 transport']);
  });
});

describe('a non-INVITE client transaction', () => {
  const start = (reliable = false) => {
    const all = stage(reliable);
    const bye = request('BYE');
    return { ...all, bye, transaction: new NonInviteClientTransaction(bye, all.context, all.user) };
  };

  it('doubles timer E up to T2, and gives up with timer F after 64·T1', () => {
    const { clock, sent, heard } = start();
    clock.advance(60_000);
    assert.deepEqual(
      sent.map((line) => Number(line.split(' ')[0])),
      [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500],
    );
    assert.deepEqual(heard, ['32000 terminated', '32000 timeout']);
  });

  it('uses T2 as timer E in the proceeding state', () => {
    const { clock, sent, bye, transaction } = start();
    clock.advance(100);
    transaction.receive(createResponse(bye, 100));
    clock.advance(9000);
    assert.deepEqual(sent, ['0 BYE', '4100 BYE', '8100 BYE']);
  });

  it('absorbs repeated responses until timer K', () => {
    const { clock, sent, heard, bye, transaction } = start();
    transaction.receive(createResponse(bye, 200));
    transaction.receive(createResponse(bye, 200));
    clock.advance(4999);
    assert.equal(clock.pending, 1);
    clock.advance(1);
    assert.deepEqual(heard, ['0 200', '5000 terminated']);
    assert.deepEqual(sent, ['0 BYE']);
  });

  it('has no timers E and K on a reliable transport', () => {
    const { clock, sent, heard, bye, transaction } = start(true);
    clock.advance(10_000);
    transaction.receive(createResponse(bye, 200));
    assert.deepEqual(sent, ['0 BYE']);
    assert.deepEqual([...heard].sort(), ['10000 200', '10000 terminated']);
  });
});

describe('an INVITE server transaction', () => {
  const start = (reliable = false) => {
    const all = stage(reliable);
    const invite = request('INVITE');
    return {
      ...all,
      invite,
      transaction: new InviteServerTransaction(invite, all.context),
    };
  };

  it('sends 100 after 200 ms and repeats the last provisional response', () => {
    const { clock, sent, invite, transaction } = start();
    clock.advance(1000);
    transaction.receive(invite);
    transaction.respond(180);
    transaction.receive(invite);
    assert.deepEqual(sent, ['200 100', '1000 100', '1000 180', '1000 180']);
  });

  it('repeats a refusal with timer G up to T2, and gives up with timer H', () => {
    const { clock, sent, heard, transaction } = start();
    transaction.respond(486);
    clock.advance(60_000);
    assert.deepEqual(
      sent.map((line) => Number(line.split(' ')[0])),
      [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500],
    );
    assert.deepEqual(heard, ['32000 terminated']);
  });

  it('stops timer G at the ACK, and absorbs further ones until timer I', () => {
    const { clock, sent, heard, invite, transaction } = start();
    transaction.respond(486);
    clock.advance(600);
    transaction.receive(request('ACK'));
    transaction.receive(invite);
    clock.advance(4999);
    assert.deepEqual(heard, []);
    clock.advance(1);
    assert.deepEqual(heard, ['5600 terminated']);
    assert.deepEqual(sent, ['0 486', '500 486']);
  });

  it('leaves repeating a 2xx to the user, and absorbs repeated INVITEs until timer L (RFC 6026)', () => {
    const { clock, sent, heard, invite, transaction } = start();
    transaction.respond(200);
    transaction.receive(invite);
    clock.advance(10_000);
    transaction.respond(200);
    clock.advance(22_000);
    assert.deepEqual(sent, ['0 200', '10000 200']);
    assert.deepEqual(heard, ['32000 terminated']);
  });

  it('has no timer G and a timer I of zero on a reliable transport', () => {
    const { clock, sent, heard, transaction } = start(true);
    transaction.respond(603);
    clock.advance(3000);
    transaction.receive(request('ACK'));
    assert.deepEqual(sent, ['0 603']);
    assert.deepEqual(heard, ['3000 terminated']);
  });
});

describe('a non-INVITE server transaction', () => {
  it('repeats its response until timer J', () => {
    const { clock, sent, heard, context } = stage();
    const bye = request('BYE');
    const transaction = new NonInviteServerTransaction(bye, context);
    transaction.receive();
    transaction.respond(200);
    clock.advance(31_999);
    transaction.receive();
    clock.advance(1);
    transaction.receive();
    assert.deepEqual(sent, ['0 200', '31999 200']);
    assert.deepEqual(heard, ['32000 terminated']);
  });

  it('has a timer J of zero on a reliable transport', () => {
    const { heard, context } = stage(true);
    const bye = request('BYE');
    new NonInviteServerTransaction(bye, context).respond(200);
    assert.deepEqual(heard, ['0 terminated']);
  });
});

describe('the transaction layer', () => {
  it('leaves no timer behind when it is closed, not even for later transactions', async () => {
    const { clock, heard, user } = stage();
    const layer = new TransactionLayer(new TelephonyLink(clock).transport('192.0.2.1', 5060), clock, {
      onRequest: () => undefined,
      onWire: () => undefined,
      onFault: (error) => {
        throw error;
      },
    });
    const peer = { host: '192.0.2.2', port: 5060 },
      local = { protocol: 'UDP', host: '192.0.2.1', port: 5060 } as const;
    layer.startRequest(request('BYE'), peer, local, user);
    layer.close();
    clock.advance(10);
    assert.deepEqual([heard, clock.pending], [[], 0]);
    layer.startRequest(request('BYE'), peer, local, user);
    layer.startInvite(request('INVITE'), peer, local, user);
    await settle();
    clock.advance(10);
    assert.deepEqual([heard, clock.pending], [['10 transport', '10 transport'], 0]);
  });
});
