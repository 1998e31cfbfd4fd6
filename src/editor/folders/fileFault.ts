import { HumanError } from '../../contract/errors.ts';
import { isTooLarge, maxFileBytes } from '../../base/fileSize.ts';
import type { L10n } from '../basics/localise.ts';

/**
 * Turns a file error into a message for the user; the editor's `FileSystemError` has a code. `name` is how the file is
 * shown.
 */
export function readFault(error: unknown, name: string, l10n: L10n): HumanError {
  const fault = (message: string, code: string): HumanError =>
    new HumanError(message, { status: 400, code, cause: error });
  switch (codeOf(error)) {
    case 'FileNotFound':
      return fault(l10n.t("The file {0} doesn't exist. Restore the file, or correct the reference.", name), 'no_file');
    case 'FileIsADirectory':
      return isFolder(name, l10n);
    case 'NoPermissions':
      return fault(
        l10n.t("Couldn't read {0}: permission denied. Change the file permissions, then try again.", name),
        'file_unreadable',
      );
    default:
      return fault(
        l10n.t(
          "Couldn't read {0}: {1} Check that the disk or server is available, then try again.",
          name,
          sentence(error),
        ),
        'file_unreadable',
      );
  }
}

export const isFolder = (name: string, l10n: L10n): HumanError =>
  new HumanError(l10n.t('{0} is a folder or a device. Use a file instead.', name), {
    status: 400,
    code: 'file_unreadable',
  });

export const tooLarge = (name: string, l10n: L10n): HumanError =>
  new HumanError(l10n.t('{0} is larger than {1} MB. Split the file, or shorten it.', name, maxFileBytes / 1e6), {
    status: 400,
    code: 'file_unreadable',
  });

export function notTooLarge(text: string, name: string, l10n: L10n): string {
  if (isTooLarge(text)) throw tooLarge(name, l10n);
  return text;
}

export const notUtf8 = (name: string, l10n: L10n, cause: unknown): HumanError =>
  new HumanError(l10n.t("{0} isn't encoded in UTF-8. Save the file as UTF-8.", name), {
    status: 400,
    code: 'file_unreadable',
    cause,
  });

/** A test without an id gets one before it is run, which writes the file. */
export const writeFault = (error: unknown, name: string, l10n: L10n): HumanError =>
  error instanceof HumanError
    ? error
    : new HumanError(
        l10n.t("Couldn't write {0}. Check that the file isn't write-protected and that the disk isn't full.", name),
        { status: 400, code: 'file_unwritable', cause: error },
      );

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function sentence(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
