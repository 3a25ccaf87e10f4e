import type { Statement, StatementItem } from '@tallyroom/contract/pay/statements/statements'
import {
  type RateLine,
  type StatementContent,
  statementContentSchema,
} from '@tallyroom/contract/pay/statements/statement'
import { isPay } from '@tallyroom/contract/pay/statements/statement-sections'
import { can } from '@tallyroom/domain/abilities'
import { institutionName } from '@tallyroom/domain/institutions'
import { type Day, dayOf } from '@tallyroom/domain/new-york'
import { isPaidOut } from '@tallyroom/domain/pay'
import { type Scope, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, DbOrTx } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findVisibleAmounts } from '../../catalogue/index.ts'
import { withLineFacts } from '../bookings/line-facts.ts'
import { findDifferencesOf } from '../bookings/line-facts.queries.ts'
import { balanceText, findBalances, findHolds } from '../ledger/balances.queries.ts'
import { payeeText } from '../terms/payees.queries.ts'
import { findCarriedInRuns } from './carried-in-runs.ts'
import { sumUp } from './make-statement.ts'
import { findSettledStates } from './states.ts'
import { openStepOf, type PaymentState } from './payment-states.ts'
import {
  findStatement,
  findStatements,
  findStatementsNumbered,
  type StatementFilter,
  type StatementRow,
  sumStatements,
} from './statements.queries.ts'
import { refuseWithoutPayouts } from '../terms/own-payee.ts'

type Needed = Pick<Services, 'db' | 'clock'>

export async function listStatements(
  { db, clock }: Needed,
  viewer: Viewer,
  filter: StatementFilter,
  page: { page: number; pageSize: number },
) {
  await refuseWithoutPayouts(db, viewer)
  const scope = scopeOf(viewer)
  const rows = await findStatements(db, scope, filter, page)
  const items = await presentAll(db, scope, { rows, now: clock.now() })
  const sums = await sumStatements(db, scope, filter)
  // Agents do not see the sums of their office's statements.
  return { items, ...sums, ...(scope.sees === 'agent' && sumsOf(items)) }
}

/** The viewer's statements whose numbers begin with the text; none while payouts are hidden from them. */
export async function findByNumber(
  { db, clock }: Needed,
  viewer: Viewer,
  { beginning, limit }: { beginning: string; limit: number },
): Promise<StatementItem[]> {
  const { payout } = await findVisibleAmounts(db, viewer)
  if (!payout) return []
  const scope = scopeOf(viewer)
  const rows = await findStatementsNumbered(db, scope, beginning, limit)
  return rows.length === 0 ? [] : presentAll(db, scope, { rows, now: clock.now() })
}

/** @throws NOT_FOUND also for statements that are not the viewer's. */
export async function getStatement(
  { db, clock }: Needed,
  viewer: Viewer,
  id: number,
): Promise<Statement> {
  const { scope, row, content } = await getSeenStatement(db, viewer, id)
  const now = clock.now()
  const [item] = await presentAll(db, scope, { rows: [row], now })
  if (!item) throw notFound('statement')
  return {
    ...item,
    contentHash: row.contentHash.toString('hex'),
    isPart: isPartFor(scope, row),
    carriedInRuns: isPartFor(scope, row) ? [] : await findCarriedInRuns(db, row, now),
    content,
  }
}

/** A statement, and its content as far as the viewer may see it. @throws NOT_FOUND, FORBIDDEN */
export async function getSeenStatement(db: Db, viewer: Viewer, id: number) {
  await refuseWithoutPayouts(db, viewer)
  const scope = scopeOf(viewer)
  const row = await findStatement(db, scope, id)
  if (!row) throw notFound('statement')
  const content = await withLineFacts(db, viewer, contentFor(scope, row), () =>
    findDifferencesOf(db, { kind: row.kind, id: row.payeeId, periodId: row.periodId }),
  )
  return { scope, row, content: contentAsSeen(viewer, content) }
}

/** Without what only staff may know. */
export function contentAsSeen(viewer: Viewer, content: StatementContent): StatementContent {
  const named = can(viewer, 'pay.manage') ? content : withoutAuthors(content)
  return can(viewer, 'earning.see') ? named : withPayAlone(named)
}

/** Payees read why an amount was adjusted, but not by whom. */
const withoutAuthors = (content: StatementContent): StatementContent => ({
  ...content,
  adjustments: content.adjustments.map((line) => ({ ...line, by: '' })),
})

/** Omits lines that pay nothing: they only reveal that the network's earnings changed. */
function withPayAlone(content: StatementContent): StatementContent {
  const late = content.late.map((period) => ({ ...period, lines: period.lines.filter(isPay) }))
  return {
    ...content,
    lines: content.lines.filter(isPay),
    fraud: content.fraud.filter(isPay),
    late: late.filter(({ lines }) => lines.length > 0),
  }
}

/** Statements as the viewer sees them, with the state of their payment. */
export async function presentAll(
  db: DbOrTx,
  scope: Scope,
  { rows, now }: { rows: readonly StatementRow[]; now: Date },
): Promise<StatementItem[]> {
  const states = await findSettledStates(
    db,
    rows.map(({ id }) => id),
    now,
  )
  const holds = await findHolds(db)
  // Of what was held, later statements may have taken some.
  const isLater = rows.some(({ paidFrom }) => paidFrom !== null)
  const balances = new Map(
    (isLater ? await findBalances(db) : []).map((one) => [balanceText(one), one.balance]),
  )
  return rows.map((row) => {
    const { amount, withheld, carried, due } = isPartFor(scope, row)
      ? { ...contentFor(scope, row), withheld: 0 }
      : row
    const became = states.get(row.id)
    const payee = { kind: row.kind, id: row.payeeId, currency: row.currency }
    return {
      id: row.id,
      number: row.number,
      period: row.period,
      payee: { kind: row.kind, id: row.payeeId, name: row.payeeName },
      currency: row.currency,
      amount,
      withheld,
      carried,
      due,
      state:
        became?.state ??
        stateOf(
          row.paidFrom === null ? row : { ...row, due: balances.get(balanceText(payee)) ?? 0 },
          { held: holds.has(payeeText(payee)), today: dayOf(now) },
        ),
      step: became?.state === 'running' ? openStepOf(became) : null,
      paidFrom: row.paidFrom,
      paidOn: became?.paidOn ?? null,
      paidInPart: became?.paidInPart ?? false,
      payment: became && !isPartFor(scope, row) ? paymentOf(became) : null,
      carriedInto: became?.carriedInto ?? null,
      closedAt: row.closedAt.toISOString(),
    }
  })
}

function paymentOf(became: PaymentState): StatementItem['payment'] {
  const { state, by } = became
  if (!by) return null
  const { institution, lastCharacters, ...run } = by
  return {
    ...run,
    step: state === 'paid' ? 'paid' : openStepOf(became),
    institutionName: institutionName(institution ?? ''),
    lastCharacters: lastCharacters ?? '',
  }
}

function stateOf(
  { due, minimum, paidFrom }: Pick<StatementRow, 'due' | 'minimum' | 'paidFrom'>,
  { held, today }: { held: boolean; today: Day },
) {
  if (!isPaidOut(due, minimum)) return 'carried'
  if (held) return 'held'
  return paidFrom !== null && paidFrom > today ? 'later' : 'due'
}

/** Whether the viewer, an agent, sees only their own lines of an office's statement. */
const isPartFor = (scope: Scope, { kind }: StatementRow): boolean =>
  scope.sees === 'agent' && kind === 'office'

function contentFor(scope: Scope, row: StatementRow): StatementContent {
  const whole = statementContentSchema.parse(JSON.parse(row.content.toString()))
  if (scope.sees !== 'agent' || !isPartFor(scope, row)) return whole
  const {
    tax: _tax,
    advances: _advances,
    document: _document,
    notIncome: _notIncome,
    ...content
  } = whole
  const isOwn = ({ agentId }: { agentId: number }) => agentId === scope.agentId
  const own = (lines: readonly RateLine[]) => lines.filter(isOwn)
  const part = {
    lines: own(content.lines),
    fraud: own(content.fraud),
    late: content.late
      .map((period) => ({ ...period, lines: own(period.lines) }))
      .filter(({ lines }) => lines.length > 0),
    tiers: content.tiers.filter(isOwn),
    adjustments: [],
  }
  // The office's conversion carries the period's exchange rate, if one was needed.
  const { amount, conversion } = sumUp(part, row.currency, content.conversion ?? undefined)
  return { ...content, ...part, amount, conversion, carried: 0, due: amount, minimum: 0 }
}

const sumsOf = (items: readonly StatementItem[]) => ({
  ...sumBy(items, 'amount'),
  withheld: items.some(({ withheld }) => withheld !== 0) ? sumBy(items, 'withheld') : null,
})

const sumBy = (items: readonly StatementItem[], of: 'amount' | 'withheld') => ({
  centavos: items.reduce((sum, one) => sum + (one.currency === 'PHP' ? one[of] : 0), 0),
  cents: items.reduce((sum, one) => sum + (one.currency === 'USD' ? one[of] : 0), 0),
})
