import { MOST_FOUND } from '@tallyroom/contract/desk/find'
import { can } from '@tallyroom/domain/abilities'
import { formatDollars, formatPesos, fromMinorUnits } from '@tallyroom/domain/money'
import { formatDateTime } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import { findStatementsByNumber, findPaymentsNamed, findRunsNumbered } from '../../pay/index.ts'
import { type Ranked, rankOf } from './rank.ts'

/** `2026-11-A-0007`, and what is left of it down to its month. */
const STATEMENT = /^20\d\d-/

/** Statements by number or its beginning. */
export async function statementsFound(
  services: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  text: string,
): Promise<Ranked[]> {
  if (!can(viewer, 'pay.view') || !STATEMENT.test(text)) return []
  const wanted = { beginning: text, limit: MOST_FOUND }
  const statements = await findStatementsByNumber(services, viewer, wanted)
  return statements.map(({ id, number, payee, period, currency, due }) => ({
    found: {
      kind: 'statement',
      id: String(id),
      label: number,
      detail: [payee.name, moneyText(due, currency), `${period.start} – ${period.end}`].join(' · '),
      active: true,
    },
    rank: rankOf(text, [number]),
  }))
}

/** Runs by number, and payments by our reference or the bank's. */
export async function paymentsFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  if (!can(viewer, 'pay.view')) return []
  const mayPay = can(viewer, 'pay.manage')
  if (!mayPay && !(await findVisibleAmounts(db, viewer)).payout) return []
  const [runs, payments] = await Promise.all([
    mayPay && /^r-/i.test(text) ? findRunsNumbered(db, text, MOST_FOUND) : [],
    findPaymentsNamed(db, scopeOf(viewer), text, MOST_FOUND),
  ])
  return [
    ...runs.map(({ id, number, preparedAt, preparedBy }): Ranked => ({
      found: {
        kind: 'run',
        id: String(id),
        label: number,
        detail: `Payment run · prepared by ${preparedBy} · ${formatDateTime(preparedAt)}`,
        active: true,
      },
      rank: rankOf(text, [number]),
    })),
    ...payments.map((payment): Ranked => {
      const { reference, bankReference, run, runId, kind, payeeId, payee } = payment
      const result = resultOf(payment)
      const amount = moneyText(payment.amount, payment.currency)
      return {
        found: {
          kind: mayPay ? 'run' : 'payment',
          id: mayPay ? String(runId) : `${kind}/${payeeId}`,
          label: reference,
          detail: [`${amount} to ${payee}`, result, mayPay && run].filter(Boolean).join(' · '),
          active: true,
        },
        rank: rankOf(text, [reference, bankReference]),
      }
    }),
  ]
}

function resultOf({ paid, returned }: { paid: boolean | null; returned: boolean }): string {
  if (returned) return 'paid, came back'
  return paid === null ? 'no result yet' : paid ? 'paid' : 'failed'
}

const moneyText = (amount: number, currency: Currency): string => {
  const text = (currency === 'PHP' ? formatPesos : formatDollars)(fromMinorUnits(amount))
  return amount < 0 ? `−${text}` : text
}
