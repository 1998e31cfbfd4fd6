import * as z from 'zod';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { PlanCalls, PlannedCalls } from '../../contract/callPlan.ts';
import type { Check } from '../../contract/checks.ts';
import { HumanError } from '../../contract/errors.ts';
import { readAcceptance } from '../../language/checks/acceptance.ts';
import type { JudgedMission } from '../../language/judge/judge.ts';
import type { PressRules } from '../../language/labels/pressRules.ts';
import { costOf } from '../../model/calls/callBudget.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import { assertListed } from '../numbers/allowList.ts';
import { PracticeStopped } from '../numbers/dialGate.ts';
import type { Dialling } from '../numbers/dialGate.ts';
import { consentRequired, forbiddenKeysOn, lacksConsent } from '../runs/permission.ts';
import { Account } from '../workspaces/account.ts';
import { readWorkspace } from '../workspaces/keys.ts';
import { assertKnown, isForKnown, isKnown } from '../workspaces/known.ts';
import { assertMinutes, boundsSeconds, leftFor, reserve } from '../workspaces/meters.ts';
import type { OperatorContact } from '../workspaces/operatorContact.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { assertKeysAllowed } from '../testing/planKeys.ts';
import { planSubject } from './planSubject.ts';
import type { PlanSubjectParts } from './planSubject.ts';

interface PlanCallsParts extends PlanSubjectParts {
  readonly now: () => Date;
  readonly contact?: OperatorContact;
  readonly sendsCodes: boolean;
  readonly hasModel: boolean;
}

/**
 * Returns what a launch would do and how it would be refused, with the same functions that launches use. Calls nothing
 * and reserves nothing.
 */
export async function planCalls(parts: PlanCallsParts, launcher: Launcher, input: PlanCalls): Promise<PlannedCalls> {
  const { workspaceId, limits } = launcher;
  const { lines, now } = parts;
  const { db } = parts.store;
  const subject = await planSubject(parts, launcher, input);
  const { phoneNumber, caller, dials, pool, needs } = subject;
  const workspace = await readWorkspace(db, workspaceId);
  const account = new Account(db, workspace, now(), { ...parts, launcher });
  const settings = await account.settings();
  const refusals: HumanError[] = [];
  const collect = async <Result>(work: () => Promise<Result> | Result): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HumanError)) throw error;
      refusals.push(error);
      return undefined;
    }
  };
  await collect(() => assertMinutes(account, pool));
  const dialling = await collect((): Dialling => {
    if (!dials) return { uri: '', lab: true };
    if (isForKnown(phoneNumber, caller)) assertKnown(workspace);
    try {
      return lines.resolve(phoneNumber, caller);
    } catch (error) {
      if (!(error instanceof PracticeStopped)) throw error;
      refusals.push(error);
      return { uri: '', lab: true };
    }
  });
  if (dialling && dials) await collect(() => assertListed(phoneNumber, limits, dialling));
  const needsConsent = dialling !== undefined && (await lacksConsent(db, workspaceId, dialling));
  if (needsConsent) refusals.push(await consentRequired(db, launcher, dialling.consentFor ?? phoneNumber, dialling));
  const live = dialling?.lab !== true;
  const presses = dialling ? subject.forbidden(await forbiddenKeysOn(db, workspaceId, dialling)) : [];
  await collect(() => assertKeysAllowed(presses));
  await collect(subject.assertReady);
  const costPerMinute = dialling?.costPerMinute;
  const reservation = await collect(() =>
    reserve(account, pool, { ...needs, costPerMinute, tokens: subject.wanted && parts.hasModel ? 1 : 0 }),
  );
  const secondsAtMost = reservation?.secondsAtMost ?? needs.seconds;
  const [refusal] = refusals;
  return {
    phoneNumber,
    calls: needs.calls,
    secondsAtMost,
    bounded: subject.bounded || boundsSeconds(workspace, settings, limits),
    needsConsent,
    forbiddenKeys: [...presses],
    riskyKeys: [...(await subject.risky(live))],
    ...(live && alsoPressed(subject.presses)),
    ...(subject.wanted && readCriterion(subject.wanted, parts.hasModel)),
    ...withoutUndefined({
      updatedAt: subject.updatedAt,
      route: dialling && shownRoute(dialling, isKnown(workspace)),
      cost: costPerMinute === undefined ? undefined : costAt(costPerMinute, secondsAtMost, settings.currency),
    }),
    // 402: the minutes or a budget, whichever is too low.
    budget: { fits: !refusals.some(({ status }) => status === 402), ...(await leftFor(account, pool)) },
    ...(refusal && { refusal: shownRefusal(refusal) }),
  };
}

const alsoPressed = ({ allowedLabels = [], pressUnsure }: PressRules = {}): Pick<
  PlannedCalls,
  'allowedLabels' | 'pressUnsure'
> => ({
  ...(allowedLabels.length > 0 && { allowedLabels: [...allowedLabels] }),
  ...(pressUnsure === true && { pressUnsure }),
});

/** With checks, nothing is left: they decide. */
function readCriterion(
  { acceptance, checks: given }: JudgedMission,
  hasModel: boolean,
): Pick<PlannedCalls, 'unjudged' | 'asChecks'> {
  if (given?.length) return {};
  const { checks, unread } = readAcceptance(acceptance);
  const rest = unread.length === 0 ? {} : { rest: unread.map((part) => `${part}.`).join(' ') };
  return {
    ...(!hasModel && unread.length > 0 && { unjudged: [...unread] }),
    ...(checks.length > 0 && {
      asChecks: { checks: checks.map(({ name: _name, ...check }): Check => check), ...rest },
    }),
  };
}

const costAt = (perMinute: number, seconds: number, currency: string): PlannedCalls['cost'] => ({
  amount: Math.round(costOf(seconds, perMinute) * 1e6) / 1e6,
  currency,
  perMinute,
});

/** Only the host, because the address of a trunk can contain a password. Hosts are shown to `known` workspaces. */
function shownRoute({ uri, lab }: Dialling, known: boolean): string | undefined {
  if (lab) return 'lab';
  return known ? (parseUri(uri)?.host ?? '') : undefined;
}

const detailsSchema = z.record(z.string(), z.unknown());

function shownRefusal({ status, code = '', message, details, claim }: HumanError): PlannedCalls['refusal'] {
  return { status, code, message, ...withoutUndefined({ details: detailsSchema.safeParse(details).data, claim }) };
}
