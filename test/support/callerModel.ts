import { criterionTitle, quotesTitle, judgedTranscriptTitle as callTitle } from '../../src/language/judge/prompts.ts';
import { ownMissionTitle, promptTitle, readingTitle } from '../../src/language/mission/decideByModel.ts';
import type { MenuReading } from '../../src/contract/menu.ts';
import type { ChatReply, ChatRequest } from './chatServer.ts';

/** A question to a model that calls or judges, with its parts. */
export interface ModelQuestion {
  readonly asked: 'decide' | 'judge' | 'bearing';
  /** Returns the text from this title to the next part, without the markers around data. */
  readonly part: (title: string) => string;
}

export function readQuestion({ body }: ChatRequest): ModelQuestion {
  const text = (body.messages ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')))
    .join('\n\n');
  return {
    asked: text.includes(quotesTitle) ? 'bearing' : text.includes(criterionTitle) ? 'judge' : 'decide',
    part(title) {
      const at = text.indexOf(title);
      if (at < 0) throw new Error(`The question holds no "${title}".`);
      const rest = text.slice(at + title.length).replace(/^:?\n/, '');
      return /^<(data-\w+)>\n([^]*?)\n<\/\1>/.exec(rest)?.[2] ?? rest.split('\n\n')[0] ?? '';
    },
  };
}

/** A caller who asks for an account balance, and a judge of such calls. Both use only what the question says. */
export function answerAsCaller(question: ModelQuestion): ChatReply {
  if (question.asked === 'bearing') return { answer: { shows: true } };
  return { answer: question.asked === 'judge' ? judge(question.part(callTitle)) : decide(question) };
}

const balance = /you have .*dollars/i;

function decide({ part }: ModelQuestion): object {
  const prompt = part(promptTitle);
  const { options } = JSON.parse(part(readingTitle)) as MenuReading;
  const nothing = { keys: null, text: null, reason: null };
  if (balance.test(prompt)) return { ...nothing, action: 'hangUp', reason: 'reached', why: 'The balance was told.' };
  if (/enter/i.test(prompt))
    return {
      ...nothing,
      action: 'press',
      keys: `${/\d{8}/.exec(part(ownMissionTitle))?.[0] ?? ''}#`,
      why: 'The number is asked for.',
    };
  const key = options.find(({ label }) => /balance/i.test(label))?.key;
  return key === undefined
    ? { ...nothing, action: 'wait', why: 'Nothing is offered yet.' }
    : { ...nothing, action: 'press', keys: key, why: 'The way to the balance.' };
}

function judge(transcript: string): object {
  const line = transcript.split('\n').find((one) => /^\d+\. them: /.test(one) && balance.test(one)) ?? '';
  const [turn = '', quote = ''] = [/^\d+/.exec(line)?.[0], balance.exec(line)?.[0]];
  return quote === ''
    ? { reasoning: 'No balance was told.', verdict: 'fail', evidence: [] }
    : { reasoning: 'The balance was told.', verdict: 'pass', evidence: [{ turn: Number(turn), quote }] };
}
