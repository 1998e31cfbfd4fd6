import { RuleTester } from 'oxlint/plugins-dev';
import plugin from '../../lint/imports.mjs';
import { inFile } from '../../support/lintedFile.ts';

const refused = (file: string, code: string, message: string) => ({
  ...inFile(file, code),
  errors: [{ message }],
});

new RuleTester().run('the lint rule for imports', plugin.rules.imports, {
  valid: [
    inFile('src/model/tree.ts', "import { z } from '../contract/z.ts';"),
    inFile('src/model/tree.ts', "import { z } from '../base/z.ts';"),
    inFile('src/contract/tree.ts', "import { z } from 'zod'; import { y } from './y.ts';"),
    inFile('src/service/lines/line.ts', "import { z } from '../numbers/z.ts';"),
    inFile('src/service/service.ts', "import { z } from './lines/z.ts';"),
    inFile('webview/tree/main.ts', "import { z } from '../../src/model/z.ts'; import { y } from '../page/y.ts';"),
    inFile('test/unit/x.test.ts', "import { z } from '../../src/service/z.ts';"),
  ],
  invalid: [
    refused('src/model/tree.ts', "import { z } from '../service/z.ts';", 'src/model may not import src/service.'),
    refused(
      'src/model/tree.ts',
      "export type Z = import('../service/z.ts').Z;",
      'src/model may not import src/service.',
    ),
    refused(
      'src/model/tree.ts',
      "export const z = import('../service/z.ts');",
      'src/model may not import src/service.',
    ),
    refused('src/model/tree.ts', "export * from '../service/z.ts';", 'src/model may not import src/service.'),
    refused('src/contract/tree.ts', "import { z } from '../base/z.ts';", 'src/contract may not import src/base.'),
    refused('src/contract/tree.ts', "import fs from 'node:fs';", 'src/contract imports zod and nothing else.'),
    refused(
      'src/service/numbers/number.ts',
      "import { z } from '../lines/z.ts';",
      'src/service/numbers may not import src/service/lines, only these layers: none.',
    ),
    refused(
      'src/service/numbers/number.ts',
      "import { z } from '../service.ts';",
      'src/service/numbers may not import files at the top of src/service.',
    ),
    refused(
      'src/service/unlisted/z.ts',
      "import { z } from '../lines/z.ts';",
      'src/service/unlisted has no row in the table of layers (test/lint/imports.mjs).',
    ),
    refused('webview/tree/main.ts', "import { z } from '../../src/client/z.ts';", 'webview may not import src/client.'),
    refused(
      'webview/tree/main.ts',
      "import { z } from '../../src/extension.ts';",
      'webview may not import src/extension.ts.',
    ),
  ],
});
