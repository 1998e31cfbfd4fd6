import { serve } from '../cli/serve.ts';

void serve(process.argv.slice(2)).then((code) => { process.exit(code); });
