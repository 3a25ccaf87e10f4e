import { expect, test } from 'vitest'
import { z } from 'zod'
import { type DecidingForm, decidingFields } from './effects.ts'
import { type Endpoint, needsProof } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

const all: [string, Endpoint][] = Object.entries(endpoints)
const forms = Object.keys(decidingFields) as DecidingForm[]

/** The fields of a body, of each of its forms. */
function fieldsOf(body: z.ZodType | undefined): string[] {
  if (body instanceof z.ZodUnion) return body.options.flatMap((one) => fieldsOf(one as z.ZodType))
  return body instanceof z.ZodObject ? Object.keys(body.shape) : []
}

test.each(forms)('every deciding field of the form “%s” is one of a call that says so', (form) => {
  const calls = all.filter(([, { decides }]) => decides === form)
  const fields = new Set(calls.flatMap(([, { body }]) => fieldsOf(body)))
  const unknown = Object.keys(decidingFields[form]).filter((field) => !fields.has(field))
  expect([calls.length > 0, unknown]).toEqual([true, []])
})

test('a call whose ability decides money is open to no token and asks for a proof', () => {
  const deciding = all.filter(([, endpoint]) => needsProof(endpoint))
  expect(deciding.map(([name]) => name)).toContain('closePayPeriod')
  expect(deciding.filter(([, { byToken }]) => byToken).map(([name]) => name)).toEqual([])
})
