interface Release { readonly name: string; readonly hours: string; readonly addressKey: string; readonly news?: readonly [key: string, prompt: string] }

/** A practice IVR that is mapped in seconds. */
function shop({ name, hours, addressKey, news }: Release): string {
  const offers = news ? ` For gift cards, press ${news[0]}.` : '';
  return `${JSON.stringify({
    name, number: '+12025550104', language: 'en-US', voice: 'rms', start: 'main',
    states: {
      main: {
        prompt: `Welcome to the corner shop. For opening hours, press 1. For orders, press 2.${offers} For our address, press ${addressKey}.`,
        keys: { '1': 'hours', '2': 'orders', [addressKey]: 'address', ...(news && { [news[0]]: 'news' }) },
      },
      hours: { prompt: hours, end: 'hangup' },
      orders: { prompt: 'For a new order, press 1. To change an order, press 2.', keys: { '1': 'newOrder', '2': 'change' } },
      newOrder: { prompt: 'Please leave your name and number.', end: 'voicemail' },
      change: { prompt: 'Please hold while I transfer you.', end: 'transfer-ringback' },
      address: { prompt: 'We are at the harbour, beside the bank. Goodbye.', end: 'hangup' },
      ...(news && { news: { prompt: news[1], end: 'hangup' } }),
    },
  }, undefined, 2)}\n`;
}

export const shopNow = shop({ name: 'Corner Shop', hours: 'We are open from nine to five. Goodbye.', addressKey: '3' });
/** Says other hours, offers something new under the third key, and has moved what was there. */
export const shopLater = shop({
  name: 'Corner Shop in Summer', hours: 'We are closed all week, and open again in September. Goodbye.', addressKey: '4', news: ['3', 'Gift cards are sold at the till. Goodbye.'],
});
/** What its menus lead to, as the tree shows it. */
export const shopMenus = ['opening hours', 'orders', 'our address', 'new order', 'change an order'];
