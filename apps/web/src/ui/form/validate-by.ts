import { schemaResolver } from '@mantine/form'
import type { z } from 'zod'
import { asSentence } from '../../lib/form-errors.ts'

/** Checks a form by what the call that saves it takes: server and form say the same. */
export function validateBy<Values, Body>(
  endpoint: { body?: z.ZodType<unknown, Body> },
  bodyOf: (values: Values) => Body,
) {
  if (!endpoint.body) throw new TypeError('a call without a body saves no form')
  const errorsOf = schemaResolver(endpoint.body, { sync: true })
  return (values: Values) =>
    Object.fromEntries(
      Object.entries(errorsOf(bodyOf(values))).map(([field, message]) => [
        field,
        typeof message === 'string' ? asSentence(message) : message,
      ]),
    )
}
