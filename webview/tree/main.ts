import type { FromWebview, ToWebview } from '../../src/contract/panel.ts';
import { startPage } from '../page/startPage.ts';
import { App } from './app.ts';

startPage<ToWebview, FromWebview>((root, host, notices) => new App(root, host, notices));
