import { applyEdits, type Edit } from 'jsonc-parser';
import { nodeAt, parseFile, type FileKindName } from '../folders/parsedFile.ts';
import { insideQuotes, type TextSpan } from './reading/span.ts';

export type NewKind = Exclude<FileKindName, 'calltree' | 'probe'>;

export type TemplateName = NewKind | 'calltest-voice';

export type NewTarget = { readonly phoneNumber: string } | { readonly ivr: string };

/** The parts of a template that the user edits first. */
const begun: Readonly<Record<NewKind, (string | number)[]>> = {
  mission: ['mission'],
  calltest: ['steps', 0, 'expectedTranscript'],
  ivr: ['states', 'main', 'prompt'],
};

/** Fills a template with its name and target. `selection` is the text to overwrite first. */
export function fillTemplate(
  kind: NewKind,
  template: string,
  name: string,
  target: NewTarget | undefined,
): { readonly text: string; readonly selection: TextSpan } {
  const { root } = parseFile(kind, '', template);
  const edits: Edit[] = [];
  const title = nodeAt(root, ['name']);
  if (title) edits.push({ offset: title.offset, length: title.length, content: JSON.stringify(name) });
  const called = nodeAt(root, ['phoneNumber'])?.parent;
  if (called && target) {
    const [member, value] = 'ivr' in target ? ['ivr', target.ivr] : ['phoneNumber', target.phoneNumber];
    edits.push({
      offset: called.offset,
      length: called.length,
      content: `${JSON.stringify(member)}: ${JSON.stringify(value)}`,
    });
  }
  const text = applyEdits(template, edits);
  const first = nodeAt(parseFile(kind, '', text).root, begun[kind]);
  return { text, selection: first ? insideQuotes(text, first) : { offset: text.length, length: 0 } };
}

export function fileNameFor(name: string, kind: NewKind, taken: ReadonlySet<string>): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  const stem = words === '' ? kind : words;
  let file = `${stem}.${kind}.json`;
  for (let number = 2; taken.has(file); number += 1) file = `${stem}-${String(number)}.${kind}.json`;
  return file;
}
