/** A property that has no effect, and what to do instead. */
interface Unheard {
  readonly member: 'expectedTranscript' | 'expectedEnd';
  readonly message: string;
}

const members = ['expectedTranscript', 'expectedEnd'] as const;
const message =
  'This step hangs up, so nothing is heard after it. Move the expectation to an earlier step, or make this step an "expect" step. Dialtree always hangs up after the last step.';

export const expectedAfterHangUp = (
  step: { readonly action: { readonly type: string } } & { readonly [member in (typeof members)[number]]?: unknown },
): readonly Unheard[] =>
  step.action.type === 'hangUp'
    ? members.filter((member) => step[member] !== undefined).map((member) => ({ member, message }))
    : [];
