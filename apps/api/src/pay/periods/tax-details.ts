import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { taxDetailsEndpoints } from '@tallyroom/contract/pay/tax-details'
import { can } from '@tallyroom/domain/abilities'
import { taxNumberText } from '@tallyroom/domain/tax-number'
import type { Viewer } from '../../access/viewer.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { isPayee } from './adjustments.queries.ts'
import { refuseForeignPayee } from './balances.ts'
import { findCalendar, firstOpenDay, getCalendar } from './calendar.ts'
import { type PayeeKey, payeeText } from './payees.queries.ts'
import { findWaitingOf } from './proposals.queries.ts'
import { lockBalances } from './settings.queries.ts'
import { findTaxDetails, insertTaxDetails } from './tax-details.queries.ts'
import { refuseDay } from './tax-rates.ts'
import { findTaxRates } from './tax-rates.queries.ts'

type Details = Omit<RequestOf<typeof taxDetailsEndpoints.saveTaxDetails>['body'], 'kind' | 'id'>

/** @throws NOT_FOUND, also when an office or agent asks for another payee. */
export async function getTaxDetails(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
): Promise<AnswerOf<typeof taxDetailsEndpoints.taxDetails>> {
  await refuseForeignPayee(db, viewer, payee)
  const calendar = await findCalendar(db)
  const forStaff = can(viewer, 'pay.manage')
  return {
    changesFrom: calendar ? firstOpenDay(calendar) : null,
    details: (await findTaxDetails(db, payee)).map(({ setBy, setAt, ...details }) => ({
      ...details,
      setAt: setAt.toISOString(),
      ...(forStaff && { setBy }),
    })),
    rates: ((await findTaxRates(db, payee)).get(payeeText(payee)) ?? []).map(
      ({ reason, setBy, approvedBy, setAt, ...rate }) => ({
        ...rate,
        setAt: setAt.toISOString(),
        ...(forStaff && { reason, setBy, approvedBy }),
      }),
    ),
    ...(forStaff && {
      waitingRates: (await findWaitingOf(db, 'tax rate'))
        .filter(({ act }) => payeeText(act.payee) === payeeText(payee))
        .map(({ id, act: { fromDay, rateBp, code }, reason, madeAt, madeBy }) => ({
          id,
          fromDay,
          rateBp,
          code,
          reason,
          setAt: madeAt.toISOString(),
          setBy: madeBy.name,
        })),
    }),
  }
}

/**
 * Adds tax details from a day on. Those of the days before stay as they were.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that a closed period has, or more than a year from now; CONFLICT until pay
 * is switched on.
 */
export const saveTaxDetails = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  payee: PayeeKey,
  details: Details,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    // Of a closing at the same moment, one comes first.
    await lockBalances(tx)
    const calendar = await getCalendar(tx)
    if (!(await isPayee(tx, payee))) throw notFound(payee.kind)
    const now = clock.now()
    refuseDay(details.fromDay, calendar, now)
    await insertTaxDetails(tx, payee, {
      ...details,
      taxNumber: taxNumberText(details.country, details.taxNumber),
      setAt: now,
      setBy: { id: viewer.accountId, name: viewer.username },
    })
  })
