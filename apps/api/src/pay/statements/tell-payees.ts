import type { Day } from '@tallyroom/domain/new-york'
import type { Currency, OutsideWay, ReceivedWay } from '@tallyroom/domain/pay'
import type { Tx } from '../../db/database.ts'
import { type NewFact, writeFacts } from '../../notices/index.ts'
import { findPayeeNames, type PayeeKey, payeeText } from '../terms/payees.queries.ts'

/** What happened to a payee's money. */
export type ToldOfPay =
  | ({ kind: 'statement'; statementId: number; number: string } & Sum)
  | ({ kind: 'sent'; executionDay: Day } & Sum)
  | ({ kind: 'failed' | 'returned' } & Sum)
  | ({ kind: 'outside'; way: OutsideWay; paidOn: Day; voucher: string } & Sum)
  | ({ kind: 'received'; way: ReceivedWay; paidOn: Day; voucher: string } & Sum)
  /** `told`: what staff wrote for the payee. Their own reason is never in a mail. */
  | { kind: 'held' | 'released'; payee: PayeeKey; told: string }

/** In centavos or cents. */
type Sum = { payee: PayeeKey; amount: number; currency: Currency }

/**
 * Writes what happened, in its transaction, once for each payee and fact. Bell and mails tell it to whoever may read of it
 * (`desk/bell`).
 */
export async function tellPayees(
  tx: Tx,
  all: readonly ToldOfPay[],
  byAccountId: number,
): Promise<void> {
  await writeFacts(tx, await factsOf(tx, all), { at: tx.now, byAccountId })
}

/** Of each payee one: the parts of a payment are summed. */
async function factsOf(tx: Tx, all: readonly ToldOfPay[]): Promise<NewFact[]> {
  const names = await findPayeeNames(
    tx,
    all.map(({ payee }) => payee),
  )
  return [...Map.groupBy(all, keyOf).values()].flatMap((parts): NewFact[] => {
    const [one] = parts
    if (!one) return []
    const { kind, id } = one.payee
    const of = kind === 'agent' ? { agentId: id } : { officeId: id }
    const payee = { ...one.payee, name: names.get(payeeText(one.payee)) ?? '' }
    if ('told' in one) {
      return [{ kind: `pay.${one.kind}`, of, subject: { payee, told: one.told } }]
    }
    const amount = parts.reduce((sum, part) => sum + ('amount' in part ? part.amount : 0), 0)
    const sum = { payee, amount, currency: one.currency }
    switch (one.kind) {
      case 'statement': {
        const { statementId, number } = one
        return [{ kind: 'statement.closed', of, subject: { ...sum, statementId, number } }]
      }
      case 'sent':
        return [{ kind: 'payment.sent', of, subject: { ...sum, executionDay: one.executionDay } }]
      case 'outside': {
        const { way, paidOn, voucher } = one
        return [{ kind: 'payment.outside', of, subject: { ...sum, way, paidOn, voucher } }]
      }
      case 'received': {
        const { way, paidOn, voucher } = one
        return [{ kind: 'money.received', of, subject: { ...sum, way, paidOn, voucher } }]
      }
      case 'failed':
      case 'returned':
        return [{ kind: `payment.${one.kind}`, of, subject: sum }]
    }
  })
}

const keyOf = (one: ToldOfPay): string =>
  [one.kind, payeeText(one.payee), one.kind === 'statement' ? one.number : ''].join(' ')
