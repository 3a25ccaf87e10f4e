import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, idTextSchema, line, required } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'
import { newPasskey, passkeyAnswer, passkeyCreation, passkeySchema } from './passkeys.ts'

/** How many recovery codes are made at a time. */
export const RECOVERY_CODES = 10

/** A code from an authenticator app. */
const appCode = secret('one-time code', required(64))

/** A second factor: a code of an app, or a recovery code, with or without its hyphens; or what a passkey has signed. */
export const factorFields = {
  code: secret('one-time code', line(64)).default(''),
  passkey: passkeyAnswer.optional(),
}

/** What a holder enters, however recently they have before. */
const holderFields = {
  password: secret('password', z.string().min(1, missing).max(1024)),
  ...factorFields,
}

/** To be written down: no other answer has them. */
const recoveryCodes = secret('recovery code', z.array(z.string()))

/** The second factor of the caller's own account. */
export const factorsEndpoints = {
  ownFactors: endpoint({
    method: 'GET',
    path: '/api/factors',
    beforeFactor: true,
    summary: 'Get the second factors of your own account, without their secrets',
    ability: 'profile.edit',
    action: 'VIEW',
    response: z.object({
      authenticatorAddedAt: z.iso.datetime().nullable(),
      passkeys: z.array(passkeySchema),
      recoveryCodesLeft: z.int(),
    }),
  }),
  beginAuthenticator: endpoint({
    method: 'POST',
    path: '/api/factors/authenticator',
    beforeFactor: true,
    summary:
      'Begin to add an authenticator app: get its secret, once. It counts from its first code on, within 30 minutes.',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'CREATE',
    refuses: [409],
    response: z.object({
      /** In base32. */
      secret: secret('authenticator secret', z.string()),
      /** For a QR code. */
      uri: secret('authenticator secret', z.string()),
    }),
  }),
  confirmAuthenticator: endpoint({
    method: 'POST',
    path: '/api/factors/authenticator/confirm',
    beforeFactor: true,
    summary:
      'Add the authenticator app by a first code of it, with the second factor that the account has, or a recovery code. If there are no recovery codes, the answer has new ones, this once.',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'CREATE',
    refuses: [429],
    body: z.strictObject({ code: appCode }),
    response: z.object({ recoveryCodes }),
  }),
  removeAuthenticator: endpoint({
    method: 'POST',
    path: '/api/factors/authenticator/remove',
    summary: 'Remove the authenticator app, by your password and a code or passkey',
    ability: 'profile.edit',
    action: 'DELETE',
    refuses: [404, 409, 429],
    body: z.strictObject(holderFields),
    response: doneSchema,
  }),
  beginPasskey: endpoint({
    method: 'POST',
    path: '/api/factors/passkeys/begin',
    beforeFactor: true,
    summary: 'Begin to add a passkey: get what a browser makes it from, valid for five minutes',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'CREATE',
    refuses: [409],
    response: passkeyCreation,
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/factors/passkeys',
    beforeFactor: true,
    summary:
      'Add a passkey that the browser has made, with the second factor that the account has, or a recovery code. If there are no recovery codes, the answer has new ones, this once.',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'CREATE',
    refuses: [409, 429],
    body: z.strictObject({ name: required(60), made: newPasskey }),
    response: z.object({ recoveryCodes }),
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/api/factors/passkeys/:id/remove',
    summary: 'Remove a passkey, by your password and a code or passkey',
    ability: 'profile.edit',
    action: 'DELETE',
    refuses: [404, 409, 429],
    params: z.object({ id: idTextSchema }),
    body: z.strictObject(holderFields),
    response: doneSchema,
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/factors/recovery-codes',
    summary:
      'Make new recovery codes, with the second factor that the account has, or a former one, and invalidate these. No other answer shows them.',
    ability: 'profile.edit',
    proof: 'recent',
    action: 'CREATE',
    refuses: [409, 429],
    response: z.object({ recoveryCodes }),
  }),
}
