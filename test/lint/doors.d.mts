type Rule = Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1];
declare const plugin: { readonly rules: { readonly doors: Rule; readonly sending: Rule } };
export default plugin;
