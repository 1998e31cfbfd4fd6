import { language } from '../page/l10n.ts';

// uPlot reads this when it loads, and fails if the browser has an invalid one, such as `en-US@posix`.
Object.defineProperty(navigator, 'language', { value: language, configurable: true });
