import { isAbort, isStatus } from '../../basics/errors.ts';
import type { Editor } from '../editor.ts';

/**
 * Asks for the key of a remote service and stores it. If the service refuses it, asks again. Other problems appear when
 * the key is used.
 */
export async function setKey({ createClient, keys, connection, dialogs, l10n }: Editor, url: string): Promise<void> {
  const { host } = new URL(url);
  let value = '';
  let refusal: string | undefined;
  for (;;) {
    const typed = await dialogs.ask({
      title: l10n.t('API Key'),
      prompt: l10n.t("The API key for {0}. Dialtree keeps it in the editor's secret storage.", host),
      placeHolder: 'dt_…',
      password: true,
      value,
      refusal,
    });
    const apiKey = typed?.trim() ?? '';
    if (typed === undefined || apiKey === '') return;
    const client = createClient({ baseUrl: url, apiKey });
    if (
      !(await dialogs.wait(l10n.t('Checking the key with {0}…', host), (signal) =>
        isRefused(client.call('listMappings', { limit: 1 }, { signal })),
      ))
    ) {
      await keys.store(url, apiKey);
      connection.reset();
      return;
    }
    refusal = l10n.t(
      "{0} refused this key. Check that you copied the whole key and that it hasn't been revoked.",
      host,
    );
    value = typed;
  }
}

async function isRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (isAbort(error)) throw error;
    return isStatus(error, 401);
  }
}
