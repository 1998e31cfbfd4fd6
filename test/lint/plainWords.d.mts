export interface WordRow {
  readonly pattern: RegExp;
  readonly word: string;
  readonly instead: string;
  readonly except: readonly string[];
}
export declare function parseWords(markdown: string): WordRow[];
export declare function findWords(text: string, rows: readonly WordRow[]): WordRow[];
declare const plugin: {
  readonly rules: Readonly<Record<'plain' | 'titles', Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1]>>;
};
export default plugin;
