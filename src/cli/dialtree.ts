import { note } from './terminal/output.ts';
import { main } from './main.ts';
import { surviveOutputErrors } from './terminal/output.ts';

surviveOutputErrors(process.stdout, process.stderr, ({ message }) => {
  note(`Couldn't write all results: ${message}`);
  process.once('exit', (code) => {
    process.exitCode = code === 0 ? 1 : code;
  });
});

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
