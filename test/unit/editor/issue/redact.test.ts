import assert from 'node:assert/strict';
import { redact } from '../../../../src/editor/issue/redact.ts';

const known = {
  folders: [
    ['/home/ann', '~'],
    ['/home/ann/work/bank-ivr', '<workspace>'],
  ] as const,
  names: ['trunk.bank.example', 'hunter2-model', 'ann', '', 'pa"ss\\1!'],
};

describe('redacted text', () => {
  for (const [text, left] of [
    ['No route leads to +12025550101.', 'No route leads to [redacted].'],
    ['calls 0049 30 1234567, then (030) 123-4567', 'calls [redacted], then [redacted]'],
    ['card 4111 1111 1111 1111 was heard', 'card [redacted] was heard'],
    ['sent [keys 4711#]', 'sent [keys redacted]'],
    ['INVITE sip:+12025550101@10.1.2.3:5060;transport=udp refused', 'INVITE sip:[redacted];transport=udp refused'],
    ['sips:alice@pbx.example.org', 'sips:[redacted]'],
    ['key dt_abcd1234_Zz09aa refused', 'key dt_abcd1234_[redacted] refused'],
    ['Authorization: Bearer abc.def', 'Authorization: [redacted]'],
    ['sk-ant-api03-0123456789abcdef', 'sk-[redacted]'],
    ['{"password":"hunter2","pin": 4711}', '{"password":[redacted],"pin": [redacted]}'],
    ['{"password":"two words","line":"x"}', '{"password":[redacted],"line":"x"}'],
    ['DIALTREE_LINE_PASSWORD_MAIN=hunter2', 'DIALTREE_LINE_PASSWORD_MAIN=[redacted]'],
    [
      'pa"ss\\1!x is {"it":"pa\\"ss\\\\1!"} and ?it=pa%22ss%5C1!',
      '[redacted]x is {"it":"[redacted]"} and ?it=[redacted]',
    ],
    ['GET https://user:pw@service.example.com/v1/runs?key=1 failed', 'GET https://[redacted] failed'],
    ['GET http://127.0.0.1:4711/v1/runs failed', 'GET http://127.0.0.1:4711/v1/runs failed'],
    ['connect ECONNREFUSED 192.168.7.20:5060', 'connect ECONNREFUSED [redacted]:5060'],
    ['connect ECONNREFUSED 2001:db8::17', 'connect ECONNREFUSED [redacted]'],
    ['trunk.bank.example does not answer, nor does HUNTER2-model', '[redacted] does not answer, nor does [redacted]'],
    ['write to jo.smith@bank.example', 'write to [redacted]'],
    ['at open (/home/ann/work/bank-ivr/a.json:3:7)', 'at open (<workspace>/a.json:3:7)'],
    ['at /home/ann/.vscode/x.js and /home/bob/y.js', 'at ~/.vscode/x.js and /home/[redacted]/y.js'],
    [String.raw`C:\Users\Bob\AppData\x.log`, String.raw`C:\Users\[redacted]\AppData\x.log`],
    ['an annex of anna', 'an annex of anna'],
    [
      '2026-11-21T10:00:33.123Z info  Code 486, 3 calls in 12 s, at service.js:120:15, version 1.105.0',
      '2026-11-21T10:00:33.123Z info  Code 486, 3 calls in 12 s, at service.js:120:15, version 1.105.0',
    ],
    ['run 3f0c9a52-7f0e-4c53-9c1b-0a8f5f6d7e88 ended', 'run 3f0c9a52-7f0e-4c53-9c1b-0a8f5f6d7e88 ended'],
  ] as const) {
    it(`for “${text}” is “${left}”`, () => assert.equal(redact(text, known), left));
  }
});
