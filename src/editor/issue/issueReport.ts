import type { Configuration } from '../basics/settings.ts';
import { codeBlock } from '../../base/codeBlock.ts';
import { redact, type Private } from './redact.ts';

export interface IssueFacts {
  /** Names and values, such as `Extension` and `0.1.0`. */
  readonly environment: readonly (readonly [name: string, value: string])[];
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** Oldest first. */
  readonly log: readonly string[];
  readonly private: Private;
}

/**
 * Writes a report as Markdown, which the user reads before it goes anywhere. It is in English for its recipients,
 * whatever the display language; `note`, which says this to the user, isn't. It contains no words or keys of a call.
 * Numbers, keys, hosts and names are replaced by placeholders.
 */
export function writeIssue({ environment, settings, log, private: known }: IssueFacts, note: string): string {
  const clean = (text: string): string => redact(text, known);
  const lines = (pairs: IssueFacts['settings']): string =>
    pairs.map(([name, value]) => `- ${name}: ${oneLine(clean(value))}`).join('\n');
  return `${[
    `<!-- ${note.replaceAll('--', '–')} -->`,
    '# What happened',
    '…',
    '## What should have happened',
    '…',
    '## How to make it happen again',
    '1. …',
    '## Environment',
    lines(environment),
    '## Settings',
    lines(settings),
    '## Log, newest last',
    codeBlock(log.map(clean).join('\n')),
  ].join('\n\n')}\n`;
}

interface Property {
  readonly enum?: readonly string[] | undefined;
  readonly default?: unknown;
}

/**
 * Describes the extension's settings by its manifest: numbers, switches and choices with their values, and for all
 * others whether they are set.
 */
export function describeSettings(
  properties: Readonly<Record<string, Property>>,
  configuration: Configuration,
): [name: string, value: string][] {
  return Object.entries(properties).map(([name, property]) => {
    const value = configuration.get(name.replace(/^dialtree\./, ''));
    return [name, JSON.stringify(value) === JSON.stringify(property.default) ? 'default' : describe(value, property)];
  });
}

function describe(value: unknown, { enum: choices }: Property): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return choices?.includes(value) === true ? value : 'set';
  if (Array.isArray(value)) return `${String(value.length)} entries`;
  return typeof value === 'object' && value !== null ? `${String(Object.keys(value).length)} entries` : 'set';
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
