import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { PracticeIvrs } from '../../../../src/editor/host/practice.ts';
import { english, fakeSpawn, recordingLogger, settle } from '../fakes.ts';
import type { FakeChild, FakeSpawn } from '../fakes.ts';

describe('PracticeIvrs', () => {
  let spawning: FakeSpawn, practice: PracticeIvrs, changes: number;
  let onSpawn: (child: FakeChild) => void;
  let isTrusted = true;
  const ready = (child: FakeChild): void => {
    child.say({
      event: 'ready',
      host: '127.0.0.1',
      port: 40000,
      targets: [
        {
          name: 'Harbour Bank',
          number: '+12025550101',
          uri: 'sip:harbour-bank@127.0.0.1:40000',
          file: 'bank.ivr.json',
        },
      ],
    });
  };

  beforeEach(() => {
    onSpawn = ready;
    isTrusted = true;
    spawning = fakeSpawn((child) => onSpawn(child));
    practice = new PracticeIvrs({
      spawn: spawning.spawn,
      log: recordingLogger(),
      l10n: english,
      script: 'dist/cli.js',
      mayRun: (file) => isTrusted || file === '/samples/bank.ivr.json',
    });
    changes = 0;
    practice.onDidChange(() => {
      changes += 1;
    });
  });
  afterEach(() => practice.dispose());

  it('starts a file once, as a child process that ends with the window', async () => {
    const [one, other] = await Promise.all([practice.start('/w/bank.ivr.json'), practice.start('/w/bank.ivr.json')]);
    assert.equal(one, other);
    assert.deepEqual(one, {
      file: '/w/bank.ivr.json',
      name: 'Harbour Bank',
      number: '+12025550101',
      uri: 'sip:harbour-bank@127.0.0.1:40000',
    });
    assert.deepEqual(spawning.starts, [
      {
        script: 'dist/cli.js',
        args: ['practice', '/w/bank.ivr.json', '--port', '0', '--json'],
        survives: false,
        environment: { DIALTREE_MODEL_KEY: '', DIALTREE_API_KEY: '' },
      },
    ]);
    assert.deepEqual(practice.running, [one]);
    assert.equal(changes, 1);
  });

  it('starts no file of an untrusted workspace, but does start samples', async () => {
    isTrusted = false;
    await assert.rejects(practice.start('/w/bank.ivr.json'), { status: 403, code: 'untrusted' });
    assert.deepEqual(spawning.starts, []);
    await practice.start('/samples/bank.ivr.json');
    isTrusted = true;
    await practice.start('/w/bank.ivr.json');
    assert.equal(spawning.starts.length, 2);
  });

  it('stops one and waits for its end', async () => {
    await practice.start('/w/bank.ivr.json');
    await practice.stop('/w/bank.ivr.json');
    await practice.stop('/w/other.ivr.json');
    assert.deepEqual(spawning.children[0]?.signals, ['SIGTERM']);
    assert.deepEqual(practice.running, []);
  });

  it('drops one that ended by itself, and can restart it', async () => {
    await practice.start('/w/bank.ivr.json');
    spawning.children[0]?.end(1);
    await settle();
    assert.deepEqual(practice.running, []);
    await practice.start('/w/bank.ivr.json');
    assert.equal(spawning.children.length, 2);
  });

  it("reports the error in a file that doesn't start", async () => {
    onSpawn = (child) => {
      child.stderr.write(
        'bank.ivr.json, line 3: states.main.keys: “9” leads to “nowhere”, which does not exist.\nThe file has 1 mistake.\n',
      );
      child.end(1);
    };
    await assert.rejects(
      practice.start('/w/bank.ivr.json'),
      (error: unknown) => error instanceof HumanError && error.message.includes('1 mistake'),
    );
    assert.deepEqual(practice.running, []);
  });

  it('ends all of them with the window, including one that is still starting', async () => {
    await practice.start('/w/bank.ivr.json');
    onSpawn = () => undefined;
    const starting = practice.start('/w/slow.ivr.json');
    practice.dispose();
    assert.deepEqual(
      spawning.children.map(({ signals }) => signals),
      [['SIGTERM'], ['SIGTERM']],
    );
    await assert.rejects(starting);
  });
});
