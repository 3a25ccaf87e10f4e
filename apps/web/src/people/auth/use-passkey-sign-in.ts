import { authEndpoints } from '@tallyroom/contract/people/auth'
import type { PasskeyAnswer } from '@tallyroom/contract/people/passkeys'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { givePasskey, hasPasskeys, withdrawPasskey } from '../../lib/factors/passkeys.ts'

/** Shorter than a challenge is valid. */
const AGAIN_MS = 4 * 60_000

interface PasskeySignInOptions {
  /** Whether the form is shown in which browsers offer passkeys. */
  isOffered: boolean
  onSignedIn: (token: string) => void
  onRefused: (error: Error) => void
}

/** Signs in by a passkey alone: on a press, or picked among what the browser fills in. */
export function usePasskeySignIn({ isOffered, onSignedIn, onRefused }: PasskeySignInOptions) {
  const isAvailable = hasPasskeys()
  const enter = useMutation({
    mutationFn: byPasskey,
    meta: { ownErrors: true },
    onSuccess: onSignedIn,
    onError: onRefused,
  })
  const finish = useEffectEvent(onSignedIn)
  const tellOf = useEffectEvent(onRefused)
  // Browsers ask for one passkey at a time: the offer gives way to the dialog of a press.
  const isWaiting = isAvailable && isOffered && !enter.isPending
  useEffect(() => {
    if (!isWaiting) return undefined
    let isOver = false
    const offer = async () => {
      const isAsked = await PublicKeyCredential.isConditionalMediationAvailable?.()
      if (!isAsked || isOver) return
      // Nobody has asked for it, so nobody hears that it came to nothing.
      const passkey = await picked(() => isOver).catch(() => undefined)
      if (!passkey || isOver) return
      await call(authEndpoints.signInByPasskey, { body: { passkey } }).then(
        ({ token }) => finish(token),
        (error: Error) => {
          tellOf(error)
          // The one who has picked it may pick another one, unless the browser picks by itself, again and again.
          if (!isOver && !isApiError(error, 'TOO_MANY_REQUESTS')) void offer()
        },
      )
    }
    void offer()
    const timer = setInterval(() => void offer(), AGAIN_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      void withdrawPasskey()
    }
  }, [isWaiting])
  return { isAvailable, isPending: enter.isPending, start: () => enter.mutate() }
}

/** What the user picks among what the browser fills in. */
async function picked(isOver: () => boolean): Promise<PasskeyAnswer | undefined> {
  const challenge = await call(authEndpoints.challengePasskey, {})
  return isOver() ? undefined : givePasskey(challenge, { isOffered: true })
}

async function byPasskey(): Promise<string> {
  const passkey = await givePasskey(await call(authEndpoints.challengePasskey, {}))
  const { token } = await call(authEndpoints.signInByPasskey, { body: { passkey } })
  return token
}
