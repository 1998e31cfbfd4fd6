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

const sent = (code: string) => ({ ...inFile('src/engine/crawl/x.ts', code), errors: [{ message: /Use Door\.$/ }] });

new RuleTester().run('the lint rule for the door of keys and words', plugin.rules.sending, {
  valid: [
    inFile('src/engine/call/door.ts', 'call.press(keys as Cleared);'),
    inFile('src/engine/call/conversation.ts', 'leg.sendDigits(keys);'),
    inFile('src/engine/crawl/x.ts', 'door.send({ press: key });'),
  ],
  invalid: [sent('call.press(keys as Cleared);'), sent('leg.sendDigits(keys);')],
});
