/** Returns how a test's call ended: the last of its events. */
export async function callEnd<Ended>(
  events: AsyncIterable<{ readonly type: 'ended'; readonly ended: Ended } | { readonly type: string }>,
): Promise<Ended> {
  for await (const event of events) if ('ended' in event) return event.ended;
  throw new Error('The call ended without telling how.');
}
