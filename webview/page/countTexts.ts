import { figure } from './formats.ts';
import { t } from './l10n.ts';

export const callsText = (count: number): string => (count === 1 ? t('1 call') : t('{0} calls', figure(count)));
export const menusText = (count: number): string => (count === 1 ? t('1 menu') : t('{0} menus', figure(count)));
export const stepsText = (count: number): string => (count === 1 ? t('1 step') : t('{0} steps', figure(count)));
export const secondsText = (count: number): string => (count === 1 ? t('1 second') : t('{0} seconds', figure(count)));
