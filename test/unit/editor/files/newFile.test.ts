import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileKinds } from '../../../../src/contract/fileSchemas.ts';
import type { NewFile } from '../../../../src/editor/commands/workbench.ts';
import { fileNameFor, fillTemplate } from '../../../../src/editor/files/newFile.ts';
import type { NewKind } from '../../../../src/editor/files/newFile.ts';
import { readJsonFile } from '../../../../src/model/files/jsonFile.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { file, folder, found } from './fakeFiles.ts';

const templates = path.resolve(import.meta.dirname, '../../../../media/templates');
const template = (kind: NewKind): Promise<string> => readFile(path.join(templates, `${kind}.jsonc`), 'utf8');
const kinds = ['mission', 'calltest', 'ivr'] as const;

describe('a new file', () => {
  for (const kind of kinds) {
    it(`of the kind ${kind} is valid as it is, and keeps the explanatory comments`, async () => {
      const { text, selection } = fillTemplate(kind, await template(kind), 'A "new" one', { ivr: 'bank.ivr.json' });
      const schema = fileKinds.find(({ suffix }) => suffix === `.${kind}.json`)?.schema;
      assert.ok(schema);
      const read = readJsonFile(text, `a.${kind}.json`, schema);
      assert.ok('value' in read, JSON.stringify(read));
      assert.equal((read.value as { name: string }).name, 'A "new" one');
      assert.ok(text.split('//').length > 4);
      assert.ok(
        selection.length > 0 &&
          !/["\n]/.test(text.slice(selection.offset, selection.offset + selection.length).replaceAll('\\"', '')),
      );
      assert.deepEqual(await found(file(`a.${kind}.json`, text), folder({ 'bank.ivr.json': '{}' })), []);
    });
  }

  it('calls the given number', async () => {
    assert.match(
      fillTemplate('mission', await template('mission'), 'n', { phoneNumber: 'sip:bank@127.0.0.1:5070' }).text,
      /^ {2}"phoneNumber": "sip:bank@127\.0\.0\.1:5070",$/m,
    );
    assert.match(
      fillTemplate('calltest', await template('calltest'), 'n', { ivr: 'a/b.ivr.json' }).text,
      /^ {2}"ivr": "a\/b\.ivr\.json",$/m,
    );
    assert.match(
      fillTemplate('calltest', await template('calltest'), 'n', undefined).text,
      /"phoneNumber": "\+12025550101"/,
    );
  });

  it('takes its name from its title, and from no other', () => {
    assert.equal(fileNameFor('Größe & Länge: 2', 'mission', new Set()), 'große-lange-2.mission.json');
    assert.equal(fileNameFor('../../etc/passwd', 'ivr', new Set()), 'etc-passwd.ivr.json');
    assert.equal(fileNameFor('???', 'calltest', new Set(['calltest.calltest.json'])), 'calltest-2.calltest.json');
    assert.ok(fileNameFor('x'.repeat(200), 'ivr', new Set()).length < 80);
  });
});

describe('the commands for new files', () => {
  let shown: NewFile | undefined, dialogs: FakeDialogs, chosen: unknown;
  const around = folder({
    'bank.ivr.json': '{ "name": "Bank" }',
    'sub/clinic.ivr.json': '{ "name": "Clinic" }',
    'bank-balance.mission.json': '{}',
  });
  const run = async (
    id: 'dialtree.file.newMission' | 'dialtree.file.newTest' | 'dialtree.file.newIvr',
    value: unknown,
    ...answers: Answer[]
  ): Promise<NewFile | undefined> => {
    shown = undefined;
    dialogs = new FakeDialogs(...answers);
    const commands = commandsIn({
      dialogs,
      files: { template: (name) => template(name as NewKind) },
      index: { ready: async () => around.files },
      workbench: {
        folderFor: async (address) => {
          chosen = address;
          return { uri: 'file:///w', names: new Set(['bank-balance.mission.json']) };
        },
        showNew: async (file) => {
          shown = file;
        },
      },
    });
    await commands[id](value);
    dialogs.done();
    return shown;
  };

  it('ask for a number and a name', async () => {
    const made = await run('dialtree.file.newMission', undefined, { pick: 'Clinic' }, 'Bank balance');
    assert.equal(made?.name, 'bank-balance-2.mission.json');
    assert.equal(made?.folder, 'file:///w');
    assert.match(made?.text ?? '', /"ivr": "sub\/clinic\.ivr\.json"/);
    assert.equal(
      dialogs.shown[0],
      'What do you want to call?\n  Enter a number or SIP address…\n  Decide later | uses a practice number until then\n  Practice IVRs in this workspace | Bank | bank.ivr.json\n  Practice IVRs in this workspace | Clinic | sub/clinic.ivr.json',
    );
  });

  it('accept a number as people type it, or none yet', async () => {
    assert.match(
      (
        await run(
          'dialtree.file.newTest',
          undefined,
          { pick: 'Enter a number or SIP address…' },
          '+1 (202) 555-0144',
          'T',
        )
      )?.text ?? '',
      /"phoneNumber": "\+12025550144"/,
    );
    assert.match(
      (await run('dialtree.file.newTest', undefined, { pick: 'Decide later' }, 'T'))?.text ?? '',
      /"phoneNumber": "\+12025550101"/,
    );
  });

  it('create a practice IVR from its name alone', async () =>
    assert.equal((await run('dialtree.file.newIvr', undefined, 'Harbour Bank'))?.name, 'harbour-bank.ivr.json'));

  it('use the folder of the Explorer, and arguments of keybindings', async () => {
    await run('dialtree.file.newIvr', { scheme: 'file', authority: '', path: '/w/sub', fsPath: '/w/sub' }, 'n');
    assert.deepEqual(chosen, { scheme: 'file', authority: '', path: '/w/sub' });
    assert.match(
      (await run('dialtree.file.newMission', { name: 'M', phoneNumber: '+12025550150' }))?.text ?? '',
      /\+12025550150/,
    );
    await assert.rejects(run('dialtree.file.newMission', { name: 'M', phoneNumber: '12' }), /E\.164/);
  });
});
