import { endpoints } from '@tallyroom/contract/endpoints'
import { heldIn, markOf, notSecret, secret } from '@tallyroom/contract/secrets'
import { CREDENTIALS, type Credential } from '@tallyroom/domain/secrets'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isSecretName } from '../lib/secret-names.ts'
import { handOutOf } from './hand-out.ts'

const password = secret('password', z.string().nullable()).optional()
const row = z.object({ id: z.int(), password })

/** Every shape in which an answer can hold a row. */
const shapes: Record<string, [schema: z.ZodType, hold: (row: object) => unknown]> = {
  'an object': [row, (one) => one],
  'a field': [z.object({ row }), (one) => ({ row: one })],
  'a list': [z.array(row), (one) => [one, one]],
  'a page': [
    z.object({ items: z.array(row), total: z.int() }),
    (one) => ({ items: [one], total: 1 }),
  ],
  'a field that may be null': [z.object({ row: row.nullable() }), (one) => ({ row: one })],
  'a field that may be left out': [z.object({ row: row.optional() }), (one) => ({ row: one })],
  'a field with a default': [z.object({ row: row.default({ id: 0 }) }), (one) => ({ row: one })],
  'a record': [z.record(z.string(), row), (one) => ({ a: one, b: one })],
  'one of two': [z.union([z.object({ other: z.string() }), row]), (one) => one],
  'one of two by name': [
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), row }),
      z.object({ kind: z.literal('b') }),
    ]),
    (one) => ({ kind: 'a', row: one }),
  ],
  'both of two': [
    z.intersection(z.object({ row }), z.object({ more: z.int() })),
    (one) => ({ row: one, more: 1 }),
  ],
  'a pair': [z.tuple([z.int(), row]), (one) => [1, one]],
  'a list of lists': [z.array(z.array(row)), (one) => [[one]]],
}

test.each(Object.entries(shapes))(
  '%s keeps its secret from whom it is not handed to',
  (_, [schema, hold]) => {
    const { needed, leaveOut } = handOutOf(schema)
    const answer = hold({ id: 7, password: 'quiet-otter-91' })
    for (const credential of CREDENTIALS) {
      const left = JSON.stringify(leaveOut(answer, credential))
      expect([credential, left]).toEqual([
        credential,
        JSON.stringify(credential === 'proved session' ? answer : hold({ id: 7 })),
      ])
    }
    expect(needed).toEqual([])
    expect(schema.parse(leaveOut(answer, 'token'))).toEqual(hold({ id: 7 }))
  },
)

test('what can’t be left out becomes null, and what can be neither is needed', () => {
  const { leaveOut } = handOutOf(z.object({ key: secret('postback key', z.string().nullable()) }))
  expect(leaveOut({ key: 'k' }, 'token')).toEqual({ key: null })
  const needed = (schema: z.ZodType) => handOutOf(schema).needed
  expect(needed(z.object({ key: secret('postback key', z.string()) }))).toEqual(['postback key'])
  expect(needed(z.array(z.object({ key: secret('postback key', z.string()) })))).toEqual([
    'postback key',
  ])
  expect(needed(secret('account number', z.string()))).toEqual(['account number'])
})

test('an answer is left as it is where nothing is secret, or all of it is handed out', () => {
  const answer = { id: 7, password: 'quiet-otter-91' }
  expect(handOutOf(row).leaveOut(answer, 'proved session')).toBe(answer)
  expect(handOutOf(z.object({ id: z.int() })).leaveOut(answer, 'token')).toBe(answer)
})

test('no answer has a text that is named like a secret and has no mark', () => {
  const found = Object.entries(endpoints).flatMap(([name, { response }]) =>
    unmarked(name, response),
  )
  expect(found).toEqual([])
  expect(unmarked('x', z.array(z.object({ apiKey: z.string() })))).toEqual(['x.apiKey'])
  expect(unmarked('x', z.object({ apiKey: notSecret(z.string()) }))).toEqual([])
})

/** The token’s name, for people. */
const harmless = new Set(['tokenName'])

function unmarked(path: string, schema: z.ZodType, seen = new Set<z.ZodType>()): string[] {
  if (markOf(schema) || seen.has(schema)) return []
  seen.add(schema)
  if (!(schema instanceof z.ZodObject))
    return heldIn(schema).flatMap((inner) => unmarked(path, inner, seen))
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) =>
    isSecretName(name) && !harmless.has(name) && !markOf(field) && isText(field)
      ? [`${path}.${name}`]
      : unmarked(`${path}.${name}`, field, seen),
  )
}

const isText = (schema: z.ZodType): boolean =>
  schema.safeParse('any text at all').success || schema instanceof z.ZodString

test('who gets what of the answers that can do without their secrets', () => {
  const left = Object.entries(endpoints).flatMap(([name, { response }]) => {
    const { leaveOut } = handOutOf(response)
    const probe = probeOf(response)
    const kept = (credential: Credential) => JSON.stringify(leaveOut(probe, credential))
    const whole = JSON.stringify(probe)
    const less = CREDENTIALS.filter((credential) => kept(credential) !== whole)
    return less.length > 0 ? [`${name}: ${less.join(', ')}`] : []
  })
  expect(left).toMatchInlineSnapshot(`
    [
      "login: token",
      "enterFactor: token",
      "signInByPasskey: token",
      "signInAs: nobody, older session, proved partner session, partner session, Sign in as, token",
      "loginRemote: token",
      "returnToOwn: token",
      "makeAgentInvitationLink: nobody, older session, proved partner session, partner session, Sign in as, token",
      "makeOfficeInvitationLink: nobody, older session, proved partner session, partner session, Sign in as, token",
      "makeAdminInvitationLink: nobody, older session, proved partner session, partner session, Sign in as, token",
      "beginAuthenticator: nobody, older session, partner session, Sign in as, token",
      "confirmAuthenticator: nobody, older session, partner session, Sign in as, token",
      "addPasskey: nobody, older session, partner session, Sign in as, token",
      "renewRecoveryCodes: nobody, older session, partner session, Sign in as, token",
      "createToken: nobody, older session, partner session, Sign in as, token",
      "searchOffices: nobody, older session, proved partner session, partner session, Sign in as, token",
      "searchAgents: nobody, older session, proved partner session, partner session, Sign in as, token",
      "admins: nobody, older session, proved partner session, partner session, Sign in as, token",
      "sitePostback: nobody, older session, proved partner session, partner session, Sign in as, token",
      "rotatePostbackKey: nobody, older session, proved partner session, partner session, Sign in as, token",
      "partnerPostbacks: nobody, Sign in as, token",
      "createWebhook: nobody, older session, proved partner session, partner session, Sign in as, token",
      "rotateWebhookSecret: nobody, older session, proved partner session, partner session, Sign in as, token",
      "signInByProvider: token",
      "ownPayeeAccount: nobody",
      "accountsToConfirm: nobody",
      "reviewPaymentRun: nobody, older session, proved partner session, partner session, Sign in as, token",
    ]
  `)
})

/** A value with a text in each marked field. */
function probeOf(schema: z.ZodType): unknown {
  if (markOf(schema)?.kind) return 'a secret'
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries<z.ZodType>(schema.shape).map(([name, field]) => [name, probeOf(field)]),
    )
  if (schema instanceof z.ZodArray) return [probeOf(schema.element as z.ZodType)]
  const [first] = heldIn(schema)
  return first ? probeOf(first) : 0
}
