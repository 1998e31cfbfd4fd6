/** Every command of the extension. The manifest lists the same, which a test proves both ways; titles are in package.nls.json. */
export const commandIds = [
  'dialtree.mapping.new',
  'dialtree.mapping.start',
  'dialtree.mapping.cancel',
  'dialtree.mapping.rename',
  'dialtree.mapping.tag',
  'dialtree.mapping.delete',
  'dialtree.mapping.openTree',
  'dialtree.mapping.openTranscript',
  'dialtree.mapping.copyNumber',
  'dialtree.mapping.refresh',
  'dialtree.mapping.searchPrompts',
  'dialtree.test.run',
  'dialtree.test.runMission',
  'dialtree.test.cancel',
  'dialtree.test.openReport',
  'dialtree.test.fromTree',
  'dialtree.coverage.generate',
  'dialtree.tree.saveAsPractice',
  'dialtree.compliance.run',
  'dialtree.load.start',
  'dialtree.load.cancel',
  'dialtree.load.openReport',
  'dialtree.runs.refresh',
  'dialtree.runs.filter',
  'dialtree.runs.clearFilter',
  'dialtree.runs.loadMore',
  'dialtree.practice.start',
  'dialtree.practice.stop',
  'dialtree.practice.map',
  'dialtree.practice.copyAddress',
  'dialtree.key.set',
  'dialtree.key.clear',
  'dialtree.workspace.register',
  'dialtree.workspace.verifyPhone',
  'dialtree.workspace.getClaimLink',
  'dialtree.workspace.manageKeys',
  'dialtree.workspace.setLimits',
  'dialtree.workspace.showUsage',
  'dialtree.guide.open',
  'dialtree.model.choose',
  'dialtree.service.choose',
  'dialtree.service.restart',
  'dialtree.service.showLog',
  'dialtree.service.showMenu',
] as const;

export type CommandId = (typeof commandIds)[number];
export type CommandHandler = (...values: unknown[]) => unknown;

/** A handler for every command whose id begins so; leaving one out is a compile error. */
export type HandlersOf<Noun extends string> = { readonly [Id in Extract<CommandId, `dialtree.${Noun}.${string}`>]: CommandHandler };
export type Handlers = { readonly [Id in CommandId]: CommandHandler };
