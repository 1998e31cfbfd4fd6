import type { Edit, Node } from 'jsonc-parser';
import type { PlannedCalls } from '../../../contract/callPlan.ts';

type AsChecks = NonNullable<PlannedCalls['asChecks']>;

/** Replaces the acceptance criterion of a mission by checks. What no check can say stays as the criterion. */
export function turnIntoChecks(text: string, acceptance: Node, { checks, rest }: AsChecks): Edit[] {
  const { offset, length } = acceptance.parent ?? acceptance;
  const indent = /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, offset))?.[1] ?? '';
  const end = `${text.includes('\r\n') ? '\r\n' : '\n'}${indent}`;
  const entries = checks.map((check) => JSON.stringify(check, undefined, 1).replaceAll(/\n\s*/g, ' '));
  const kept = rest === undefined ? '' : `"acceptance": ${JSON.stringify(rest)},${end}`;
  const unit = indent === '' ? '  ' : indent;
  return [{ offset, length, content: `${kept}"checks": [${end}${unit}${entries.join(`,${end}${unit}`)}${end}]` }];
}
