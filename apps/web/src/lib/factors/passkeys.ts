import { authEndpoints } from '@tallyroom/contract/people/auth'
import {
  knownTransports,
  type NewPasskey,
  type PasskeyAnswer,
  type passkeyChallenge,
  type passkeyCreation,
} from '@tallyroom/contract/people/passkeys'
import type { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { call } from '../call.ts'
import { readSession } from '../session.ts'

/** Whether this browser has passkeys, on this address: browsers make none for an IP address. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext &&
  'PublicKeyCredential' in window &&
  !/^\[|^\d+(?:\.\d+){3}$/.test(location.hostname)

/** Whether this device can keep a passkey itself, behind its PIN, a finger or a face. */
export const keepsPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()

/** Whether the account can be asked for a passkey here. */
export const canGivePasskey = (): boolean =>
  hasPasskeys() && readSession()?.me.factors.includes('passkey') === true

/** Has the browser ask for a passkey. `isOffered`: only among what it fills in, until the user picks one. @throws ApiError */
export async function givePasskey(
  optionsJSON: z.infer<typeof passkeyChallenge>,
  { isOffered = false } = {},
): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { id, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isOffered,
  }).catch(refuse)
  const { authenticatorData, clientDataJSON, signature, userHandle } = response
  return {
    id,
    authenticatorData,
    clientDataJSON,
    signature,
    ...(userHandle !== undefined && { userHandle }),
  }
}

/** Has the browser make a passkey. @throws ApiError */
export async function makePasskey(
  optionsJSON: z.infer<typeof passkeyCreation>,
): Promise<NewPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { id, response } = await startRegistration({ optionsJSON }).catch(refuse)
  const { attestationObject, clientDataJSON, transports = [] } = response
  return { id, attestationObject, clientDataJSON, transports: knownTransports(transports) }
}

/** Withdraws a passkey that is offered. */
export async function withdrawPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

/** The second factor of a dialog that asks for the password: the code, or a passkey if there is none. @throws ApiError */
export async function factorOf(code: string): Promise<{ code: string; passkey?: PasskeyAnswer }> {
  if (code.trim() !== '' || !canGivePasskey()) return { code }
  return { code: '', passkey: await givePasskey(await call(authEndpoints.challengeProof, {})) }
}

/** Browsers don't tell a device that is unknown from a user who cancels. */
function refuse(error: unknown): never {
  const isKnown = error instanceof Error && error.name === 'InvalidStateError'
  const said = isKnown ? 'This device has a passkey of your account already' : 'No passkey was used'
  throw new ApiError('VALIDATION_ERROR', `${said}.`, { passkey: [said] })
}
