declare const plugin: {
  readonly rules: { readonly doors: Parameters<import('oxlint/plugins-dev').RuleTester['run']>[1] };
};
export default plugin;
