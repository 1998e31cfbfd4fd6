import type { FromLoad, ToLoad } from '../../src/contract/loadPanel.ts';
import { startPage } from '../page/startPage.ts';
import { LoadPage } from './loadPage.ts';

startPage<ToLoad, FromLoad>((root, host, notices) => new LoadPage(root, host, notices));
