import { html } from 'hono/html';
import { HumanError } from '../../contract/errors.ts';
import { readBodyText } from './body.ts';
import type { Html } from './pageShell.ts';

const maxFormBytes = 16 * 1024;

/** Returns the fields of a posted form. Rejects with HumanError 415 for another kind of body, 413 above 16 kB. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new HumanError("This request isn't a form submission. Submit the form on the page.", {
      status: 415,
      code: 'not_a_form',
    });
  }
  return new URLSearchParams(await readBodyText(request, maxFormBytes));
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'tel' | 'text';
  readonly autocomplete: string;
  /** Digits only: a telephone shows its number pad. */
  readonly numeric?: boolean;
  readonly value?: string;
  readonly hint?: string | undefined;
  /** It can stay empty. */
  readonly optional?: boolean;
  readonly error?: string | undefined;
}

/**
 * Returns a labelled field with its hint and its error. The first wrong field should have the focus, because without a
 * script nothing else announces the error.
 */
function fieldOf(
  { name, label, type, autocomplete, numeric = false, value = '', hint, optional = false, error }: FormField,
  focus = false,
): Html {
  const described = [error !== undefined && `${name}-error`, hint !== undefined && `${name}-hint`]
    .filter((id) => id !== false)
    .join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? '' : html`<p class="quiet" id="${name}-hint">${hint}</p>`}
${error === undefined ? '' : html`<p class="wrong" id="${name}-error">Error: ${error}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}"${numeric ? html` inputmode="numeric"` : ''}${optional ? '' : html` required`}${described === '' ? '' : html` aria-describedby="${described}"`}${error === undefined ? '' : html` aria-invalid="true"`}${focus ? html` autofocus` : ''}>
</div>`;
}

/** Returns the fields of a form, the first wrong one focused. */
export function fieldsOf(...fields: readonly FormField[]): Html {
  const wrong = fields.find(({ error }) => error !== undefined);
  return html`${fields.map((field) => fieldOf(field, field === wrong))}`;
}
