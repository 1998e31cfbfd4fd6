import { main } from './main.ts';

// A reader that closes the pipe early (head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => { if (error.code === 'EPIPE') process.exit(0); else throw error; });

void main(process.argv.slice(2)).then((code) => { process.exitCode = code; });
