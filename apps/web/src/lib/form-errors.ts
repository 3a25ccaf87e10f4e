import type { FieldMessages } from '@tallyroom/contract/errors'
import { isApiError } from './api-error.ts'

/** The key of messages about the whole form. */
export const FORM_ERROR = '_form'

/**
 * The server's refusal as errors of a Mantine form: the first message of each field, and under
 * `_form` what belongs to no field on screen. Null when the error is not about the form.
 */
export function formErrors(
  error: unknown,
  fields: readonly string[],
): Record<string, string> | null {
  if (!isApiError(error, 'VALIDATION_ERROR')) return null
  const errors: Record<string, string> = {}
  for (const field of fields) {
    const message = error.data[field]?.[0]
    if (message !== undefined) errors[field] = asSentence(message)
  }
  const whole = messagesElsewhere(error.data, fields)
  if (whole.length > 0) errors[FORM_ERROR] = whole.join(' ')
  else if (Object.keys(errors).length === 0) errors[FORM_ERROR] = error.message
  return errors
}

/** Why a list is not there: what of its question was refused, whose fields show no messages. */
export function failureText(error: Error): string {
  if (!isApiError(error, 'VALIDATION_ERROR')) return error.message
  const reasons = Object.entries(error.data).flatMap(([field, messages]) =>
    messages.slice(0, 1).map((text) => (isSentence(text) ? `${text}.` : `${field} ${text}.`)),
  )
  return reasons.join(' ') || error.message
}

/** A field's message as it stands under the field: the wire says 'must be a Monday', the page 'This must be a Monday'. */
export const asSentence = (text: string) => (isSentence(text) ? text : `This ${text}`)

/** Others continue the name of their field. */
const isSentence = (text: string) => /^\p{Lu}/u.test(text)

/** A message must never be lost because its field is not drawn. */
const messagesElsewhere = (data: FieldMessages, fields: readonly string[]) =>
  Object.entries(data)
    .filter(([field]) => !fields.includes(field))
    .flatMap(([field, messages]) =>
      field === FORM_ERROR
        ? messages.slice(0, 1)
        : messages.slice(0, 1).map((text) => `${field} ${text}.`),
    )
