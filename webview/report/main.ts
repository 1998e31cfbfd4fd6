import type { FromReport, ToReport } from '../../src/contract/reportPanel.ts';
import { startPage } from '../page/startPage.ts';
import { ReportPage } from './reportPage.ts';

startPage<ToReport, FromReport>((root, host, notices) => new ReportPage(root, host, notices));
