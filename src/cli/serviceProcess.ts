import { serveUntilStopped } from './serve/serve.ts';

void serveUntilStopped(process.argv.slice(2)).then((code) => {
  process.exit(code);
});
