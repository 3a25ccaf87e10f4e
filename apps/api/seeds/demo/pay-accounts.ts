import { endpoints } from '@tallyroom/contract/endpoints'
import { addDays, todayNewYork } from '@tallyroom/domain/new-york'
import { type Currency, WAITING_DAYS } from '@tallyroom/domain/pay'
import { findSharers, insertShares } from '../../src/pay/accounts/payee-accounts.queries.ts'
import { accountDigests } from '../../src/pay/accounts/account-digest.ts'
import { decideAccount } from '../../src/pay/acts/confirm-accounts.ts'
import { accountSeals } from '../../src/pay/accounts/sealed-account.ts'
import { insertSealed } from '../../src/seals/index.ts'
import type { PayStep } from './deeds.ts'

type OfficeAccount = {
  office: string
  channel: 'bank' | 'wallet'
  institution: string
  number: string
  accountName: string
  /** Pesos by default. */
  currency?: Currency
}

/** Iloilo has never entered one. */
export const officeAccounts: readonly OfficeAccount[] = [
  {
    office: 'Manila',
    channel: 'bank',
    institution: 'BOPIPHMM',
    number: '1090443217',
    accountName: 'Manila Sales Office',
  },
  {
    office: 'Cebu',
    channel: 'bank',
    institution: 'BNORPHMM',
    number: '005410228871',
    accountName: 'Cebu Sales Office',
  },
  {
    office: 'Davao',
    channel: 'bank',
    institution: 'MBTCPHMM',
    number: '2087551093',
    accountName: 'Davao Sales Office',
  },
  {
    office: 'Baguio',
    channel: 'bank',
    institution: 'UBPHPHMM',
    number: '109320017745',
    accountName: 'Baguio Sales Office',
  },
  {
    office: 'Makati',
    channel: 'wallet',
    institution: 'GXCHPHM2',
    number: '09170123456',
    accountName: 'Isabel Magsino',
  },
]

/** What Davao entered first. */
export const dollarAccount: OfficeAccount = {
  office: 'Davao',
  channel: 'bank',
  institution: 'MBTCPHMM',
  number: '2087662417',
  accountName: 'Davao Sales Office',
  currency: 'USD',
}

/** As the page stores it, but without the password confirmation. */
export const entering = (
  { office, channel, institution, number, accountName, currency = 'PHP' }: OfficeAccount,
  id: number,
  at: Date,
): PayStep => ({
  by: office.toLowerCase(),
  at,
  endpoint: endpoints.enterPayeeAccount,
  body: { channel, institution, currency },
  changed: { ref: `office:${id}` },
  async perform({ tx, secret, formerSecrets }, viewer) {
    const payee = { kind: 'office', id } as const
    const place = { payee_kind: payee.kind, payee_id: id, entered_at: at }
    const keys = { secret, formerSecrets }
    const digests = accountDigests(keys)
    const accountId = await insertSealed(tx, 'payee_accounts', {
      ...place,
      channel,
      institution,
      sealed: accountSeals(keys).seal(place, { number, accountName }),
      number_digest: digests.of({ institution, number }),
      last_characters: number.slice(-4),
      currency,
      entered_by: viewer.accountId,
      entered_by_name: viewer.username,
      confirmations: 1,
      doubts: [],
      paid_from: addDays(todayNewYork(at), WAITING_DAYS),
    })
    const sharers = await findSharers(tx, payee, digests.all({ institution, number }))
    await insertShares(tx, accountId, sharers, at)
  },
})

export const confirming = (officeId: number, at: Date): PayStep => ({
  by: 'superadmin',
  at,
  endpoint: endpoints.decideAccount,
  body: { confirm: true, reason: '' },
  async perform(services, viewer) {
    const { id } = await services.db
      .selectFrom('payee_accounts')
      .select('id')
      .where('payee_kind', '=', 'office')
      .where('payee_id', '=', officeId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    await decideAccount(services, viewer, id, { confirm: true, reason: '' })
  },
})
