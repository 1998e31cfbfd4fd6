import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { anthropic } from '../../language/model/anthropic.ts';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import { openAiCompatible } from '../../language/model/openAiCompatible.ts';
import { UsageError } from '../command.ts';

/**
 * Returns the language model for missions that the environment names, or undefined if it names none. The key never
 * comes from the command line.
 */
export function readModel(environment: Readonly<Record<string, string | undefined>>): LanguageModel | undefined {
  const read = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const model = read('DIALTREE_MODEL');
  const provider = read('DIALTREE_MODEL_PROVIDER') ?? 'openai';
  const baseUrl = read('DIALTREE_MODEL_URL');
  const apiKey = read('DIALTREE_MODEL_KEY');
  if (model === undefined) {
    if (baseUrl !== undefined || apiKey !== undefined)
      throw new UsageError(
        "DIALTREE_MODEL_URL or DIALTREE_MODEL_KEY is set, but DIALTREE_MODEL isn't. Set it to the name of the model.",
      );
    return undefined;
  }
  const given = withoutUndefined({ model, apiKey, baseUrl });
  if (provider === 'anthropic') return anthropic(given);
  if (provider !== 'openai')
    throw new UsageError(
      `DIALTREE_MODEL_PROVIDER takes openai (or any compatible endpoint) or anthropic, not "${provider}".`,
    );
  return openAiCompatible({ baseUrl: 'https://api.openai.com/v1', ...given });
}
