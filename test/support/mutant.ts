import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// For mocha's --require: replaces the source of one file (MUTANT_URL) with the text of another file (MUTANT_TEXT), so
// that a test runs on changed code and the working tree stays unchanged.
const { MUTANT_URL: mutantUrl, MUTANT_TEXT: textFile = '' } = process.env;
registerHooks({
  load: (url, context, nextLoad) =>
    url === mutantUrl
      ? { format: 'module-typescript', source: readFileSync(textFile, 'utf8'), shortCircuit: true }
      : nextLoad(url, context),
});
