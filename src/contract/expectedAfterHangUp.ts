/** A member that has no effect, and what to do instead. */
export interface Unheard {
  readonly member: 'expectedTranscript' | 'expectedEnd';
  readonly message: string;
}

const members = ['expectedTranscript', 'expectedEnd'] as const;
const message =
  'This step hangs up, and nothing is heard after that. Expect it of a step before, or make this one an "expect" step: after the last step the call is hung up in any case.';

/** What a step expects that hangs up. */
export const expectedAfterHangUp = (
  step: { readonly action: { readonly type: string } } & { readonly [member in (typeof members)[number]]?: unknown },
): readonly Unheard[] =>
  step.action.type === 'hangUp'
    ? members.filter((member) => step[member] !== undefined).map((member) => ({ member, message }))
    : [];
