/** What runtime text needs of `vscode.l10n`: a message in English, with `{0}`, `{1}` … for the values. */
export interface L10n {
  t(message: string, ...values: (string | number | boolean)[]): string;
}
