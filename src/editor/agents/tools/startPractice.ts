import * as z from 'zod';
import type { PracticeIvr } from '../../host/practiceNotes.ts';
import { sampleLabels } from '../../host/samples.ts';
import { agentTool, type AgentTool } from './agentTool.ts';
import { exactlyOne, oneOf } from './toolInput.ts';
import type { ToolParts } from './toolParts.ts';

const ways = ['sample', 'file'] as const;
const inputSchema = z
  .object({
    sample: z.enum(Object.keys(sampleLabels)).optional().describe('One that comes with Dialtree'),
    file: z
      .string()
      .min(1)
      .max(1000)
      .regex(/\.ivr\.json$/, 'The name of a practice IVR ends with .ivr.json.')
      .optional()
      .describe('Path of an *.ivr.json in the workspace'),
  })
  .strict()
  .refine(exactlyOne(ways), oneOf(ways));

/** Starts a practice IVR on this machine. It can be called without asking, and costs nothing. */
export const startPracticeTool = ({ practice, l10n }: ToolParts): AgentTool =>
  agentTool({
    name: 'dialtree_startPractice',
    input: inputSchema,
    doing: ({ sample, file = '' }) => l10n.t('Starting the practice IVR {0}', sample ?? file),
    async run({ sample, file = '' }) {
      const ivr = await practice.play(sample === undefined ? { file } : { sample });
      const others = practice.running.filter((other) => other.file !== ivr.file);
      return [
        () =>
          [
            `${line(ivr)} It may be called from now on, until this window closes.`,
            ...others.map((other) => `Also running: ${line(other)}`),
          ].join('\n'),
      ];
    },
  });

const line = ({ name, uri }: PracticeIvr): string => `“${name}” answers at ${uri}.`;
