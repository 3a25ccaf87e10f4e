import { ERROR_CODE_HEADER, type ErrorCode } from '@tallyroom/contract/errors'
import { useSyncExternalStore } from 'react'
import { onSessionChange, readSession } from './session.ts'

/**
 * Sends a request that may need a recent proof of the account's holder. If the server asks for one, so does a dialog,
 * and the request is sent again. If the user cancels, returns the refusal.
 */
export async function withProof(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  if (response.headers.get(ERROR_CODE_HEADER) !== PROOF_NEEDED) return response
  return (await proveAgain()) ? send() : response
}

const PROOF_NEEDED: ErrorCode = 'PROOF_NEEDED'

/** Whether the dialog is open. Calls that need a proof at the same time share it. */
export const useIsProofAsked = (): boolean =>
  useSyncExternalStore(subscribe, () => asked !== undefined)

/** Closes the dialog: the holder has proved themselves, or has cancelled. */
export function settleProof(isProved: boolean) {
  const settled = asked
  asked = undefined
  listeners.forEach((listener) => listener())
  settled?.settle(isProved)
}

let asked: { answer: Promise<boolean>; settle: (isProved: boolean) => void } | undefined
const listeners = new Set<() => void>()

/** Asks for the password again, before a call that gets more with it. False if the user cancels. */
export function proveAgain(): Promise<boolean> {
  if (asked) return asked.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const token = readSession()?.token
  // Another account's password would prove nothing about this call.
  const forget = onSessionChange(() => {
    if (readSession()?.token !== token) settleProof(false)
  })
  asked = {
    answer: promise,
    settle: (isProved) => {
      forget()
      resolve(isProved)
    },
  }
  listeners.forEach((listener) => listener())
  return promise
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
