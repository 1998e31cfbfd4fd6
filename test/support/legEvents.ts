import type { CallEnd, CallLeg } from '../../src/telephony/call.ts';

/** Settles with the end of a call. */
export const endOf = (leg: CallLeg): Promise<CallEnd> =>
  new Promise((resolve) => {
    leg.listen((event) => {
      if (event.type === 'ended') resolve(event.end);
    });
  });
/** Settles when a call rings or is answered. Rejects if it ends first. */
export const until = (leg: CallLeg, type: 'ringing' | 'answered'): Promise<void> =>
  new Promise((resolve, reject) => {
    leg.listen((event) => {
      if (event.type === type) resolve();
      else if (event.type === 'ended') reject(new Error(`ended: ${event.end.reason}`));
    });
  });
