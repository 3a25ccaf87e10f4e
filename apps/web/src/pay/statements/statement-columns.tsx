import { Badge } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { StatementItem } from '@tallyroom/contract/pay/statements/statements'
import type { Currency } from '@tallyroom/domain/pay'
import { formatClock } from '@tallyroom/domain/new-york'
import { rangeInWords } from '@tallyroom/domain/periods'
import { statementWords } from '../../shared/earned.tsx'
import { InstantDay } from '../../ui/text/Instant.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { csvCurrency, csvMoney, moneyColumn } from '../../shared/money-columns.ts'
import { statementColors } from '../pay-words.ts'
import { PaymentLine } from './PaymentLine.tsx'
import classes from '../pay.module.css'
import { BalanceLink } from '../../shared/payee-links.tsx'
import { LinkText } from '../../ui/links.tsx'

type Sums = { centavos: number; cents: number }

/** The sums of a list of statements. Pesos are left out if everybody is paid in dollars. */
export function statementTotals({ centavos, cents, withheld }: Sums & { withheld: Sums | null }) {
  const inPesos = centavos !== 0 || (withheld?.centavos ?? 0) !== 0
  const inDollars = cents !== 0 || (withheld?.cents ?? 0) !== 0
  const total = (id: string, label: string, currency: Currency) => {
    const sum = (sums: Sums) => moneyText(currency === 'PHP' ? sums.centavos : sums.cents, currency)
    return {
      id,
      label,
      cells: { amount: sum({ centavos, cents }), ...(withheld && { withheld: sum(withheld) }) },
    }
  }
  return [
    ...(inPesos || !inDollars ? [total('php', 'Total', 'PHP')] : []),
    ...(inDollars ? [total('usd', 'Total in dollars', 'USD')] : []),
  ]
}

type ForWhom = {
  isAgent: boolean
  isOwn: boolean
  /** Whether any of the statements withheld tax. */
  isTaxed: boolean
}

/** The columns of a list of statements. An agent’s own part of an office’s statement has no balance, and no tax. */
export const statementColumns = ({
  isAgent,
  isOwn,
  isTaxed,
}: ForWhom): ListColumn<StatementItem>[] => [
  {
    id: 'number',
    header: 'Statement',
    fixed: true,
    card: 'title',
    cell: ({ id, number, period }) => (
      <span className={classes.wrapping}>
        <LinkText to="/app/pay/statements/$statementId" params={{ statementId: String(id) }}>
          {number}
        </LinkText>
        <span className={classes.beside}>{rangeInWords(period)}</span>
      </span>
    ),
    csv: [
      { header: 'Statement', value: ({ number }) => number },
      { header: 'Period', value: ({ period }) => period.name },
    ],
  },
  {
    id: 'payee',
    header: 'Payee',
    card: isOwn ? 'detail' : 'title',
    cell: ({ payee }) =>
      isAgent && payee.kind === 'office' ? payee.name : <BalanceLink payee={payee} />,
    csv: [{ header: 'Payee', value: ({ payee }) => payee.name }, csvCurrency],
  },
  moneyColumn('amount', 'Sum', { card: 'money' }),
  ...(isTaxed
    ? [
        {
          id: 'withheld',
          header: 'Tax withheld',
          numeric: true,
          card: 'detail',
          cell: ({ withheld, currency }) => (withheld === 0 ? '–' : moneyText(withheld, currency)),
          csv: ({ withheld, payee }) =>
            isAgent && payee.kind === 'office' ? null : csvMoney(withheld),
        } satisfies ListColumn<StatementItem>,
      ]
    : []),
  {
    id: 'carried',
    header: 'Balance before',
    numeric: true,
    hiddenAtFirst: true,
    card: 'detail',
    cell: ({ carried, currency, payee }) =>
      isAgent && payee.kind === 'office' ? '–' : moneyText(carried, currency),
    csv: ({ carried, payee }) => (isAgent && payee.kind === 'office' ? null : csvMoney(carried)),
  },
  {
    id: 'due',
    header: 'Balance when closed',
    numeric: true,
    card: 'detail',
    cell: ({ due, currency, payee }) =>
      isAgent && payee.kind === 'office' ? '–' : moneyText(due, currency),
    csv: ({ due, payee }) => (isAgent && payee.kind === 'office' ? null : csvMoney(due)),
  },
  {
    id: 'state',
    header: 'State',
    card: 'title',
    cell: ({ payee, ...statement }) => (
      <>
        <Badge color={statementColors[statement.state]}>
          {statementWords(statement, isAgent && payee.kind === 'office')}
        </Badge>
        {statement.state === 'running' && statement.payment && (
          <div className={classes.paidBy}>
            <PaymentLine payment={statement.payment} />
          </div>
        )}
      </>
    ),
    csv: ({ payee, ...statement }) => statementWords(statement, isAgent && payee.kind === 'office'),
  },
  {
    id: 'closedAt',
    header: 'Closed',
    card: 'detail',
    cell: ({ closedAt }) => <InstantDay at={closedAt} />,
    csv: [
      { header: 'Closed (New York)', value: ({ closedAt }) => formatClock(new Date(closedAt)) },
    ],
  },
]
