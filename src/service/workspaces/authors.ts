import { HumanError } from '../../contract/errors.ts';
import type { MappingConfig } from '../../contract/mapping.ts';
import type { Launcher } from './principal.ts';

const limitedKey = (message: string): HumanError => new HumanError(message, { status: 403, code: 'limited_key' });

/** Lets a limited key change and delete only what it made. @throws HumanError 403 `limited_key` */
export function demandMade({ keyId, limits }: Launcher, madeBy: string | null): void {
  if (limits && madeBy !== keyId)
    throw limitedKey(
      'This API key is limited, so it can change and delete only what it created itself. Create a copy, or ask the user to make the change.',
    );
}

type Guard = Pick<MappingConfig, 'allowedLabels' | 'pressUnsure'>;

/** Refuses a limited key that lets a mapping press more than before. @throws HumanError 403 `limited_key` */
export function demandNoLooser({ limits }: Launcher, before: Guard, after: Guard): void {
  const isLooser =
    (after.pressUnsure && !before.pressUnsure) ||
    after.allowedLabels.some((label) => !before.allowedLabels.includes(label));
  if (limits && isLooser)
    throw limitedKey(
      "This API key is limited, so it can't allow a mapping to press more options (allowedLabels, pressUnsure). Ask the user to allow them.",
    );
}
