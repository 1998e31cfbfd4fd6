import { recordingsIn } from '../reading/ivrPrompts.ts';
import { membersOf, nodeAt, type ParsedFile } from '../../folders/parsedFile.ts';
import { isRelative } from '../reading/relativePath.ts';
import { insideQuotes, type TextSpan } from '../reading/span.ts';

interface FileLink extends TextSpan {
  readonly path: string;
}

export function fileLinks({ root, text, kind }: ParsedFile): FileLink[] {
  const nodes =
    kind === 'ivr'
      ? membersOf(nodeAt(root, ['states'])).flatMap(({ value }) => recordingsIn(value))
      : [nodeAt(root, ['ivr']), nodeAt(root, ['rowsFile'])];
  return nodes.flatMap((node) => {
    const path: unknown = node?.value;
    return node && typeof path === 'string' && isRelative(path) ? [{ ...insideQuotes(text, node), path }] : [];
  });
}
