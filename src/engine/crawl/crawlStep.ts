import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { MenuInput } from '../../contract/menu.ts';
import type { InputRequired, TreeNode } from '../../contract/tree.ts';
import type { TreeStep } from '../../model/tree/treeBuild.ts';
import type { CrawlNode } from './crawlNode.ts';

export const stepOf = (node: Readonly<CrawlNode>): TreeStep => ({
  ...nodeOf(node),
  stepId: node.id,
  ...withoutUndefined({ parentId: node.parentId }),
});

/** Returns a node as the interface shows it, without what depends on its place (path) or on the reader (audioUrl). */
export function nodeOf(node: Readonly<CrawlNode>): TreeNode {
  const { phrase, transcript, durationMs, promptStartMs, promptEndMs, reading } = node;
  const explored = node.status === 'explored';
  const spoken = phrase !== undefined;
  const placed = promptStartMs !== undefined && promptEndMs !== undefined;
  return withoutUndefined({
    stepId: node.id,
    label: node.label,
    depth: node.depth,
    status: node.status,
    stepType: node.byWaiting ? undefined : spoken ? ('voice' as const) : ('dtmf' as const),
    byWaiting: node.byWaiting,
    digit: node.digit,
    spokenResponse: phrase,
    voicePrompt: spoken ? transcript : undefined,
    transcript,
    isTerminal: explored ? node.end !== undefined : undefined,
    duration: durationMs === undefined ? undefined : Math.round(durationMs) / 1000,
    ...(placed && { promptStartMs, promptEndMs }),
    latencyMs: node.latencyMs,
    end: node.end,
    linksTo: node.linksTo,
    options: unlessEmpty(reading?.options),
    phrases: unlessEmpty(reading?.speech),
    hidden: node.hidden || undefined,
    unsure: node.unsure || undefined,
    reason: explored ? (node.foreign ? isForeign : (transferOf(node) ?? node.reason)) : node.reason,
    inputRequired: inputOf(node),
  });
}

const isForeign = "This prompt isn't in English, so Dialtree doesn't know what it offers.";
const transferOf = ({ transferTo }: Readonly<CrawlNode>): string | undefined =>
  transferTo === undefined ? undefined : `Transferred by REFER to ${transferTo}, which Dialtree doesn't follow.`;

const unlessEmpty = <Item>(items: readonly Item[] = []): Item[] | undefined =>
  items.length > 0 ? [...items] : undefined;

const unreadInput: MenuInput = { type: 'other', digits: null, terminator: null };

function inputOf({
  end,
  reading,
  transcript,
  words,
  promptStartMs = 0,
}: Readonly<CrawlNode>): InputRequired | undefined {
  // A request can be recognised by its manner, although its words weren't understood.
  const input = reading?.input ?? (end === 'input' ? unreadInput : undefined);
  // A person who asks for a number hears it.
  if (!input || end === 'human') return undefined;
  const request = words?.find(({ text }) =>
    /^(?:re-?enter|enter|key|type|dial|say|provide|input)$/i.test(text.replace(/\W/g, '')),
  );
  return withoutUndefined({
    type: input.type,
    description: transcript === undefined ? undefined : sentenceAsking(transcript),
    formatHint: input.digits === null ? undefined : `${String(input.digits)} digits`,
    terminator: input.terminator ?? undefined,
    // Word times count from the prompt's first sound. The step's audio also contains the silence before it.
    startTimeMs: request && Math.max(0, Math.round(promptStartMs + request.startMs)),
  });
}

function sentenceAsking(transcript: string): string {
  const sentences = transcript.split(/(?<=[.?!])\s+/);
  return (
    sentences.find((sentence) => /\b(?:enter|key in|type|dial|say|provide|input)\b/i.test(sentence)) ?? transcript
  ).trim();
}
