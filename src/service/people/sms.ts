import { directFetch } from '../../base/directFetch.ts';
import { HumanError } from '../../contract/errors.ts';

/** Sends a text message. Rejects if the provider didn't accept it. */
export interface SmsSender {
  send(to: string, text: string): Promise<void>;
}

interface TwilioSettings {
  /** The URL of a provider with Twilio's interface; default Twilio's own. */
  readonly baseUrl?: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** Sender: a number in E.164 form, or a name if the country allows one. */
  readonly from: string;
}

const sendWithinMs = 10_000;

/** Twilio's Messages resource (2010-04-01 API), and providers with the same interface. */
export function twilioSender({
  baseUrl = 'https://api.twilio.com',
  accountSid,
  authToken,
  from,
}: TwilioSettings): SmsSender {
  return {
    async send(to, text) {
      let status: number;
      try {
        const messages = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
        const response = await directFetch(messages, {
          method: 'POST',
          signal: AbortSignal.timeout(sendWithinMs),
          redirect: 'error',
          headers: {
            authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ To: to, From: from, Body: text }).toString(),
        });
        await response.body?.cancel();
        status = response.status;
      } catch (cause) {
        throw notSent("Couldn't reach the SMS provider.", cause);
      }
      if (status >= 300) throw notSent(`The SMS provider responded with status ${String(status)}.`);
    },
  };
}

const notSent = (what: string, cause?: unknown): HumanError =>
  new HumanError(
    `${what} No code was sent. Try again in a minute. If it fails again, contact the operator of this server.`,
    {
      status: 502,
      code: 'sms_failed',
      cause,
    },
  );

/** For development: prints the message for the person who runs the server, and never to the log. */
export function consoleSender(write: (line: string) => void): SmsSender {
  return {
    send(to, text) {
      write(`SMS to ${to}: ${text}\n`);
      return Promise.resolve();
    },
  };
}
