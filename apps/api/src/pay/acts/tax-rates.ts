import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { addDays, type Day, todayNewYork } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { type BalanceKey, balanceText } from '../ledger/balances.queries.ts'
import { type Calendar, firstOpenDay, getCalendar } from '../terms/calendar.ts'
import type { TaxTerms } from '../statements/make-statement.ts'
import { type PayeeKey, payeeText, isPayee } from '../terms/payees.queries.ts'
import { insertProposal, type Proposal } from '../ledger/proposals.queries.ts'
import { lockProposals } from '../terms/settings.queries.ts'
import {
  findDetailsDays,
  findTaxRates,
  findWithheld,
  type StoredTaxRate,
} from '../ledger/tax-rates.queries.ts'
import type { ActOfTwo } from '../proposals/act-of-two.ts'

/** At which rate tax is withheld from a payee on a day; undefined if none is. */
export type TaxRuleOn = (payee: PayeeKey, day: Day) => Omit<TaxTerms, 'before'> | undefined

/** The rates in force, of one payee or of all. */
export async function findTaxRules(db: DbOrTx, only?: PayeeKey): Promise<TaxRuleOn> {
  const rates = await findTaxRates(db, only)
  if (rates.size === 0) return () => undefined
  const details = await findDetailsDays(db, only)
  return (payee, day) => {
    const rate = inForce(rates.get(payeeText(payee)), day)
    const detailsId = inForce(details.get(payeeText(payee)), day)?.id
    if (!rate || rate.code === null || detailsId === undefined) return undefined
    return { detailsId, code: rate.code, rateBp: rate.rateBp }
  }
}

/** Of rows from a day on, the latest first, the one in force on a day. */
const inForce = <Row extends { fromDay: Day }>(rows: readonly Row[] | undefined, day: Day) =>
  rows?.find(({ fromDay }) => fromDay <= day)

/** What statements of a period that ends on a day withhold, after those that are made already. */
export async function findTaxTerms(
  db: DbOrTx,
  lastDay: Day,
  only?: PayeeKey,
): Promise<(of: BalanceKey) => TaxTerms | undefined> {
  const ruleOn = await findTaxRules(db, only)
  const withheld = await findWithheld(db, lastDay, only)
  return (of) => {
    const rule = ruleOn(of, lastDay)
    return rule && { ...rule, before: withheld.get(balanceText(of)) ?? 0 }
  }
}

type Asked = Omit<RequestOf<typeof taxDetailsEndpoints.proposeTaxRate>['body'], 'kind' | 'id'>

/**
 * Proposes at which rate tax is withheld from a day on. Returns the proposal's id.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that a closed period has or that is more than a year from now, without tax
 * details in force on it, and if nothing would change; CONFLICT until pay is switched on.
 */
export const proposeTaxRate = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
  { fromDay, rateBp, code, reason }: Asked,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await lockProposals(tx)
    const calendar = await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    refuseDay(fromDay, calendar, tx.now)
    const rates = (await findTaxRates(tx, payee)).get(payeeText(payee)) ?? []
    const before = inForce(rates, fromDay)
    const isLast = rates[0] === before
    if (isLast && (before?.rateBp ?? 0) === rateBp && (before?.code ?? null) === code)
      throw invalid({ _form: ['This is the rate already.'] })
    const details = (await findDetailsDays(tx, payee)).get(payeeText(payee))
    if (rateBp > 0 && !inForce(details, fromDay))
      throw invalid({
        fromDay: [
          'must be a day on which tax details are in force: enter registered name, tax number and address first',
        ],
      })
    return insertProposal(tx, {
      act: { kind: 'tax rate', payee, fromDay, rateBp, code, replaces: lastOf(rates) },
      reason,
      why: 'What is withheld is changed by two people.',
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** @throws VALIDATION_ERROR for a day from which nothing of pay can be changed. */
export function refuseDay(fromDay: Day, calendar: Calendar, now: Date): void {
  const first = firstOpenDay(calendar)
  if (fromDay < first)
    throw invalid({ fromDay: [`must be ${first} or later: the days before are closed`] })
  if (fromDay > addDays(todayNewYork(now), MOST_DAYS))
    throw invalid({ fromDay: ['must be within a year of today'] })
}

const MOST_DAYS = 366

/** The proposal that was approved last. */
const lastOf = (rates: readonly StoredTaxRate[]): number | null =>
  rates.length === 0 ? null : Math.max(...rates.map(({ id }) => id))

/** Why a proposed rate can't be approved any more; undefined if it can. */
async function whyTaxRateOutdated(
  db: DbOrTx,
  { act: { payee, fromDay, replaces } }: Proposal<'tax rate'>,
): Promise<string | undefined> {
  if (!(await isPayee(db, payee))) return `The ${payee.kind} no longer exists.`
  const first = firstOpenDay(await getCalendar(db))
  if (fromDay < first) return `The days before ${first} are closed.`
  const rates = (await findTaxRates(db, payee)).get(payeeText(payee)) ?? []
  return lastOf(rates) === replaces
    ? undefined
    : 'Another rate of this payee was approved in the meantime.'
}

/** A payee's rate of tax, which acts by being approved. */
export const taxRate: ActOfTwo<'tax rate'> = {
  lock: 'balances',
  whyOutdated: whyTaxRateOutdated,
  carryOut: () => Promise.resolve(null),
  present: ({ kind, payee, fromDay, rateBp, code }, names) => ({
    kind,
    payee: names.payee(payee),
    fromDay,
    rateBp,
    code,
  }),
}
