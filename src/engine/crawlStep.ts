import type { InputRequired, TreeNode } from '../contract/tree.ts';
import type { TreeStep } from '../model/treeBuild.ts';
import type { CrawlNode } from './crawlNode.ts';

/** A node with its place in the tree. */
export const stepOf = (node: Readonly<CrawlNode>): TreeStep => ({
  ...nodeOf(node),
  stepId: node.id,
  ...(node.parentId === undefined ? {} : { parentId: node.parentId }),
});

/** A node as the interface shows it, without what depends on its place (path) or on the reader (audioUrl). */
export function nodeOf(node: Readonly<CrawlNode>): TreeNode {
  const input = inputOf(node);
  return {
    stepId: node.id,
    label: node.label,
    depth: node.depth,
    status: node.status,
    stepType: node.phrase === undefined ? 'dtmf' : 'voice',
    ...(node.digit === undefined ? {} : { digit: node.digit }),
    ...(node.phrase === undefined
      ? {}
      : { spokenResponse: node.phrase, ...(node.transcript === undefined ? {} : { voicePrompt: node.transcript }) }),
    ...(node.transcript === undefined ? {} : { transcript: node.transcript }),
    ...(node.status === 'explored' ? { isTerminal: node.end !== undefined } : {}),
    ...(node.durationMs === undefined ? {} : { duration: Math.round(node.durationMs) / 1000 }),
    ...(node.promptStartMs === undefined || node.promptEndMs === undefined
      ? {}
      : { promptStartMs: node.promptStartMs, promptEndMs: node.promptEndMs }),
    ...(node.latencyMs === undefined ? {} : { latencyMs: node.latencyMs }),
    ...(node.end === undefined ? {} : { end: node.end }),
    ...(node.linksTo === undefined ? {} : { linksTo: node.linksTo }),
    ...(node.reading && node.reading.options.length > 0 ? { options: [...node.reading.options] } : {}),
    ...(node.reading && node.reading.speech.length > 0 ? { phrases: [...node.reading.speech] } : {}),
    ...(node.hidden ? { hidden: true } : {}),
    ...(node.reason === undefined || node.status === 'explored' ? {} : { reason: node.reason }),
    ...(input === undefined ? {} : { inputRequired: input }),
  };
}

function inputOf({ reading, transcript, words }: Readonly<CrawlNode>): InputRequired | undefined {
  const input = reading?.input;
  if (!input) return undefined;
  const request = words?.find(({ text }) =>
    /^(?:re-?enter|enter|key|type|dial|say|provide|input)$/i.test(text.replace(/\W/g, '')),
  );
  return {
    type: input.type,
    ...(transcript === undefined ? {} : { description: sentenceAsking(transcript) }),
    ...(input.digits === null ? {} : { formatHint: `${String(input.digits)} digits` }),
    ...(input.terminator === null ? {} : { terminator: input.terminator }),
    ...(request ? { startTimeMs: Math.max(0, Math.round(request.startMs)) } : {}),
  };
}

/** The sentence that asks, without its surroundings. */
function sentenceAsking(transcript: string): string {
  const sentences = transcript.split(/(?<=[.?!])\s+/);
  return (
    sentences.find((sentence) => /\b(?:enter|key in|type|dial|say|provide|input)\b/i.test(sentence)) ?? transcript
  ).trim();
}
