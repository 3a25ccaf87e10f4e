import { FACTOR_RESET_DAYS, type FactorReset } from '@tallyroom/domain/acts'
import { brandOf } from '@tallyroom/domain/brands/index'
import { type FactorEvent, factorEventWords } from '@tallyroom/domain/factors'
import type { Tx } from '../../db/database.ts'
import { findPayerAddresses } from '../addresses/mail-address.queries.ts'
import { postMails, type PostServices } from './post-mail.ts'
import { tellHolder } from './tell-holder.ts'

/**
 * Notifies the holder of what became of their second factor, in the transaction of it: see {@link tellHolder}. Call this last.
 */
export async function tellOfFactor(
  tx: Tx,
  services: PostServices,
  { accountId, happened }: { accountId: number; happened: FactorEvent },
): Promise<void> {
  const { name } = brandOf(services.config.brand)
  const told = factorEventWords[happened]
  const fact = { kind: 'factor.changed', subject: { happened } } as const
  await tellHolder(tx, services, { accountId, fact }, ({ username }) => ({
    subject: `${name}: ${told.slice(0, 1).toLowerCase()}${told.slice(1)}`,
    text: `${told}: ${username}.

If you did this or asked for it, there is nothing to do.

If not, tell the people who run ${name} at once, and set a new password here: ${services.config.publicUrl}/forgot

${name}
`,
  }))
}

/**
 * Mails everybody who may pay that somebody's second factor was changed without it, whatever they chose. Call this last.
 */
export async function tellPayersOfReset(
  tx: Tx,
  services: PostServices,
  { username, kind }: { username: string; kind: FactorReset },
): Promise<void> {
  const { name } = brandOf(services.config.brand)
  const { subject, told, ask } = resetWords[kind](username)
  const payers = await findPayerAddresses(tx)
  await postMails(
    tx,
    services,
    payers.map(({ id: accountId, email: to }) => ({
      to,
      accountId,
      subject: `${name}: ${subject}`,
      text: `${told}

For ${FACTOR_RESET_DAYS} days, this account approves nothing. ${ask}

${name}
`,
    })),
  )
}

type ResetWords = { subject: string; told: string; ask: string }

const resetWords: Record<FactorReset, (username: string) => ResetWords> = {
  'operator factor': (username) => ({
    subject: `the second factor of ${username} was removed`,
    told: `The operator removed the second factor of ${username} on the command line.`,
    ask: 'Ask its holder whether they wanted it.',
  }),
  'recovered factor': (username) => ({
    subject: `the second factor of ${username} was changed with a recovery code`,
    told: `Somebody with a recovery code of ${username} added or removed a second factor of this account, or made new recovery codes.`,
    ask: 'Unless it is yours, ask its holder whether it was them.',
  }),
}
