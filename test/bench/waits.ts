import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls, type ScriptedCall } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

/** The most that the slowest answer after the end of its run takes, and the most that a waiting request costs. */
const budget = { answerMs: 100, cpuRatio: 1.5, requestKilobytes: 100 } as const;
const runs = 4;
const requestsEach = 50;
const quietMs = 4000;

/**
 * Measures 200 requests that wait for the ends of four runs, which hear something five times per second: the time from
 * the end of a run to the last answer, beside the event stream's; processor time and memory while they wait.
 */
export async function measureWaits(): Promise<void> {
  const fixture = new ServiceFixture();
  const calls = new ScriptedCalls();
  const { client, baseUrl, apiKey, close } = await fixture.start({ parts: { perform: calls.perform } });
  const get = (path: string): Promise<Response> => fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': apiKey } });
  try {
    const ids: string[] = [];
    const active: ScriptedCall[] = [];
    for (let run = 0; run < runs; run += 1) {
      const { items } = await client.call('runTest', { configId: randomUUID(), test: scriptInput('+12025550101') });
      ids.push(items[0]?.id ?? '');
      active.push(await calls.next());
    }
    const talking = async (): Promise<number> => {
      const before = process.cpuUsage();
      for (let spent = 0; spent < quietMs; spent += 200) {
        for (const call of active) call.heard('Please hold.');
        await delay(200);
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    await talking();
    const alone = await talking();
    const memory = process.memoryUsage().rss;
    const answers = ids.map((id) =>
      Array.from({ length: requestsEach }, () => get(`/testing/runs/${id}?waitSeconds=45`).then((one) => one.text())),
    );
    await delay(1000);
    const kilobytes = (process.memoryUsage().rss - memory) / 1024 / (runs * requestsEach);
    const waiting = await talking();
    const late: number[] = [];
    const bare: number[] = [];
    for (const [run, call] of active.entries()) {
      const stream = await get('/events');
      const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      await reader.read();
      const endedAt = performance.now();
      call.end();
      const event = (async (): Promise<void> => {
        for (let text = ''; !(text.includes(ids[run] ?? '') && text.includes('"ended":true'));)
          text += (await reader.read()).value ?? '';
        bare.push(performance.now() - endedAt);
      })();
      await Promise.all(answers[run] ?? []);
      late.push(performance.now() - endedAt);
      await event;
      await reader.cancel();
    }
    const [slowest, event] = [Math.max(...late), Math.max(...bare)];
    console.log(
      `  slowest of ${String(requestsEach)} answers ${((slowest - event) / budget.answerMs).toFixed(2)} × budget of ${String(budget.answerMs)} ms after the bare event (${(slowest / event).toFixed(1)} × it); processor time while ${String(runs * requestsEach)} requests wait ${(waiting / alone / budget.cpuRatio).toFixed(2)} × budget of ${String(budget.cpuRatio)} × that without them; memory ${(kilobytes / budget.requestKilobytes).toFixed(2)} × budget of ${String(budget.requestKilobytes)} kB per request`,
    );
  } finally {
    await close();
    await fixture.close();
  }
}
