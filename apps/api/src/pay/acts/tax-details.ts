import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { can } from '@tallyroom/domain/abilities'
import { taxNumberText } from '@tallyroom/domain/tax-number'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../errors.ts'
import { insertSealed } from '../../seals/index.ts'
import type { Services } from '../../services.ts'
import { findCalendar, firstOpenDay, getCalendar } from '../terms/calendar.ts'
import {
  findPayeeNames,
  isPayee,
  type PayeeKey,
  PAYER,
  payeeText,
  type TaxParty,
} from '../terms/payees.queries.ts'
import { findWaitingOf } from '../ledger/proposals.queries.ts'
import { lockBalances } from '../terms/settings.queries.ts'
import { findSameTaxpayers, findTaxDetails } from '../terms/tax-details.queries.ts'
import { refuseDay } from './tax-rates.ts'
import { findTaxRates } from '../ledger/tax-rates.queries.ts'
import { refuseForeignPayee } from '../terms/own-payee.ts'

type Details = RequestOf<typeof taxDetailsEndpoints.savePayerDetails>['body']

/** @throws NOT_FOUND, also when an office or agent asks for another payee. */
export async function getTaxDetails(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  payee: PayeeKey,
): Promise<AnswerOf<typeof taxDetailsEndpoints.taxDetails>> {
  await refuseForeignPayee(db, viewer, payee)
  const forStaff = can(viewer, 'pay.manage')
  return {
    ...(await detailsOf(db, payee, forStaff)),
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

/** Those of the network, for staff. */
export const getPayerDetails = ({
  db,
}: Pick<Services, 'db'>): Promise<AnswerOf<typeof taxDetailsEndpoints.payerDetails>> =>
  detailsOf(db, PAYER, true)

async function detailsOf(db: DbOrTx, party: TaxParty, forStaff: boolean) {
  const calendar = await findCalendar(db)
  return {
    changesFrom: calendar ? firstOpenDay(calendar) : null,
    details: (await findTaxDetails(db, party)).map(({ setBy, setAt, ...details }) => ({
      ...details,
      setAt: setAt.toISOString(),
      ...(forStaff && { setBy }),
    })),
  }
}

/**
 * Adds tax details of a payee or of the network from a day on. Those of the days before stay as they were.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR for a day that a closed period has, or more than a year from now, and for another payee's
 * tax number unless it is said that both are one taxpayer; CONFLICT until pay is switched on.
 */
export const saveTaxDetails = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  party: TaxParty,
  details: Details,
  { sameTaxpayer = false }: { sameTaxpayer?: boolean } = {},
): Promise<void> =>
  inTransaction(db, async (tx) => {
    // Of a closing at the same moment, one comes first.
    await lockBalances(tx)
    const calendar = await getCalendar(tx)
    if (party.kind !== 'network' && !(await isPayee(tx, party))) throw notFound(party.kind)
    refuseDay(details.fromDay, calendar, tx.now)
    if (party.kind !== 'network' && !sameTaxpayer) await refuseSharedNumber(tx, party, details)
    await insertSealed(tx, 'payee_tax_details', {
      payee_kind: party.kind,
      payee_id: party.id,
      from_day: details.fromDay,
      registered_name: details.registeredName,
      country: details.country,
      tax_number: taxNumberText(details.country, details.taxNumber),
      address: details.address,
      set_at: tx.now,
      set_by: viewer.accountId,
      set_by_name: viewer.username,
    })
  })

/** A number that somebody else has is most often typed wrong, or the payee is there twice. */
async function refuseSharedNumber(tx: Tx, payee: PayeeKey, details: Details): Promise<void> {
  const same = (await findSameTaxpayers(tx, [details])).filter(({ isLatest }) => isLatest)
  // Who has it already only moves, or has another name.
  if (same.length === 0 || same.some((one) => payeeText(one) === payeeText(payee))) return
  const names = await findPayeeNames(tx, same)
  const all = same.map((one) => names.get(payeeText(one)) ?? `${one.kind} ${one.id}`).join(', ')
  throw invalid({
    sameTaxpayer: [
      `must be ticked, or the number corrected: ${all} ${same.length > 1 ? 'have' : 'has'} it, too. One taxpayer has one line in the list of taxes, and one certificate`,
    ],
  })
}
