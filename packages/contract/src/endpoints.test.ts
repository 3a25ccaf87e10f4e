import { z } from 'zod'
import { expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'

const bodies = Object.entries(endpoints).flatMap(([name, { body }]) =>
  body instanceof z.ZodObject ? [[name, body.shape as Record<string, z.ZodType>] as const] : [],
)

/** Answers have them as true or false, and a form may send back what it got; they can't be changed. */
const onlySentBack = new Set([
  'updateAdminProfile.showSuspendGranted',
  'updateCompanyProfile.activated',
  'updateAgent.approved',
  'updateAgent.emailConfirmed',
  'updateAgentProfile.emailConfirmed',
  'updateAdmin.active',
  'updateAdmin.loginBlocked',
  'saveOfficeFee.active',
  'saveOfficeFee.hidden',
  'updatePartnerPostback.keepsFailing',
  'updateWebhook.keepsFailing',
])

test.each(bodies)('%s takes 1 and 0 wherever it takes true and false', (name, shape) => {
  for (const [field, schema] of Object.entries(shape)) {
    if (onlySentBack.has(`${name}.${field}`) || !schema.safeParse(true).success) continue
    expect([field, schema.safeParse(1).data, schema.safeParse(0).data]).toEqual([
      field,
      true,
      false,
    ])
  }
})

test.each(bodies.filter(([, shape]) => 'sortField' in shape))(
  '%s takes null for its standard order, page and criteria',
  (_, shape) => {
    const fields = ['sortField', 'sortAsc', 'page', 'pageSize', 'criteria']
    const parsed = (value: null | undefined) => fields.map((field) => shape[field]?.parse(value))
    expect(parsed(null)).toEqual(parsed(undefined))
  },
)

test('what a form with a key does follows from its path and body alone', () => {
  const withQuery = Object.entries(endpoints).filter(([, one]) => 'once' in one && 'query' in one)
  expect(withQuery.map(([name]) => name)).toEqual([])
})
