import { FACTOR_RESET_DAYS } from '@tallyroom/domain/acts'
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

/** Mails everybody who may pay that the operator removed somebody's second factor, whatever they chose. Call this last. */
export async function tellPayersOfReset(
  tx: Tx,
  services: PostServices,
  username: string,
): Promise<void> {
  const { name } = brandOf(services.config.brand)
  const payers = await findPayerAddresses(tx)
  await postMails(
    tx,
    services,
    payers.map(({ id: accountId, email: to }) => ({
      to,
      accountId,
      subject: `${name}: the second factor of ${username} was removed`,
      text: `The operator removed the second factor of ${username} on the command line.

For ${FACTOR_RESET_DAYS} days, this account approves nothing. Ask its holder whether they wanted it.

${name}
`,
    })),
  )
}
