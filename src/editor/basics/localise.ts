/** The part of `vscode.l10n` that runtime text needs: a message in English, with `{0}`, `{1}` … for the values. */
export interface L10n {
  t(message: string, ...values: (string | number | boolean)[]): string;
}
