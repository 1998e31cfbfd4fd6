import { parentPort, threadId } from 'node:worker_threads';
import type { WorkerReply, WorkerRequest } from '../../../src/speech/workerProtocol.ts';

/**
 * Stands in for the models: loud audio is speech; an utterance louder than 20000 kills the thread. Texts name the
 * thread.
 */
const level = (pcm: Int16Array): number => pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

function answer(request: Exclude<WorkerRequest, { task: 'abandon' }>): WorkerReply {
  switch (request.task) {
    case 'detect': {
      const { pcm } = request.input;
      return {
        id: request.id,
        result: Float32Array.from({ length: pcm.length / 256 }, (_, at) =>
          level(pcm.subarray(at * 256, (at + 1) * 256)) > 500 ? 0.95 : 0.01,
        ),
      };
    }
    case 'recognise':
      if (level(request.input.pcm) > 20_000) process.exit(3);
      return {
        id: request.id,
        result: { text: `thread ${threadId}`, rawText: 'raw', words: [{ text: 'thread', startMs: 100, endMs: 200 }] },
      };
    case 'speak':
      return { id: request.id, result: Int16Array.of(threadId, request.input.text.length) };
    default:
      return { id: request.id, result: null };
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  if (request.task !== 'abandon') parentPort?.postMessage(answer(request));
});
