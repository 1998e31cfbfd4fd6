const { CancellationTokenSource, commands, lm, Uri, window, workspace } = require('vscode');

const scheme = 'scene-agent';

/** Asks for a tool and its input, as JSON, and shows what the tool returns to a model. */
exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: ({ query }) => query }),
  );
  subscriptions.push(
    commands.registerCommand('sceneAgent.useTool', async () => {
      const line = await window.showInputBox({
        title: 'Agent',
        prompt: 'Which tool, with what?',
        ignoreFocusOut: true,
      });
      if (line === undefined) return;
      const { tool, ...input } = JSON.parse(line);
      const told = await lm
        .invokeTool(tool, { input, toolInvocationToken: undefined }, new CancellationTokenSource().token)
        .then(
          ({ content }) => content.map(({ value }) => value).join(''),
          ({ message }) => `Refused: ${message}`,
        );
      await window.showTextDocument(
        await workspace.openTextDocument(Uri.from({ scheme, path: `/${tool}`, query: told })),
      );
    }),
  );
};
