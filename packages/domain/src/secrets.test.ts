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
      "account number": [
        "proved session: now",
        "older session: after proof",
      ],
      "address link": [],
      "authenticator secret": [
        "proved session: now",
        "older session: after proof",
        "proved partner session: now",
        "partner session: after proof",
      ],
      "bank file": [],
      "captcha answer": [],
      "delivery token": [
        "proved session: now",
        "older session: now",
        "proved partner session: now",
        "partner session: now",
      ],
      "device mark": [],
      "invitation link": [
        "proved session: now",
        "older session: after proof",
      ],
      "one-time code": [],
      "passkey answer": [],
      "password": [
        "proved session: now",
        "older session: after proof",
      ],
      "payee details": [
        "proved session: now",
        "older session: now",
        "proved partner session: now",
        "partner session: now",
        "Sign in as: now",
        "token: now",
      ],
      "postback key": [
        "proved session: now",
        "older session: after proof",
      ],
      "recovery code": [
        "proved session: now",
        "older session: after proof",
        "proved partner session: now",
        "partner session: after proof",
      ],
      "reset link": [],
      "session token": [
        "nobody: now",
        "proved session: now",
        "older session: now",
        "proved partner session: now",
        "partner session: now",
        "Sign in as: now",
      ],
      "sign-in link": [
        "proved session: now",
        "older session: after proof",
      ],
      "sign-in step": [
        "nobody: now",
        "proved session: now",
        "older session: now",
        "proved partner session: now",
        "partner session: now",
        "Sign in as: now",
      ],
      "unsubscribe link": [],
      "webhook secret": [
        "proved session: now",
        "older session: after proof",
      ],
    }
  `)
})

test('a token is handed nothing that opens or sends something', () => {
  const handed = SECRET_KINDS.filter((kind) => handingOf(kind, 'token') !== 'never')
  expect(handed).toEqual(['payee details'])
})
