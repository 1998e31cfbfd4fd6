import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { workspaceFile } from '../../../src/editor/folders/workspaceFile.ts';
import { dialtree, eventually, filesOf } from './support.ts';

describe('files at home in the editor', function () {
  const { at, write, read, remove } = filesOf('files');
  const open = async (name: string): Promise<vscode.TextDocument> =>
    (await vscode.window.showTextDocument(at(name))).document;
  const ours = (uri: vscode.Uri): vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Dialtree');
  /** Resolves with the findings of a file once they are these. */
  const found = (uri: vscode.Uri, ...codes: string[]): Promise<vscode.Diagnostic[]> =>
    eventually(
      `${uri.path} has ${codes.join(', ')}`,
      (look) => vscode.languages.onDidChangeDiagnostics(look),
      () => {
        const shown = ours(uri);
        return shown
          .map(({ code }) => String(code))
          .sort()
          .join() === [...codes].sort().join()
          ? shown
          : undefined;
      },
    );
  /** Returns the position of the n-th occurrence in a document. */
  const place = (document: vscode.TextDocument, text: string, nth = 1): vscode.Position => {
    let offset = -1;
    for (let count = 0; count < nth; count += 1) offset = document.getText().indexOf(text, offset + 1);
    assert.ok(offset >= 0, `${text} does not stand there`);
    return document.positionAt(offset + 1);
  };
  const fix = async (uri: vscode.Uri, diagnostic: vscode.Diagnostic, title: string): Promise<void> => {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      diagnostic.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const action = actions.find((one) => one.title === title);
    assert.ok(action?.edit, actions.map((one) => one.title).join('; '));
    assert.ok(await vscode.workspace.applyEdit(action.edit));
  };

  const bank = `{
  // The bank.
  "name": "Bank",
  "start": "main",
  "states": {
    "main": { "prompt": "For cards, press 1. For loans, press 2.", "keys": { "1": "cards", "2": "loans" } },
    "cards": { "prompt": "Cards.", "next": "bye" }, // all of them
    "bye": { "prompt": "Goodbye.", "end": "hangup" }
  }
}
`;
  const test = (members: string): string =>
    `{\n  "name": "Cards",\n  ${members},\n  "steps": [\n    { "name": "Greeting", "action": { "type": "dial" }, "expectedTranscript": "For cards" },\n    { "name": "Cards", "action": { "type": "press", "keys": "{key}" }, "expectedTranscript": "Cards" }\n  ]\n}\n`;

  before(async () => {
    await dialtree();
    await write('bank.ivr.json', bank);
    await write('rows.csv', 'key,city\n1,Boston\n');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await remove();
  });

  it('reports problems with states during typing, and fixes them', async () => {
    const document = await open('bank.ivr.json');
    const [missing] = await found(document.uri, 'missing-state');
    assert.ok(missing);
    assert.equal(document.getText(missing.range), '"loans"');
    await fix(document.uri, missing, 'Create the state "loans"');
    await found(document.uri);
    assert.equal(
      document.getText(),
      bank.replace(
        '"end": "hangup" }',
        '"end": "hangup" },\n    "loans": {\n      "prompt": "You have reached loans. Goodbye.",\n      "end": "hangup"\n    }',
      ),
    );
    assert.equal(document.languageId, 'jsonc');
  });

  it('renames a state everywhere, and finds all its references', async () => {
    const document = await open('bank.ivr.json');
    const where = place(document, '"bye"');
    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      where,
    );
    assert.equal(references.length, 2);
    const [definition] = await vscode.commands.executeCommand<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      where,
    );
    assert.ok(definition);
    assert.equal(document.getText(definition.targetSelectionRange), 'bye');
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      document.uri,
      where,
      'the.end',
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText().match(/"the\.end"/g)?.length, 2);
    await found(document.uri);
    await assert.rejects(
      async () =>
        vscode.commands.executeCommand(
          'vscode.executeDocumentRenameProvider',
          document.uri,
          place(document, '"the.end"'),
          'main',
        ),
      /already/,
    );
  });

  it('completes states, and describes them on hover', async () => {
    const document = await open('bank.ivr.json');
    const offered = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      place(document, '"the.end"'),
    );
    const labels = offered.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    for (const name of ['main', 'cards', 'loans', 'the.end']) assert.ok(labels.includes(name), labels.join());
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      place(document, '"cards"'),
    );
    assert.match(
      hovers
        .flatMap(({ contents }) => contents)
        .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
        .join('\n'),
      /Reached from: `main` \(`1`\)/,
    );
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.ok(symbols.some(({ name, detail }) => name === 'cards' && detail === 'Cards.'));
  });

  it('reports problems with rows, files and copies, and follows changes beside a file', async () => {
    await write('cards.calltest.json', test('"ivr": "bnk.ivr.json", "rowsFile": "rows.csv"'));
    const document = await open('cards.calltest.json');
    const diagnostics = await found(document.uri, 'missing-file', 'unused-column');
    const missing = diagnostics.find(({ code }) => code === 'missing-file');
    assert.ok(missing);
    await fix(document.uri, missing, 'Change to "bank.ivr.json"');
    await found(document.uri, 'unused-column');
    await write('rows.csv', 'key\n1\n');
    await found(document.uri);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    assert.ok(links.some(({ target }) => target?.toString() === at('bank.ivr.json').toString()));

    const id = '7d1f2c1e-8f7b-4b1e-9a39-0d2c5f6a1b3c';
    await document.save();
    await write('one.calltest.json', test(`"id": "${id}", "ivr": "bank.ivr.json", "rows": [{ "key": "1" }]`));
    await write('copy.calltest.json', await read('one.calltest.json'));
    const copy = await open('copy.calltest.json');
    const [twice] = await found(copy.uri, 'duplicate-id');
    assert.ok(twice);
    assert.deepEqual(
      twice.relatedInformation?.map(({ location }) => location.uri.toString()),
      [at('one.calltest.json').toString()],
    );
    await fix(copy.uri, twice, 'Give this file its own ID');
    await found(copy.uri);
    assert.doesNotMatch(copy.getText(), new RegExp(id));
    await copy.save();
  });

  it('completes and describes members by the schema, and reports problems only in its own words', async () => {
    await write(
      'short.mission.json',
      '{ "name": "M", "phoneNumber": "+12025550101", "mission": "m", "acceptence": "a", "" }',
    );
    const document = await open('short.mission.json');
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      place(document, '"" }'),
    );
    const offered = list.items.filter(({ documentation }) => documentation !== undefined);
    const labels = offered
      .sort((one, other) => (one.sortText ?? '').localeCompare(other.sortText ?? ''))
      .map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.deepEqual([labels[0], labels.at(-1)], ['checks', '$schema']);
    await write(
      'short.mission.json',
      '{ "name": "M", "phoneNumber": "+12025550101", "mission": "m", "acceptence": "a" }',
    );
    const [wrong] = await found(document.uri, 'invalid');
    assert.equal(document.getText(wrong?.range), '"acceptence"');
    assert.deepEqual(
      vscode.languages.getDiagnostics(document.uri).map(({ message }) => message),
      ['The member "acceptence" isn\'t allowed here. Did you mean "acceptance"?'],
    );
  });

  it('warns of a criterion that only a language model can judge, until it is quoted and saved', async () => {
    const { connection } = await dialtree();
    const mission = (acceptance: string): string =>
      JSON.stringify({ name: 'M', phoneNumber: '+12025550101', mission: 'm', acceptance });
    await write('polite.mission.json', mission('The agent is polite.'));
    const document = await open('polite.mission.json');
    await connection.call('listMappings', {});
    const [warning] = await found(document.uri, 'unjudged');
    assert.equal(document.getText(warning?.range), '"The agent is polite."');
    assert.match(warning?.message ?? '', /^Only a language model can judge “The agent is polite”, and none is set up/);
    assert.ok(warning);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      warning.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    assert.ok(
      actions.some(({ title, command }) => title === command?.title && command.command === 'dialtree.model.choose'),
    );
    await write('polite.mission.json', mission('The agent says "you are welcome".'));
    await found(document.uri);
  });

  it("shows a file's actions above it", async () => {
    const titles = async (name: string): Promise<string[]> => {
      const document = await open(name);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        10,
      );
      return lenses.map(({ command }) => command?.title ?? '');
    };
    assert.deepEqual(await titles('copy.calltest.json'), ['$(play) Run']);
    assert.deepEqual(await titles('bank.ivr.json'), ['$(play) Start', '$(type-hierarchy-sub) Map']);
  });

  it('creates a new file from its template, unsaved, with the cursor at its first gap', async () => {
    await open('bank.ivr.json');
    await vscode.commands.executeCommand('dialtree.file.newMission', { name: 'Opening hours', ivr: 'bank.ivr.json' });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    assert.equal(editor.document.uri.scheme, 'untitled');
    assert.equal(editor.document.uri.path, at('opening-hours.mission.json').path);
    assert.equal(editor.document.languageId, 'jsonc');
    assert.match(editor.document.getText(editor.selection), /^You are a customer/);
    assert.match(editor.document.getText(), /"name": "Opening hours"/);
    await found(editor.document.uri);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('keeps marks, line ends and comments when it writes an id', async () => {
    const text = `\uFEFF${test('"ivr": "bank.ivr.json"').replace('{key}', '1').replace('  "name"', '\t// why\n\t"name"').replaceAll('\n', '\r\n')}`;
    await write('crlf.calltest.json', text);
    const source = workspaceFile(at('crlf.calltest.json'));
    await source.write(
      (await source.read()).replace('{\r\n', '{\r\n\t"id": "00000000-0000-4000-8000-000000000001",\r\n'),
    );
    assert.equal(
      await read('crlf.calltest.json'),
      text.replace('{\r\n', '{\r\n\t"id": "00000000-0000-4000-8000-000000000001",\r\n'),
    );
    await open('crlf.calltest.json');
    await source.write((await source.read()).replace('000001"', '000002"'));
    assert.equal(
      await read('crlf.calltest.json'),
      text.replace('{\r\n', '{\r\n\t"id": "00000000-0000-4000-8000-000000000002",\r\n'),
    );
  });
});
