import { serve } from './serve.ts';

void serve(process.argv.slice(2)).then((code) => {
  process.exit(code);
});
