export interface WordRow {
  readonly pattern: RegExp;
  readonly word: string;
  readonly instead: string;
  readonly except: readonly string[];
}
export declare function parseWords(markdown: string): WordRow[];
export declare function findWords(text: string, rows: readonly WordRow[]): WordRow[];
export declare const plainWords: {
  create(context: import('eslint').Rule.RuleContext): import('eslint').Rule.RuleListener;
};
