import type { Location } from 'jsonc-parser';
import { contains } from '../../folders/parsedFile.ts';
import type { ReplacedRange, Suggestion } from './suggestion.ts';

/** Text without its closing quote reaches to the end of the line, so only the part before the cursor is replaced. */
export function slotOf(text: string, offset: number, { previousNode, path }: Location): ReplacedRange {
  if (
    !previousNode ||
    previousNode.type === 'object' ||
    previousNode.type === 'array' ||
    !contains(previousNode, offset)
  )
    return { offset, length: 0, path };
  const isOpen =
    previousNode.type === 'string' &&
    (previousNode.length < 2 || text[previousNode.offset + previousNode.length - 1] !== '"');
  return { offset: previousNode.offset, length: isOpen ? offset - previousNode.offset : previousNode.length, path };
}

export const inSlot = (
  { offset, length }: ReplacedRange,
  value: string,
): Pick<Suggestion, 'text' | 'offset' | 'length'> => ({
  text: JSON.stringify(value),
  offset,
  length,
});
