import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Ask, LanguageModel } from '../../src/language/model/languageModel.ts';

/** Hash of a question → its answers, in order. */
const cassetteSchema = z.record(
  z.string().regex(/^[0-9a-f]{16}$/),
  z.object({ name: z.string(), answers: z.array(z.unknown()).min(1) }).strict(),
);
type Cassette = z.output<typeof cassetteSchema>;

export interface ModelCassette extends LanguageModel {
  /** Writes the recorded answers. */
  save(): Promise<void>;
}

/**
 * Returns answers from a file. A question asked more often than it was recorded gets its last answer again. With a
 * model, unknown questions are asked and recorded; without one, they are an error that says how to record them.
 * Validates answers like fresh ones.
 */
export async function modelCassette(file: string, recordFrom?: LanguageModel): Promise<ModelCassette> {
  const cassette: Cassette = existsSync(file) ? cassetteSchema.parse(JSON.parse(await readFile(file, 'utf8'))) : {};
  const played = new Map<string, number>();
  return {
    name: 'cassette',
    async ask(ask) {
      const key = questionKey(ask);
      const index = played.get(key) ?? 0;
      played.set(key, index + 1);
      const answers = cassette[key]?.answers ?? [];
      if (recordFrom && index >= answers.length) {
        const answer = await recordFrom.ask(ask);
        cassette[key] = { name: ask.name, answers: [...answers, answer] };
        return answer;
      }
      if (answers.length === 0)
        throw new Error(
          `${file} holds no answer to "${ask.name}" (${key}). Record it: give modelCassette a model, and save.`,
        );
      return ask.schema.parse(answers[Math.min(index, answers.length - 1)]);
    },
    save: () => writeFile(file, `${JSON.stringify(Object.fromEntries(Object.entries(cassette).sort()), null, 2)}\n`),
  };
}

/** The same for the same words and the same schema; budgets, times and markers don't count. */
export function questionKey({ name, system, parts, schema }: Ask<unknown>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, system, parts, z.toJSONSchema(schema)]))
    .digest('hex')
    .slice(0, 16);
}
