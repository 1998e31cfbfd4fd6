/**
 * The variables that the editor's own themes give a webview, as far as the pages use them, as VS Code 1.105 and later
 * resolve them. A theme omits some.
 */
export interface WebviewTheme {
  /** Classes of the body. */
  readonly classes: string;
  /** `data-vscode-theme-kind` of the body. */
  readonly kind: string;
  readonly variables: Readonly<Record<string, string>>;
}

const fonts = {
  '--vscode-font-family': 'system-ui, "Open Sans", sans-serif',
  '--vscode-font-size': '13px',
  '--vscode-font-weight': 'normal',
  '--vscode-editor-font-family': 'monospace',
  '--vscode-editor-font-size': '14px',
};

/** By variable without `--vscode-`: its values in the dark, light and high contrast themes, dark and light. */
const colours: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'badge-background': ['#616161', '#cccccc', '#000000', '#0f4a85'],
  'badge-foreground': ['#f8f8f8', '#3b3b3b', '#ffffff', '#ffffff'],
  'button-background': ['#0078d4', '#005fb8', '#000000', '#0f4a85'],
  'button-border': ['rgba(255, 255, 255, 0.1)', 'rgba(0, 0, 0, 0.1)', '#6fc3df', '#0f4a85'],
  'button-foreground': ['#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  'button-hoverBackground': ['#026ec1', '#0258a8', '#000000', '#0f4a85'],
  'button-secondaryBackground': ['rgba(0, 0, 0, 0)', '#e5e5e5', undefined, '#ffffff'],
  'button-secondaryForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'button-secondaryHoverBackground': ['#2b2b2b', '#cccccc', undefined, undefined],
  'charts-blue': ['#59a4f9', '#0063d3', '#59a4f9', '#0063d3'],
  'charts-green': ['#89d185', '#388a34', '#89d185', '#374e06'],
  'charts-lines': [
    'rgba(204, 204, 204, 0.5)',
    'rgba(59, 59, 59, 0.5)',
    'rgba(255, 255, 255, 0.5)',
    'rgba(41, 41, 41, 0.5)',
  ],
  'charts-orange': ['#d18616', '#d18616', '#ab5a00', '#0f4a85'],
  'charts-purple': ['#b180d7', '#652d90', '#b180d7', '#652d90'],
  'charts-red': ['#f14c4c', '#e51400', '#f48771', '#b5200d'],
  'charts-yellow': ['#cca700', '#bf8803', '#ffd370', '#895503'],
  'checkbox-background': ['#313131', '#f8f8f8', '#000000', '#ffffff'],
  'checkbox-border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'checkbox-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  contrastActiveBorder: [undefined, undefined, '#f38518', '#006bbd'],
  contrastBorder: [undefined, undefined, '#6fc3df', '#0f4a85'],
  descriptionForeground: ['#9d9d9d', '#3b3b3b', 'rgba(255, 255, 255, 0.7)', 'rgba(41, 41, 41, 0.7)'],
  'dropdown-background': ['#313131', '#ffffff', '#000000', '#ffffff'],
  'dropdown-border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'dropdown-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'editor-background': ['#1f1f1f', '#ffffff', '#000000', '#ffffff'],
  'editor-findMatchHighlightBackground': ['rgba(234, 92, 0, 0.33)', 'rgba(234, 92, 0, 0.33)', undefined, undefined],
  'editor-findMatchHighlightBorder': [undefined, undefined, '#f38518', '#006bbd'],
  'editorWidget-background': ['#202020', '#f8f8f8', '#0c141f', '#ffffff'],
  'editorWidget-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  errorForeground: ['#f85149', '#f85149', '#f48771', '#b5200d'],
  focusBorder: ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
  foreground: ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'input-background': ['#313131', '#ffffff', '#000000', '#ffffff'],
  'input-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'input-placeholderForeground': ['#989898', '#767676', 'rgba(255, 255, 255, 0.7)', 'rgba(41, 41, 41, 0.7)'],
  'inputValidation-errorBackground': ['#5a1d1d', '#f2dede', '#000000', '#ffffff'],
  'inputValidation-errorBorder': ['#be1100', '#be1100', '#6fc3df', '#0f4a85'],
  'inputValidation-infoBackground': ['#063b49', '#d6ecf2', '#000000', '#ffffff'],
  'inputValidation-infoBorder': ['#007acc', '#007acc', '#6fc3df', '#0f4a85'],
  'inputValidation-warningBackground': ['#352a05', '#f6f5d2', '#000000', '#ffffff'],
  'inputValidation-warningBorder': ['#b89500', '#b89500', '#6fc3df', '#0f4a85'],
  'keybindingLabel-background': [
    'rgba(128, 128, 128, 0.17)',
    'rgba(221, 221, 221, 0.4)',
    'rgba(0, 0, 0, 0)',
    'rgba(0, 0, 0, 0)',
  ],
  'keybindingLabel-border': ['rgba(51, 51, 51, 0.6)', 'rgba(204, 204, 204, 0.4)', '#6fc3df', '#0f4a85'],
  'keybindingLabel-foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'list-activeSelectionBackground': ['#04395e', '#e8e8e8', undefined, 'rgba(15, 74, 133, 0.1)'],
  'list-activeSelectionForeground': ['#ffffff', '#000000', undefined, undefined],
  'list-hoverBackground': ['#2a2d2e', '#f2f2f2', 'rgba(255, 255, 255, 0.1)', 'rgba(15, 74, 133, 0.1)'],
  'list-inactiveSelectionBackground': ['#37373d', '#e4e6f1', undefined, 'rgba(15, 74, 133, 0.1)'],
  'panel-background': ['#181818', '#f8f8f8', '#000000', '#ffffff'],
  'panel-border': ['#2b2b2b', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'panelTitle-activeBorder': ['#0078d4', '#005fb8', '#6fc3df', '#b5200d'],
  'panelTitle-activeForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'panelTitle-inactiveForeground': ['#9d9d9d', '#3b3b3b', '#ffffff', '#292929'],
  'progressBar-background': ['#0078d4', '#005fb8', '#6fc3df', '#0f4a85'],
  'sash-hoverBorder': ['#0078d4', '#005fb8', '#f38518', '#006bbd'],
  'settings-dropdownListBorder': ['rgba(204, 204, 204, 0.2)', 'rgba(59, 59, 59, 0.2)', '#6fc3df', '#0f4a85'],
  'sideBar-background': ['#181818', '#f8f8f8', '#000000', '#ffffff'],
  'testing-iconFailed': ['#f88070', '#b01011', undefined, undefined],
  'textBlockQuote-background': ['#2b2b2b', '#f8f8f8', undefined, '#f2f2f2'],
  'textBlockQuote-border': ['#616161', '#e5e5e5', '#ffffff', '#292929'],
  'textCodeBlock-background': ['#2b2b2b', '#f8f8f8', '#000000', '#f2f2f2'],
  'textLink-activeForeground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  'textLink-foreground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  'tree-indentGuidesStroke': ['#585858', '#a9a9a9', '#a9a9a9', '#a5a5a5'],
  'widget-border': ['#313131', '#e5e5e5', '#6fc3df', '#0f4a85'],
};

const theme = (index: number, classes: string, kind = classes): WebviewTheme => ({
  classes,
  kind,
  variables: {
    ...fonts,
    ...Object.fromEntries(
      Object.entries(colours).flatMap(([name, { [index]: value }]) =>
        value === undefined ? [] : [[`--vscode-${name}`, value]],
      ),
    ),
  },
});

export const themes = {
  dark: theme(0, 'vscode-dark'),
  light: theme(1, 'vscode-light'),
  highContrast: theme(2, 'vscode-high-contrast'),
  highContrastLight: theme(3, 'vscode-high-contrast vscode-high-contrast-light', 'vscode-high-contrast-light'),
};

export type ThemeName = keyof typeof themes;
export const themeNames = Object.keys(themes) as ThemeName[];
