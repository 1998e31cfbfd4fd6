import { RuleTester } from 'oxlint/plugins-dev';
import plugin from '../../lint/doors.mjs';
import { inFile } from '../../support/lintedFile.ts';

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
