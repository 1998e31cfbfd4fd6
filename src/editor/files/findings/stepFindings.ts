import type { Node } from 'jsonc-parser';
import { expectedAfterHangUp } from '../../../contract/expectedAfterHangUp.ts';
import type { L10n } from '../../basics/localise.ts';
import { nodeAt, numberAt, type ParsedFile } from '../../folders/parsedFile.ts';
import { stepsOf, type TypedStep } from '../reading/testSteps.ts';
import { finding, replacing, type FileFinding, type Remedy, type Severity } from './finding.ts';

export function stepFindings(file: ParsedFile, l10n: L10n): FileFinding[] {
  const steps = stepsOf(file);
  return [
    ...orderFindings(steps, l10n),
    ...nothingChecked(file, steps, l10n),
    ...steps.flatMap((step) => [
      ...unheardFindings(step, l10n),
      ...thresholdFindings(step, l10n),
      ...timingFindings(step, l10n),
    ]),
  ];
}

function orderFindings(steps: readonly TypedStep[], l10n: L10n): FileFinding[] {
  const hangUp = steps.findIndex(({ type }) => type === 'hangUp');
  const late =
    hangUp < 0
      ? []
      : steps.slice(hangUp + 1).map(({ node }) => {
          const message = l10n.t('Step {0} has already hung up, so this step hears nothing.', hangUp + 1);
          return finding('warning', 'after-hang-up', nameOf(node), message);
        });
  const message = l10n.t(
    'The first step always places the call, whatever its action is, so the call is already connected at this step.',
  );
  const again = steps
    .filter(({ type, index }) => type === 'dial' && index > 0)
    .map(({ node }) => finding('information', 'second-dial', nameOf(node), message));
  return [...late, ...again];
}

/** Only the step's name is marked, because a whole underlined step is hard to read. */
const nameOf = (step: Node): Node => nodeAt(step, ['name']) ?? nodeAt(step, ['action', 'type']) ?? step;

function nothingChecked(file: ParsedFile, steps: readonly TypedStep[], l10n: L10n): FileFinding[] {
  const key = nodeAt(file.root, ['steps'])?.parent?.children?.[0];
  const nothing = (severity: Severity, node: Node, message: string): FileFinding[] => [
    finding(severity, 'no-expectation', node, message),
  ];
  if (key && steps.length > 0 && steps.every((step) => !checks(step)))
    return nothing(
      'warning',
      key,
      l10n.t(
        'No step checks anything, so this test passes as soon as the call is answered. Add an "expectedTranscript" to a step.',
      ),
    );
  return steps.flatMap((step) => {
    const { type, expects, expectsEnd } = step;
    const name = nameOf(step.node);
    if (type === 'expect' && !expects && !expectsEnd)
      return nothing(
        'information',
        name,
        l10n.t('This step passes whatever the IVR says. Add an "expectedTranscript".'),
      );
    return checks(step) || type === undefined || type === 'hangUp' || type === 'wait'
      ? []
      : nothing('hint', name, l10n.t('This step checks nothing, because it has no "expectedTranscript".'));
  });
}

const checks = ({ node, type, expects, expectsEnd }: TypedStep): boolean =>
  expects || expectsEnd || type === 'expect' || type === 'collect' || nodeAt(node, ['timing']) !== undefined;

/** Finds expectations of a step that hangs up. The service and the command line refuse them too. */
function unheardFindings({ node: step, type }: TypedStep, l10n: L10n): FileFinding[] {
  const kind = nodeAt(step, ['action', 'type']);
  return expectedAfterHangUp({
    action: { type: type ?? '' },
    expectedTranscript: nodeAt(step, ['expectedTranscript']),
    expectedEnd: nodeAt(step, ['expectedEnd']),
  }).flatMap(({ member, message }): FileFinding[] => {
    const value = nodeAt(step, [member]);
    const remedies = kind && {
      remedies: () => [replacing(l10n.t('Only listen here ("expect")'), kind, '"expect"')],
    };
    return value ? [finding('error', 'after-hang-up', value, message, remedies)] : [];
  });
}

function thresholdFindings({ node: step, expects }: TypedStep, l10n: L10n): FileFinding[] {
  const node = nodeAt(step, ['passThreshold']);
  const threshold = numberAt(step, 'passThreshold');
  if (!node || threshold === undefined) return [];
  if (!expects) {
    const message = l10n.t('A threshold has no effect without "expectedTranscript".');
    return [finding('hint', 'threshold', node, message, { isUnneeded: true })];
  }
  if (threshold !== 0 && threshold !== 1) return [];
  const message =
    threshold === 0
      ? l10n.t('Anything passes, even silence.')
      : l10n.t('A single misheard word makes this step fail, and speech recognition is rarely perfect.');
  const remedies = (): Remedy[] => [replacing(l10n.t('Set the threshold to 0.8'), node, '0.8')];
  return [finding('warning', 'threshold', node, message, { remedies })];
}

function timingFindings({ node: step }: TypedStep, l10n: L10n): FileFinding[] {
  const bound = (name: string): { readonly node: Node; readonly seconds: number } | undefined => {
    const node = nodeAt(step, ['timing', name]);
    const seconds = numberAt(step, 'timing', name);
    return node && seconds !== undefined ? { node, seconds } : undefined;
  };
  const [answer, prompt, silence] = [
    bound('answerWithinSeconds'),
    bound('promptWithinSeconds'),
    bound('silenceAtMostSeconds'),
  ];
  const impossible = (node: Node, message: string): FileFinding =>
    finding('warning', 'impossible-timing', node, message);
  const found = [answer, prompt, silence].flatMap((given) =>
    given?.seconds === 0 ? [impossible(given.node, l10n.t('A step with a limit of 0 seconds always fails.'))] : [],
  );
  if (prompt && silence && silence.seconds > 0 && silence.seconds < prompt.seconds) {
    found.push(
      impossible(
        silence.node,
        l10n.t(
          'The prompt may take {0} s, but the step fails after {1} s of silence. The longer limit has no effect.',
          prompt.seconds,
          silence.seconds,
        ),
      ),
    );
  }
  return found;
}
