// Prints every budget as a ratio to a reference of the same run. `node test/bench/run.ts [NAME…] [--trees N]`
import { parseArgs } from 'node:util';
import { measureActivation } from './activation.ts';
import { measureCalls } from './calls.ts';
import { measureCrawl } from './crawl.ts';
import { measureInterface } from './interface.ts';
import { measureLoad } from './load.ts';
import { measureMenus } from './menus.ts';
import { measureService } from './service.ts';
import { measureSpeech } from './speech.ts';
import { measureWaits } from './waits.ts';
import { measureWebview } from './webview.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trees: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    strange: { type: 'boolean', default: false },
    virtual: { type: 'boolean', default: false },
    ivr: { type: 'string', multiple: true, default: [] },
  },
});

const benches: Readonly<Record<string, () => unknown>> = {
  activation: measureActivation,
  service: measureService,
  menus: measureMenus,
  speech: measureSpeech,
  webview: measureWebview,
  calls: measureCalls,
  load: measureLoad,
  interface: measureInterface,
  waits: measureWaits,
  crawl: () => {
    const { trees, seed, strange, virtual, ivr: files } = values;
    return measureCrawl({ trees: Number(trees), seed: Number(seed), strange, virtual, files });
  },
};

for (const [name, measure] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n${name}`);
  await measure();
}
