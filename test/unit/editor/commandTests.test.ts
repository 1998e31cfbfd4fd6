import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { allCommands } from '../../../src/editor/commands/allCommands.ts';

const commandIds = allCommands.map(({ id }) => id);

/** Where commands are run: by their handlers on fakes, in the editor, or by a person's clicks. */
const places = ['.', '../runner', '../../host/suite', '../../e2e'].map((folder) =>
  path.join(import.meta.dirname, folder),
);
/** These name every command, and run none. */
const listings = ['manifest.test.ts', 'commandTests.test.ts', 'walkthrough.test.ts', 'activation.test.ts'];

describe('the commands of the palette', () => {
  it('each appear in a test', () => {
    const texts = places
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts') && !listings.includes(path.basename(file)))
          .map((file) => readFileSync(path.join(folder, file), 'utf8')),
      )
      .join('\n');
    // With the full ID, or with a noun that the test puts in front.
    const isRun = (id: string): boolean =>
      texts.includes(id) || new RegExp(`['"]${id.split('.').at(-1) ?? ''}['"]`).test(texts);
    assert.deepEqual(
      commandIds.filter((id) => !isRun(id)),
      [],
    );
  });
});
