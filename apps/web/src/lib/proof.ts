import {
  ERROR_CODE_HEADER,
  errorBodySchema,
  type ErrorCode,
  type FieldMessages,
} from '@tallyroom/contract/errors'
import {
  FACTOR_HEADER,
  type FactorAsked,
  type FactorGiven,
} from '@tallyroom/contract/people/passkeys'
import { useSyncExternalStore } from 'react'
import { onSessionChange, readSession } from './session.ts'

/** A request, with more headers if it is sent again. */
type Send = (more?: Record<string, string>) => Promise<Response>

/**
 * Sends a request that may need a recent proof of the account's holder, or their second factor for what it decides. If the
 * server asks for one, so does a dialog, and the request is sent again. If the user cancels, returns the refusal.
 */
export async function withProof(send: Send): Promise<Response> {
  let more: Record<string, string> = {}
  let response = await send()
  for (;;) {
    const code = response.headers.get(ERROR_CODE_HEADER)
    if (code === PROOF_NEEDED) {
      if (!(await proveAgain())) return response
    } else if (code === FACTOR_NEEDED) {
      // A wrong one is refused with what it takes to try again.
      const body = errorBodySchema.safeParse(await response.clone().json())
      if (!body.data?.asks) return response
      const given = await ask<FactorGiven>({ factor: body.data.asks, told: body.data.data ?? {} })
      if (!given) return response
      more = { [FACTOR_HEADER]: textOf(given) }
    } else return response
    response = await send(more)
  }
}

const textOf = (given: FactorGiven): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(JSON.stringify(given))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const PROOF_NEEDED: ErrorCode = 'PROOF_NEEDED'
const FACTOR_NEEDED: ErrorCode = 'FACTOR_NEEDED'

/** What a dialog asks for: the password, or the second factor for one act, with what was wrong with the one before. */
export type Question = 'password' | { factor: FactorAsked; told: FieldMessages }

/** What is asked; undefined if no dialog is open. Calls that need the password at the same time share its dialog. */
export const useQuestion = (): Pick<Asked, 'id' | 'question'> | undefined =>
  useSyncExternalStore(subscribe, () => asked)

/** The user has cancelled, and the dialog fades: what is asked from now on is asked anew. */
export function leaveProof() {
  if (asked) asked.isLeft = true
}

/** Closes the dialog: the holder has proved themselves, or has given their factor; without an answer, they have cancelled. */
export function settleProof(answer?: true | FactorGiven) {
  const settled = asked
  asked = undefined
  listeners.forEach((listener) => listener())
  settled?.settle(answer)
}

type Answer = true | FactorGiven | undefined

interface Asked {
  id: number
  question: Question
  /** What the server accepted. */
  accepted: Promise<Answer>
  /** The same for the calls that asked, undefined if the user had cancelled by then. */
  answer: Promise<Answer>
  settle: (answer: Answer) => void
  /** Its dialog fades without an answer. */
  isLeft: boolean
}

let asked: Asked | undefined
let lastId = 0
const listeners = new Set<() => void>()

/** Asks for the password again, before a call that gets more with it. False if the user cancels. */
export const proveAgain = async (): Promise<boolean> => (await ask<true>('password')) === true

/** Asks once whatever was asked before is answered. */
async function ask<Given extends true | FactorGiven>(
  question: Question,
): Promise<Given | undefined> {
  while (asked) {
    const { accepted, answer, isLeft } = asked
    const isSame = question === 'password' && asked.question === 'password'
    if (isSame && !isLeft) return answer as Promise<Given | undefined> // to the same question
    // Sent before the user cancelled.
    if ((await accepted) === true && isSame) return true as Given
  }
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const token = readSession()?.token
  // Another account's password would prove nothing about this call.
  const forget = onSessionChange(() => {
    if (readSession()?.token !== token) settleProof()
  })
  const own: Asked = {
    id: ++lastId,
    question,
    accepted: promise,
    answer: promise.then((given) => (own.isLeft ? undefined : given)),
    isLeft: false,
    settle: (answer) => {
      forget()
      resolve(answer)
    },
  }
  asked = own
  listeners.forEach((listener) => listener())
  return own.answer as Promise<Given | undefined> // the dialog of a question answers it
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
