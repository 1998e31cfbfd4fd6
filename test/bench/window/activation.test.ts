import { dialtree } from '../../host/suite/support.ts';

describe('a new window', () => {
  it('activates the extension', async () => {
    const began = performance.now();
    const { activationMs } = await dialtree();
    console.log(`activationMs=${String(activationMs)} loadMs=${String(performance.now() - began - activationMs)}`);
  });
});
