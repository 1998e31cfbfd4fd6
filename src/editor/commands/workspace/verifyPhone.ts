import { limits, mobileExample } from '../../../contract/limits.ts';
import type { FreeGrantOutcome } from '../../../contract/workspace.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { CommandId } from '../../basics/commandTable.ts';
import type { Action } from '../../basics/dialogs/dialogs.ts';
import { isCode, isTypedError } from '../../basics/errors.ts';
import type { L10n } from '../../basics/localise.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

interface VerifyParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly run: (id: CommandId) => unknown;
}

/**
 * Asks for a mobile number, has a code sent to it, asks for the code, and shows the result. Asks again for anything
 * that can be corrected.
 */
export async function verifyPhone(parts: VerifyParts): Promise<void> {
  const person = await askNumber(parts);
  if (person) await askCode(parts, person);
}

/** A person to verify, and the person they replace if the workspace has reached its maximum of verified people. */
interface Person {
  readonly phoneNumber: string;
  readonly replaces?: string;
}

/** Returns the person to whom a code was sent. */
async function askNumber(parts: VerifyParts): Promise<Person | undefined> {
  const { dialogs, l10n } = parts;
  const prompt = l10n.t(
    "The mobile number of the person responsible for this workspace's calls. The service sends them a code by SMS.",
  );
  let value = '';
  let refusal: string | undefined;
  for (;;) {
    const typed = (
      await dialogs.ask({ title: l10n.t('Verify a Phone'), prompt, value, refusal, placeHolder: mobileExample })
    )?.trim();
    if (typed === undefined || typed === '') return undefined;
    try {
      return await sendCode(parts, { phoneNumber: typed });
    } catch (error) {
      refusal = numberRefusal(error, l10n);
      if (refusal === undefined) throw error;
      value = typed;
    }
  }
}

async function askCode(parts: VerifyParts, person: Person): Promise<void> {
  const { dialogs, l10n } = parts;
  const { phoneNumber } = person;
  const digits = limits.anchors.codeDigits;
  let prompt = l10n.t(
    'Enter the {0}-digit code that was sent to {1}, or leave the field empty to get a new code.',
    digits,
    phoneNumber,
  );
  let value = '';
  let refusal: string | undefined;
  for (;;) {
    const code = (
      await dialogs.ask({
        title: l10n.t('Verify a Phone'),
        prompt,
        value,
        refusal,
        check: (text) =>
          text.trim() === '' || text.replaceAll(/\D/g, '').length === digits
            ? undefined
            : l10n.t('Enter all {0} digits of the code.', digits),
      })
    )?.trim();
    if (code === undefined) return;
    if (code === '') {
      if (!(await sendCode(parts, person))) return;
      prompt = l10n.t('Sent a new code to {0}. Enter all {1} digits of the code.', phoneNumber, digits);
      value = '';
      refusal = undefined;
      continue;
    }
    try {
      const outcome = await verifyCode(parts, person, code);
      if (outcome !== undefined) await tellOutcome(parts, { person, code, outcome });
      return;
    } catch (error) {
      if (!isCode(error, 'bad_code')) throw error;
      refusal = l10n.t(
        'That code is wrong or older than {0} minutes. Check the code, or leave the field empty to get a new one.',
        limits.anchors.codeSeconds / 60,
      );
      value = code;
    }
  }
}

/**
 * Returns the person to whom a code was sent, or undefined if another person had to be replaced and the user cancelled.
 */
function sendCode(parts: VerifyParts, person: Person): Promise<Person | undefined> {
  const { client, dialogs, l10n } = parts;
  return replacing(parts, person, async (one) => {
    await dialogs.wait(l10n.t('Sending a code to {0}…', one.phoneNumber), (signal) =>
      client.call('requestAnchorCode', one, { signal }),
    );
    return one;
  });
}

/** Returns undefined if another person had to be replaced and the user cancelled. */
function verifyCode(parts: VerifyParts, person: Person, code: string): Promise<FreeGrantOutcome | undefined> {
  const { client, dialogs, l10n } = parts;
  return replacing(
    parts,
    person,
    async (one) =>
      (
        await dialogs.wait(l10n.t('Verifying {0}…', one.phoneNumber), (signal) =>
          client.call('verifyAnchorCode', { ...one, code }, { signal }),
        )
      ).freeGrantOutcome,
  );
}

/** Does the work. If the workspace is full, asks which person to replace and does it again. */
async function replacing<Result>(
  { client, dialogs, l10n }: VerifyParts,
  person: Person,
  work: (person: Person) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work(person);
  } catch (error) {
    if (!isCode(error, 'anchor_limit_reached')) throw error;
    const { anchors } = await client.call('getWorkspaceUsage', {});
    const replaces = await dialogs.pick(
      anchors.map((one) => ({
        label: one.phoneNumber,
        description: l10n.t('verified {0}', one.verifiedAt.slice(0, 10)),
        value: one.phoneNumber,
      })),
      {
        title: l10n.t('Verify a Phone'),
        placeHolder: l10n.t(
          'The workspace has reached its limit of verified people. Which number do you want to replace with {0}?',
          person.phoneNumber,
        ),
      },
    );
    return replaces === undefined ? undefined : work({ ...person, replaces });
  }
}

/** Returns a message for refusals that another number can correct. */
function numberRefusal(error: unknown, l10n: L10n): string | undefined {
  switch (isTypedError(error) ? error.reason : undefined) {
    case 'unparseable':
      return l10n.t(
        "That isn't a phone number. Enter a mobile number in international form, such as {0}.",
        mobileExample,
      );
    case 'country_not_supported':
      return l10n.t(
        'The service sends codes only to mobile numbers in the United Kingdom, Guernsey, Jersey, the Isle of Man and the United States. Enter another number.',
      );
    case 'not_a_mobile':
      return l10n.t("That isn't a mobile number, and a landline can't receive the code. Enter a mobile number.");
    case 'already_anchored':
      return l10n.t(
        'That number is already verified for another workspace. Enter another number, or remove this one from the other workspace first.',
      );
    default:
      return undefined;
  }
}

interface Verified {
  readonly person: Person;
  readonly code: string;
  readonly outcome: FreeGrantOutcome;
}

async function tellOutcome(parts: VerifyParts, { person, code, outcome }: Verified): Promise<void> {
  const { dialogs, run, l10n } = parts;
  const { phoneNumber } = person;
  const usage: Action = { title: l10n.t('Show Usage'), run: () => run('dialtree.workspace.showUsage') };
  switch (outcome) {
    case 'granted':
      return dialogs.tell(l10n.t('Verified {0}. The workspace now has its free minutes.', phoneNumber), usage);
    case 'already-granted':
      return dialogs.tell(
        l10n.t('Verified {0}. This workspace has already received the free minutes for this phone.', phoneNumber),
        usage,
      );
    case 'not-owed':
      return dialogs.tell(
        l10n.t(
          "Verified {0}, but this service doesn't give free minutes for this phone. Ask the operator of the server for minutes.",
          phoneNumber,
        ),
        usage,
      );
    case 'refused':
      return dialogs.tell(
        l10n.t(
          'Verified {0}, but the service refused the free minutes for this phone. Ask the operator of the server for minutes.',
          phoneNumber,
        ),
        usage,
      );
    case 'unavailable':
      return dialogs.tell(
        l10n.t("Verified {0}, but couldn't add the free minutes. Try again in a minute.", phoneNumber),
        {
          title: l10n.t('Try Again'),
          run: async () => {
            const again = await verifyCode(parts, person, code);
            if (again !== undefined) await tellOutcome(parts, { person, code, outcome: again });
          },
        },
      );
  }
}
