import { keepCompiled } from './settings/compiledCode.ts';

// The service itself is another file, so that Node can take its compiled code from the folder.
keepCompiled(process.argv.slice(2));
void import('./serviceProcess.ts');
