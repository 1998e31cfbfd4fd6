/** A member that has no effect, and what to do instead. */
export interface Unheard { readonly member: 'expectedTranscript' | 'expectedEnd'; readonly message: string }

/** What a step that hangs up expects, although nothing is heard after it. */
export function expectedAfterHangUp({ action, expectedTranscript, expectedEnd }: { readonly action: { readonly type: string }; readonly expectedTranscript?: unknown; readonly expectedEnd?: unknown }): readonly Unheard[] {
  if (action.type !== 'hangUp') return [];
  const instead = 'before it, or make this one an "expect" step: after the last step the call is hung up in any case.';
  return [
    ...(expectedTranscript === undefined ? [] : [{ member: 'expectedTranscript', message: `This step hangs up, and nothing is heard after that. Expect these words of a step ${instead}` } as const]),
    ...(expectedEnd === undefined ? [] : [{ member: 'expectedEnd', message: `This step hangs up itself, so that the call ends in no other way. Expect how they end it of a step ${instead}` } as const]),
  ];
}
