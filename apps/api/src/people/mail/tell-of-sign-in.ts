import { brandOf } from '@tallyroom/domain/brands/index'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { type SignInEvent, signInEventWords } from '@tallyroom/domain/sign-ins'
import type { Tx } from '../../db/database.ts'
import type { PostServices } from './post-mail.ts'
import { elsewhere, tellHolder } from './tell-holder.ts'

/** From where somebody tried to sign in. `browser`: such as `Chrome on Windows`. */
export type SignInPlace = { browser: string; ip: string }

/**
 * Notifies the holder of a sign-in that may not have been theirs, in its transaction: see {@link tellHolder}. Call this last.
 *
 * @param link by which they say so, and how long it works. Former addresses don't get it.
 */
export async function tellOfSignIn(
  tx: Tx,
  services: PostServices,
  {
    accountId,
    happened,
    place,
    link: { url, days },
  }: {
    accountId: number
    happened: SignInEvent
    place: SignInPlace
    link: { url: string; days: number }
  },
): Promise<void> {
  const { name } = brandOf(services.config.brand)
  const told = signInEventWords[happened]
  const fact = { kind: 'sign-in.noticed', subject: { happened, ...place } } as const
  await tellHolder(tx, services, { accountId, fact }, ({ username, isCurrent, hasAddress }) => ({
    subject: `${name}: ${told.slice(0, 1).toLowerCase()}${told.slice(1)}`,
    text: `${told}: ${username}.

${place.browser}, ${place.ip}
${formatDateTime(tx.now)}, New York time

If it was you, there is nothing to do.

${
  isCurrent
    ? `If not, open this link within ${days} days. It ends all sessions of the account, and you can set a new password. Don’t pass the link on: whoever opens it can.

${url}`
    : `If not, tell the people who run ${name} at once. ${elsewhere(hasAddress, 'its sign-ins')}`
}

${name}
`,
  }))
}
