import assert from 'node:assert/strict';
import type { ExpectedEnd } from '../../../../src/contract/testConfigs.ts';
import type { ActiveCallEvent } from '../../../../src/engine/call/activeCall.ts';
import { endingSince, endOfCall, endSentences, isOurs } from '../../../../src/engine/hearing/callEnding.ts';
import { CallLog } from '../../../../src/engine/hearing/callLog.ts';
import { HeardSince } from '../../../../src/engine/hearing/listen.ts';
import { patience } from '../../../../src/engine/hearing/patience.ts';
import { began, ScriptedCallAudio, hungUp, paused, sounded, understood } from '../../../support/heardTalk.ts';
import { ManualClock } from '../../../support/manualClock.ts';

/** The end of speech in these tests. */
const saidMs = 2000;
const says = (text: string): ActiveCallEvent[] => [began(100), paused(saidMs), understood(text, 100, saidMs)];

/** Returns the state of a call at `heardMs` with these events, for a caller who expects this end. */
function ending(
  events: readonly ActiveCallEvent[],
  expected: ExpectedEnd = 'hangup',
  heardMs = saidMs + 100,
  patienceMs?: number,
): ReturnType<typeof endingSince> {
  const heard = new ScriptedCallAudio();
  heard.heardMs = heardMs;
  const log = new CallLog(heard.talk, new ManualClock(), () => undefined);
  heard.tell(...events);
  log.quietMs(0);
  return endingSince(new HeardSince(log, 0), expected, patienceMs);
}

describe('engine: how a call continues', () => {
  it('takes its name from a tone or music', () => {
    assert.equal(ending([sounded('ringback', 500)]), 'transfer-ringback');
    assert.equal(ending([sounded('busy', 500)]), 'busy');
    assert.equal(ending([sounded('fax', 500)]), 'fax');
    assert.equal(ending([sounded('dial', 500)]), 'dead-air');
    assert.equal(ending([sounded('music', 500)]), 'hold-music');
    assert.equal(ending([sounded('sit', 500)]), undefined);
  });

  it('counts as a voicemail if a beep follows words', () => {
    assert.equal(ending([...says('Please leave a message.'), sounded('beep', 2000)]), 'voicemail');
    assert.equal(ending([sounded('beep', 500)]), undefined);
    const recorded = [...says('This call is being recorded.'), sounded('beep', 2100)];
    assert.equal(ending(recorded, 'voicemail'), undefined, 'words can follow');
    assert.equal(ending(recorded, 'hangup', saidMs + patience.deadAir.crawl), 'voicemail', 'nothing follows');
    assert.equal(ending([...recorded, hungUp(3000)], 'voicemail'), 'hangup');
    assert.equal(ending([...recorded, hungUp(5000)], 'voicemail'), 'voicemail');
    assert.equal(ending([...says('Please wait.'), sounded('sit', 2000)]), undefined);
  });

  it('depends on the first sound, unless the expected one follows', () => {
    const sounds = [sounded('sit', 300), sounded('ringback', 500), sounded('busy', 1500)];
    assert.equal(ending(sounds, 'human'), 'transfer-ringback');
    assert.equal(ending(sounds, 'busy'), 'busy');
  });

  it('counts as a transfer from the REFER on, even if the call then ends or music plays', () => {
    const transfer: ActiveCallEvent = { type: 'transfer', atMs: 700, target: 'sip:agents@10.0.0.9' };
    assert.equal(ending([transfer], 'transfer-ringback'), 'transfer-ringback');
    assert.equal(ending([transfer, hungUp(1000)], 'hangup'), 'transfer-ringback');
    assert.equal(ending([transfer, sounded('music', 800)], 'human'), 'transfer-ringback');
  });

  it('counts as the end of the call, unless the expected sound came before', () => {
    assert.equal(ending([sounded('busy', 500), hungUp(1000)], 'busy'), 'busy');
    assert.equal(ending([sounded('busy', 500), hungUp(1000)], 'human'), 'hangup');
    assert.equal(ending([hungUp(1000, 'network')]), 'dead-air');
  });

  it('distinguishes our own end of a call from others, and a hang-up from an abandoned call', () => {
    const end = (by: 'local' | 'remote' | 'network'): ReturnType<typeof hungUp>['end'] => hungUp(1, by).end;
    assert.deepEqual([isOurs(undefined), isOurs(end('local')), isOurs(end('remote'))], [false, true, false]);
    assert.deepEqual([endOfCall(end('remote')), endOfCall(end('network'))], ['hangup', 'dead-air']);
  });

  it('counts as a person only if one is expected, and has paused', () => {
    const greeting = says('Hello, this is Anna.');
    const answeredMs = saidMs + patience.prompt.person;
    assert.equal(ending(greeting, 'human', answeredMs - 1), undefined);
    assert.equal(ending(greeting, 'human', answeredMs), 'human');
    assert.equal(ending(greeting, 'hangup', answeredMs), undefined);
    assert.equal(ending(says('We are looking up your account.'), 'human', answeredMs), undefined);
  });

  it('counts as a menu if the words ask for a key, a word or an input', () => {
    const menuMs = saidMs + patience.prompt.otherMenu;
    const enter = 'Please enter your account number, followed by the pound key.';
    for (const text of ['For sales, press 1.', 'Say billing.', enter]) {
      assert.equal(ending(says(text), 'hangup', menuMs - 1), undefined, text);
      assert.equal(ending(says(text), 'hangup', menuMs), 'menu', text);
    }
    assert.equal(ending(says('We are looking up your account.'), 'hangup', menuMs), undefined);
  });

  it('counts as dead air after a silence of the given length', () => {
    const words = says('We are looking up your account.');
    const deadMs = saidMs + patience.deadAir.crawl;
    assert.deepEqual([ending(words, 'hangup', deadMs - 1), ending(words, 'hangup', deadMs)], [undefined, 'dead-air']);
    assert.deepEqual([ending([], 'busy', 2999, 3000), ending([], 'busy', 3000, 3000)], [undefined, 'dead-air']);
  });

  it('has different words for each end', () => {
    const words = Object.values(endSentences).map(String);
    assert.equal(new Set(words).size, words.length);
    for (const part of words) assert.match(part, /^[A-Z].*\.$/);
  });
});
