import type { FieldMessages } from '@tallyroom/contract/errors'
import { isApiError } from '../api-error.ts'

/** The key of messages about the whole form. */
export const FORM_ERROR = '_form'

/**
 * Turns a refusal into the errors of a Mantine form: the first message of each field, and under `_form` all messages
 * without a field on screen. Null if the error is not about the form.
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

/** Why a list failed to load. Names refused parameters, because its filters show no messages. */
export function failureText(error: Error): string {
  if (!isApiError(error, 'VALIDATION_ERROR')) return error.message
  const reasons = Object.entries(error.data).flatMap(([field, messages]) =>
    messages.slice(0, 1).map((text) => withName(field, text)),
  )
  return reasons.join(' ') || error.message
}

/** A message as shown below its field: the API says 'must be a Monday', the page 'This must be a Monday'. */
export const asSentence = (text: string) => (isSentence(text) ? text : `This ${text}`)

/** Other messages continue the name of their field. */
const isSentence = (text: string) => /^\p{Lu}/u.test(text)

/** The messages without a field on screen, which must not get lost. */
const messagesElsewhere = (data: FieldMessages, fields: readonly string[]) =>
  Object.entries(data)
    .filter(([field]) => !fields.includes(field))
    .flatMap(([field, messages]) =>
      field === FORM_ERROR
        ? messages.slice(0, 1)
        : messages.slice(0, 1).map((text) => withName(field, text)),
    )

const withName = (field: string, text: string) =>
  isSentence(text) ? `${text}.` : `${field} ${text}.`
