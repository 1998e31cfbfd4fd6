import path from 'node:path';
import { RuleTester } from 'oxlint/plugins-dev';
import plugin from '../../lint/doors.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const inFile = (file: string, code: string) => ({
  name: `${code} in ${file}`,
  code,
  filename: path.join(root, file),
  languageOptions: { parserOptions: { lang: 'ts' as const } },
});
const refused = (code: string) => ({
  ...inFile('src/service/mapping/x.ts', code),
  errors: [{ message: /^Only src\/service\/runs\/dialerFor\.ts wraps a dialer/ }],
});

new RuleTester().run('the lint rule for the doors of calls', plugin.rules.doors, {
  valid: [
    inFile('src/service/runs/dialerFor.ts', 'lines.over(new DialRecord(parts).over(dialer));'),
    inFile('src/service/service.ts', 'dialer.use(nothing);'),
    inFile('src/engine/load/loadCall.ts', 'tape.over(dialer);'),
    inFile('src/service/http/app.ts', 'app.use(guard); over(1);'),
  ],
  invalid: [
    refused('lines.over(opened, permit);'),
    refused('parts.dialer.use(work);'),
    refused('dialer.use(work);'),
    refused('const dials = new DialRecord(parts);'),
  ],
});
