import { access, writeFile } from 'node:fs/promises';
import { phoneNumberSchema } from '../../contract/common.ts';
import { HumanError } from '../../contract/errors.ts';
import { cassetteOf } from '../../model/tree/export/cassette.ts';
import { loadCalltree } from './calltreeFile.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';

export const cassette: CliCommand = {
  help: 'A built-in voice speaks the prompts, because a tree file has no recordings. "Save as Practice IVR…" in the editor keeps the recordings of a run.\nOn branches that weren\'t explored, the IVR says so and hangs up. Start the IVR with `dialtree practice NAME.ivr.json`.\n--force replaces an existing file. --json prints {"file":…,"states":…}.',
  async run(args) {
    const {
      values,
      positionals: [file, ...others],
    } = readArguments(args, { out: { type: 'string' }, force: { type: 'boolean' }, json: { type: 'boolean' } });
    if (file === undefined || others.length > 0) throw new UsageError('Give one *.calltree.json file.');
    const { out } = values;
    if (out?.endsWith('.ivr.json') !== true)
      throw new UsageError('Give the file to write with --out. Its name must end with .ivr.json.');
    const { name, phoneNumber, tree } = await loadCalltree(file);
    if (values.force !== true && (await exists(out)))
      throw new HumanError(`${out} already exists. Give another name, or use --force to replace the file.`, {
        status: 400,
      });
    const ivr = cassetteOf(tree, { name, number: phoneNumberSchema.safeParse(phoneNumber).data });
    await writeFile(out, `${JSON.stringify(ivr, undefined, 2)}\n`).catch((cause: unknown) => {
      throw new HumanError(`Couldn't write ${out}. Check the path and its permissions.`, { status: 400, cause });
    });
    const states = Object.keys(ivr.states).length;
    print(
      values.json
        ? jsonText({ file: out, states })
        : `${out}: ${states === 1 ? '1 state' : `${String(states)} states`}. Call it with: dialtree practice ${out}`,
    );
    return 0;
  },
};

const exists = async (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
