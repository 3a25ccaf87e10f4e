import { Badge } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { StatementItem } from '@tallyroom/contract/pay/statements'
import { formatClock } from '@tallyroom/domain/new-york'
import { rangeInWords } from '@tallyroom/domain/periods'
import { statementWords } from '../../shared/earned.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { csvCurrency, csvMoney } from '../csv-money.ts'
import { payeeParams, statementColors } from './pay-words.ts'
import { PaymentLine } from './PaymentLine.tsx'
import classes from './pay.module.css'

/** The sums of a list of statements. Pesos are left out if everybody is paid in dollars. */
export const statementTotals = ({ centavos, cents }: { centavos: number; cents: number }) => [
  ...(centavos !== 0 || cents === 0 ? [total('php', 'Total', moneyText(centavos, 'PHP'))] : []),
  ...(cents !== 0 ? [total('usd', 'Total in dollars', moneyText(cents, 'USD'))] : []),
]

const total = (id: string, label: string, amount: string) => ({ id, label, cells: { amount } })

/** The columns of a list of statements. An agent’s own part of an office’s statement has no balance. */
export const statementColumns = (isAgent: boolean, isOwn: boolean): ListColumn<StatementItem>[] => [
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
      isAgent && payee.kind === 'office' ? (
        payee.name
      ) : (
        <LinkText to="/app/pay/balances/$kind/$id" params={payeeParams(payee)}>
          {payee.name}
        </LinkText>
      ),
    csv: [{ header: 'Payee', value: ({ payee }) => payee.name }, csvCurrency],
  },
  {
    id: 'amount',
    header: 'Sum',
    numeric: true,
    card: 'money',
    cell: ({ amount, currency }) => moneyText(amount, currency),
    csv: ({ amount }) => csvMoney(amount),
  },
  {
    id: 'carried',
    header: 'Balance before',
    numeric: true,
    card: 'detail',
    cell: ({ carried, currency, payee }) =>
      isAgent && payee.kind === 'office' ? '–' : moneyText(carried, currency),
    csv: ({ carried, payee }) => (isAgent && payee.kind === 'office' ? null : csvMoney(carried)),
  },
  {
    id: 'due',
    header: 'Balance after',
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
        <Badge color={statementColors[statement.state]} variant="light">
          {statementWords(statement, isAgent && payee.kind === 'office')}
        </Badge>
        {statement.state === 'running' && statement.payment && (
          <div className={classes.dim}>
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
    cell: ({ closedAt }) => <Instant at={closedAt} />,
    csv: [
      { header: 'Closed (New York)', value: ({ closedAt }) => formatClock(new Date(closedAt)) },
    ],
  },
]
