import type { FromHand, ToHand } from '../../src/contract/handPanel.ts';
import { startPage } from '../page/startPage.ts';
import { HandPage } from './handPage.ts';

startPage<ToHand, FromHand>((root, host, notices) => new HandPage(root, host, notices));
