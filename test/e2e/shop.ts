interface Release {
  readonly name: string;
  readonly deliveries: string;
  readonly directionsKey: string;
  readonly news?: readonly [key: string, prompt: string];
}

/** A practice IVR that is mapped in seconds, with words that are always recognised. */
function shop({ name, deliveries, directionsKey, news }: Release): string {
  const offer = news ? ` For gift cards, press ${news[0]}.` : '';
  return `${JSON.stringify(
    {
      name,
      number: '+12025550104',
      language: 'en-US',
      voice: 'rms',
      start: 'main',
      states: {
        main: {
          prompt: `Welcome to the garden centre. For deliveries, press 1. For plants, press 2.${offer} For directions, press ${directionsKey}.`,
          keys: { '1': 'deliveries', '2': 'plants', [directionsKey]: 'directions', ...(news && { [news[0]]: 'news' }) },
        },
        deliveries: { prompt: deliveries, end: 'hangup' },
        plants: {
          prompt: 'For a new order, press 1. To change an order, press 2.',
          keys: { '1': 'newOrder', '2': 'change' },
        },
        newOrder: { prompt: 'Please leave your name and number.', end: 'voicemail' },
        change: { prompt: 'Please hold while I transfer you to our order team.', end: 'transfer-ringback' },
        directions: { prompt: 'We are next to the station. Goodbye.', end: 'hangup' },
        ...(news && { news: { prompt: news[1], end: 'hangup' } }),
      },
    },
    undefined,
    2,
  )}\n`;
}

export const shopNow = shop({
  name: 'Garden Centre',
  deliveries: 'We deliver on Monday and Friday. Goodbye.',
  directionsKey: '3',
});
/** Now has deliveries, offers something new under the third key, and has moved its earlier option. */
export const shopLater = shop({
  name: 'Garden Centre in Spring',
  deliveries: 'Your delivery comes tomorrow morning. Goodbye.',
  directionsKey: '4',
  news: ['3', 'Gift cards are sold at the desk. Goodbye.'],
});
/** Its menus, as the tree shows them. */
export const shopMenus = [/^deliveries$/, /^plants$/, /^directions$/, /^new order/, /^change an order/];
