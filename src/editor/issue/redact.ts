import { patternWith } from '../../base/rows.ts';
import { escapeRegExp } from '../../base/escape.ts';
import { spellingsOf } from '../../model/secrets/hideValues.ts';
import { scrub } from '../../model/secrets/scrub.ts';

export interface Private {
  /** The user's folders, each with its replacement. */
  readonly folders: readonly (readonly [folder: string, instead: string])[];
  /** Hosts of services, trunks and models, and other names in the settings. */
  readonly names: readonly string[];
}

/** Hosts that identify no one. */
const own = String.raw`127(?:\.\d{1,3}){3}|localhost|\[::1\]`;

const forms: readonly (readonly [form: RegExp, instead: string])[] = [
  [/\b(?:Bearer|Basic) +[^\s"\\]+/gi, '[redacted]'],
  // The rest of an address after its scheme: path and query reveal as much as the host.
  [
    patternWith('gi')`
      \b(https?|wss?|ftp|file|vscode-\w+):\/\/(?!(?:${own})[:/\s]|(?:${own})$)(?:\[redacted\]|[^\s"'<>)\]])+
    `,
    '$1://[redacted]',
  ],
  [new RegExp(String.raw`\b(sips?|tel):(?:\[redacted\]|[^\s"'<>,;)\]])+`, 'gi'), '$1:[redacted]'],
  // IPv4 and IPv6.
  [/(?<![\w.])(?!127\.)\d{1,3}(?:\.\d{1,3}){3}(?![\w.])/g, '[redacted]'],
  [
    patternWith('gi')`
      (?<![\w:])(?!::1\b)(?:[\da-f]{1,4}:){3,7}(?::|[\da-f]{1,4})(?![\w:])
      |(?<![\w:])[\da-f]{1,4}(?::[\da-f]{1,4})*::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?(?![\w:])
    `,
    '[redacted]',
  ],
  // Digits that someone typed or pressed, in any grouping. Times and versions are shorter or contain points.
  [/(?<![\w.:-])\(?\d(?:[ ()/-]{0,2}\d){5,}(?![\w.:-])/g, '[redacted]'],
  [/\[keys [^\]]{1,64}\]/g, '[keys redacted]'],
  [
    patternWith('gi')`
      (
        (?:password\w*|passwort|secret|token|pin|api[-_ ]?key|authorization)["']?\s*[:=]\s*
      )(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"',;}]+)
    `,
    '$1[redacted]',
  ],
];

/** Removes more from log lines than the log itself does, because they leave this machine. */
export function redact(text: string, { folders, names }: Private): string {
  // Folders and names come first, the longest before its parts, because later replacements would break them up.
  const known = [
    ...folders.filter(([folder]) => folder.length > 1),
    ...names
      .filter((name) => name.length > 2)
      .flatMap(spellingsOf)
      .map((name) => [name, '[redacted]'] as const),
  ].toSorted(([one], [other]) => other.length - one.length);
  const named = known.reduce(
    (left, [name, instead]) =>
      left.replaceAll(
        new RegExp(
          `${/^\w/.test(name) ? '(?<!\\w)' : ''}${escapeRegExp(name)}${/\w$/.test(name) ? '(?!\\w)' : ''}`,
          'gi',
        ),
        () => instead,
      ),
    text,
  );
  const others = named.replaceAll(/((?:\/home|\/Users|[A-Z]:\\+Users)[/\\]+)[^/\\\s"':]+/g, '$1[redacted]');
  return scrub(forms.reduce((left, [form, instead]) => left.replace(form, instead), others));
}
