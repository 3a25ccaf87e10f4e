import { authEndpoints } from '@tallyroom/contract/people/auth'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import type { FactorAsked } from '@tallyroom/contract/people/passkeys'
import type { FastifyInstance } from 'fastify'
import { Secret } from 'otpauth'
import { expect } from 'vitest'
import type { Viewer } from '../src/access/viewer.ts'
import { inTransaction } from '../src/db/transaction.ts'
import type { SettableClock } from '../src/lib/clock.ts'
import { addPasskeyTo } from '../src/people/factors/change-passkeys.ts'
import { placeOf } from '../src/people/factors/passkey-place.ts'
import { creationOf, readNewPasskey } from '../src/people/factors/passkeys.ts'
import { sealSecret } from '../src/people/factors/sealed-secret.ts'
import { authenticatorOf } from './authenticator-app.ts'
import { factorText, send } from './send.ts'
import type { TestServices } from './services.ts'
import { virtualAuthenticator } from './virtual-authenticator.ts'

/**
 * Adds an authenticator app to the account of a proved session, and waits until its next code.
 *
 * @param give what confirms it if the account has another factor
 */
export async function addAuthenticator(
  app: FastifyInstance,
  clock: SettableClock,
  token: string,
  give?: (asked: FactorAsked) => object,
) {
  const begun = await send(app, factorsEndpoints.beginAuthenticator, {}, { token })
  expect([begun.statusCode, begun.body]).toEqual([200, expect.any(String)])
  const code = authenticatorOf(begun.json().secret, clock)
  const body = { code: code() }
  const confirm = (factor?: object) =>
    send(app, factorsEndpoints.confirmAuthenticator, { body }, { token, factor })
  const first = await confirm()
  const added = give ? await confirm(give(first.json().asks)) : first
  expect(added.statusCode).toBe(200)
  clock.advance(30_000)
  return { code, recoveryCodes: added.json().recoveryCodes as string[] }
}

/** The first half of a sign-in: what it goes on with. */
export async function stepOf(
  app: FastifyInstance,
  body: { username: string; password: string },
  from: { ip?: string; cookie?: string } = {},
): Promise<string> {
  const answer = await send(app, authEndpoints.login, { body }, { token: undefined, ...from })
  expect(answer.json()).toEqual({ step: expect.stringMatching(/^[\w-]{32}$/), ways: ['code'] })
  return answer.json().step
}

/** Gives an account an authenticator app since yesterday, without a call. Returns what the app shows. */
export async function buildApp(services: TestServices, accountId: number) {
  const secret = new Secret({ size: 20 }).base32
  const since = new Date(services.clock.peek().getTime() - 24 * 60 * 60_000)
  await services.db
    .insertInto('authenticators')
    .values({
      account_id: accountId,
      secret_sealed: sealSecret(services, accountId, secret),
      begun_at: since,
      added_at: since,
      last_step: 0,
    })
    .execute()
  return authenticatorOf(secret, services.clock)
}

/** Gives an account a passkey, without a call. Returns its device. */
export async function buildPasskey(
  services: TestServices,
  accountId: number,
  { host = 'localhost:80', counts = true }: { host?: string; counts?: boolean } = {},
) {
  const place = placeOf(services.config, host)
  const device = virtualAuthenticator({ origin: place.origin, counts })
  const whose = { accountId, username: 'somebody', brand: 'Tallyroom', place }
  await inTransaction(services.db, async (tx) => {
    const made = device.create(await creationOf(tx, services, whose))
    const passkey = await readNewPasskey(tx, services, made, { accountId, place })
    if (!passkey) throw new Error('the passkey was not accepted')
    const named = { rpId: place.rpId, name: 'Phone', at: tx.now }
    expect(await addPasskeyTo(tx, accountId, { ...passkey, ...named })).toBe(true)
  })
  return device
}

/** Somebody who sends this as the second factor of their act. */
export const giving = (who: Viewer, given: object): Viewer => ({
  ...who,
  visit: { host: '', factor: factorText(given) },
})
