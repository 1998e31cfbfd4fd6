import assert from 'node:assert/strict';
import { describeHangUp } from '../../../../src/engine/call/hangUp.ts';
import type { CallEnd } from '../../../../src/telephony/call.ts';

const end = (kind: CallEnd['kind'], by: CallEnd['by'] = 'remote', rest: Partial<CallEnd> = {}): CallEnd => ({
  kind,
  by,
  reason: '',
  ...rest,
});

describe("engine: a call's end in a sentence", () => {
  for (const [ended, sentence] of [
    [
      describeHangUp(end('hangup'), 'Thank you. Goodbye.', 12_340),
      'The other side hung up 12.3 s into the call after “Thank you. Goodbye”.',
    ],
    [
      describeHangUp(end('hangup', 'remote', { q850: 16 }), '', 1000),
      'The other side hung up 1.0 s into the call (Q.850 cause 16, normal clearing).',
    ],
    [describeHangUp(end('hangup', 'remote', { q850: 99 })), 'The other side hung up (Q.850 cause 99).'],
    [describeHangUp(end('hangup', 'local'), 'Goodbye', 2000), 'Dialtree hung up 2.0 s into the call after “Goodbye”.'],
    [
      describeHangUp(end('busy', 'remote', { status: 486, q850: 17 })),
      'The number was busy (SIP 486; Q.850 cause 17, the line is busy). Try again later, or with fewer simultaneous calls.',
    ],
    [
      describeHangUp(end('hangup', 'remote', { transferTo: 'sip:agents@10.0.0.9' }), '', 1000),
      "The call was transferred by REFER to sip:agents@10.0.0.9, which Dialtree doesn't follow. The other side hung up 1.0 s into the call.",
    ],
    [
      describeHangUp(end('hangup', 'remote', { lostAckTo: '10.0.0.9:5070' }), '', 8200),
      "The other side hung up 8.2 s into the call. It had repeated its answer, because the ACK to 10.0.0.9:5070 didn't arrive. Check the Contact address that the called side gives.",
    ],
    [
      describeHangUp(end('hangup', 'remote', { sessionTimer: 'Session-Expires: 90' }), '', 90_000),
      "The other side hung up 90.0 s into the call. The call's session timer ran out (Session-Expires: 90). Check that requests within a call reach the called side, or turn session timers off there.",
    ],
    [
      describeHangUp(end('protocol', 'local', { sessionTimer: 'Session-Expires: 90' })),
      "Dialtree ended the call, because its session wasn't refreshed. The call's session timer ran out (Session-Expires: 90). Check that requests within a call reach the called side, or turn session timers off there.",
    ],
    [
      describeHangUp(end('rejected', 'remote', { status: 503 })),
      'The call was refused (SIP 503). Try again later, or with fewer simultaneous calls. If this continues, ask the carrier.',
    ],
    [
      describeHangUp(end('rejected', 'remote', { status: 500, q850: 28 })),
      'The call was refused (SIP 500; Q.850 cause 28, the number is incomplete). The number is incomplete: give all digits, as the trunk expects them.',
    ],
  ] as const)
    it(sentence, () => assert.equal(ended.sentence, sentence));
});
