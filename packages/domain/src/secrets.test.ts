import { expect, test } from 'vitest'
import { CREDENTIALS, handingOf, SECRET_KINDS } from './secrets.ts'

const table = Object.fromEntries(
  SECRET_KINDS.map((kind) => [
    kind,
    CREDENTIALS.map((credential) => `${credential}: ${handingOf(kind, credential)}`).filter(
      (cell) => !cell.endsWith(': never'),
    ),
  ]),
)

test('who is handed which secret', () => {
  expect(table).toMatchInlineSnapshot(`
    {
      "API token": [
        "proved session: now",
        "older session: after proof",
        "proved partner session: now",
        "partner session: after proof",
      ],
      "account holder": [
        "proved session: now",
        "older session: now",
        "proved partner session: now",
        "partner session: now",
        "Sign in as: now",
      ],
      "account number": [
        "proved session: now",
        "older session: after proof",
      ],
      "captcha answer": [],
      "delivery token": [
        "proved session: now",
        "older session: now",
        "proved partner session: now",
        "partner session: now",
      ],
      "device mark": [],
      "password": [
        "proved session: now",
        "older session: after proof",
      ],
      "postback key": [
        "proved session: now",
        "older session: after proof",
      ],
      "reset link": [],
      "session token": [
        "nobody: now",
        "Sign in as: now",
      ],
      "sign-in link": [
        "proved session: now",
        "older session: after proof",
      ],
      "unsubscribe link": [],
      "webhook secret": [
        "proved session: now",
        "older session: after proof",
      ],
    }
  `)
})

test('a token is handed no secret', () => {
  for (const kind of SECRET_KINDS) expect(handingOf(kind, 'token')).toBe('never')
})
