import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jsonReportSchema } from '../../src/cli/report/jsonReport.ts';
import { DialtreeClient } from '../../src/client/client.ts';
import type { MissionTestRun } from '../../src/contract/testRuns.ts';
import { ownMissionTitle, promptTitle } from '../../src/language/mission/decideByModel.ts';
import { similarity } from '../../src/model/heard/similarity.ts';
import { answerAsCaller, readQuestion } from '../support/callerModel.ts';
import { startChatServer, type ChatServer } from '../support/chatServer.ts';
import { CliProcess } from '../unit/cli/dialtree.ts';

const ivr = {
  name: 'Bank',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to Harbour Bank. For your balance, press 1. For cards, press 2.',
      keys: { 1: 'number', 2: 'cards' },
    },
    number: {
      prompt: 'Please enter your eight digit account number followed by the pound key.',
      collect: { min: 8, max: 8, terminator: '#', next: 'balance' },
    },
    balance: { prompt: 'You have two hundred dollars in your account. Goodbye.', end: 'hangup' },
    cards: { prompt: 'Thank you for calling. Goodbye.', end: 'hangup' },
  },
};
/** The language model stops working when the number of one of these missions is requested. */
const missions = { served: '24681357', silent: '13579246', senseless: '97531864' } as const;
type Mission = keyof typeof missions;

/**
 * Real calls on this machine. Only the language model is a test server, which receives the questions as a model does.
 */
describe('dialtree run of missions with a language model', function () {
  let folder: string;
  let model: ChatServer;
  let service: CliProcess;
  let client: DialtreeClient;
  const commands = new Map<Mission, CliProcess>();

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-run-test-'));
    model = await startChatServer((request) => {
      const question = readQuestion(request);
      const isAtNumber = question.asked === 'decide' && /enter/i.test(question.part(promptTitle));
      if (isAtNumber && question.part(ownMissionTitle).includes(missions.silent)) return { silent: true };
      if (isAtNumber && question.part(ownMissionTitle).includes(missions.senseless))
        return { answer: 'I would rather talk about the weather.' };
      return answerAsCaller(question);
    });
    const asked = { DIALTREE_MODEL: 'caller', DIALTREE_MODEL_URL: model.url };
    service = new CliProcess(['serve', '--data', path.join(folder, 'data')], { env: asked });
    const { baseUrl, apiKey } = JSON.parse(await service.firstLine()) as { baseUrl: string; apiKey: string };
    client = new DialtreeClient({ baseUrl, apiKey });
    await writeFile(path.join(folder, 'bank.ivr.json'), JSON.stringify(ivr));
    for (const [name, number] of Object.entries(missions)) {
      await writeFile(
        path.join(folder, `${name}.mission.json`),
        JSON.stringify({
          name,
          ivr: 'bank.ivr.json',
          mission: `Your account number is ${number}. Find out the balance of your account.`,
          acceptance: 'The caller learns the balance.',
        }),
      );
    }
    const run = (name: Mission, ...more: string[]): CliProcess =>
      new CliProcess(['run', `${name}.mission.json`, '--reporter', 'json', '--output', `${name}.json`, ...more], {
        cwd: folder,
        env: { ...asked, DIALTREE_API_KEY: apiKey },
      });
    // One with the command's own service; the others with one that still responds afterwards.
    commands
      .set('served', run('served'))
      .set('silent', run('silent', '--url', baseUrl))
      .set('senseless', run('senseless', '--url', baseUrl));
  });
  after(async () => {
    await Promise.all([...commands.values(), service].map((command) => command.kill()));
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function ended(name: Mission) {
    const { code, stderr } = await commands.get(name)!.result();
    const {
      tests: [test],
    } = jsonReportSchema.parse(JSON.parse(await readFile(path.join(folder, `${name}.json`), 'utf8')));
    assert.ok(test, stderr);
    assert.ok(!stderr.includes(missions[name]), 'the number is a secret');
    return { code, stderr, test };
  }

  /** The call was recorded: the called side is on the right. Keys make no sound on the left. */
  async function assertKept({ transcript, audioUrl, callSeconds }: MissionTestRun): Promise<void> {
    const heard = transcript
      .filter(({ speaker }) => speaker === 'them')
      .map(({ text }) => text)
      .join(' ');
    assert.ok(
      similarity(`${ivr.states.main.prompt} Please enter your eight digit account number`, heard).score >= 0.9,
      heard,
    );
    const wav = await client.fetchAudio(audioUrl ?? '');
    const samples = new Int16Array(wav.buffer.slice(44));
    assert.equal(new DataView(wav.buffer).getUint16(22, true), 2);
    assert.ok(samples.length / 2 / 8000 > 5 && (callSeconds ?? 0) > 5, 'the whole call');
    assert.ok(
      samples.some((sample, index) => index % 2 === 1 && Math.abs(sample) > 1000),
      'what they said',
    );
  }

  it('decides each turn by the prompts, and judges the call by its transcript', async () => {
    const { code, stderr, test } = await ended('served');
    assert.deepEqual([code, test.outcome], [0, 'PASS'], stderr);
    const asked = model.requests.map(readQuestion).map((question) => question.asked);
    assert.ok(asked.filter((one) => one === 'decide').length >= 3 && asked.includes('judge'));
  });

  for (const [name, told] of [
    ['silent', /gave no answer within/],
    ['senseless', /didn't answer in the required format/],
  ] as const) {
    it(`ends with an error that says why, and keeps the recording, if the model is ${name} during the call @full`, async () => {
      const { code, stderr, test } = await ended(name);
      assert.deepEqual([code, test.outcome, test.findings.length], [1, 'ERROR', 1], stderr);
      assert.match(test.findings[0]?.message ?? '', told);
      assert.match(stderr, told);
      const run = await client.call('getMissionTestRun', { runId: test.runs[0]?.id ?? '' });
      assert.deepEqual([run.status, run.verdict], ['completed', 'error']);
      await assertKept(run);
      if (name === 'silent') await model.givenUp;
    });
  }
});
