import { schemaResolver } from '@mantine/form'
import '@tallyroom/contract/messages'
import type { z } from 'zod'
import { asSentence } from '../../lib/forms/form-errors.ts'

/** Validates a form with the schema of the endpoint that saves it, so that form and server agree. */
export function validateBy<Values, Body>(
  endpoint: { body?: z.ZodType<unknown, Body> | undefined },
  bodyOf: (values: Values) => Body,
) {
  if (!endpoint.body) throw new TypeError('the endpoint has no body to validate')
  const errorsOf = schemaResolver(endpoint.body, { sync: true })
  return (values: Values) =>
    Object.fromEntries(
      Object.entries(errorsOf(bodyOf(values))).map(([field, message]) => [
        field,
        typeof message === 'string' ? asSentence(message) : message,
      ]),
    )
}
