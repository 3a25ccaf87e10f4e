import { Badge } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { PreviewedStatement } from '@tallyroom/contract/pay/periods'
import { formatCount } from '@tallyroom/domain/money'
import { LinkText } from '../../ui/links.tsx'
import { payeeParams, signedMoney } from '../pay-words.ts'
import classes from '../pay.module.css'
import type { PlainColumn } from '../../ui/PlainTable.tsx'
import { byCurrency } from '../../shared/money-columns.ts'

/** The largest change first, up or down. */
export const byChange = (statements: readonly PreviewedStatement[]) =>
  statements.toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change))

/** A row for each currency. */
export const previewSums = (statements: readonly PreviewedStatement[]) =>
  byCurrency(statements, ({ currency, own, sum }) => {
    // What is on hold is owed but not paid, and what is negative or below the minimum stays on the balance.
    const dueOf = (counts: (one: PreviewedStatement) => boolean) =>
      own.reduce((total, one) => total + (counts(one) ? one.due : 0), 0)
    const toPay = dueOf(({ held, carriedOn }) => !held && !carriedOn)
    const onHold = dueOf(({ held, carriedOn }) => held && !carriedOn)
    const carriedOn = dueOf((one) => one.carriedOn)
    const change = own.reduce((total, one) => total + one.change, 0)
    return {
      label: `${formatCount(own.length)} ${own.length === 1 ? 'statement' : 'statements'}`,
      cells: {
        'This period': sum(({ amount }) => amount),
        'Period before': sum(({ before }) => before),
        Change: signedMoney(change, currency),
        [TAKEN]: sum(takenFrom),
        'Balance before': sum(({ carried }) => carried),
        'To pay': (
          <>
            {moneyText(toPay, currency)}
            {onHold !== 0 && (
              <div className={classes.dim}>on hold {moneyText(onHold, currency)}</div>
            )}
            {carriedOn !== 0 && (
              <div className={classes.dim}>carried on {moneyText(carriedOn, currency)}</div>
            )}
          </>
        ),
      },
    }
  })

/** Columns that compare with the period before; the first period has none. */
const comparing = new Set(['Period before', 'Change'])

const TAKEN = 'Tax and advances'

/** What comes off between the sum and the balance before and what is to pay: 0 or less, unless tax is given back. */
const takenFrom = ({ amount, carried, due }: PreviewedStatement): number => due - amount - carried

/**
 * What closing would pay each payee. The first period has nothing to compare with. Tax and advances have a column if there are
 * any, so that each row adds up.
 */
export function previewColumns(
  name: string,
  isFirst: boolean,
  statements: readonly PreviewedStatement[],
): PlainColumn<PreviewedStatement>[] {
  const takes = statements.some((one) => takenFrom(one) !== 0)
  return columnsOf(name).filter(
    ({ header }) => (!isFirst || !comparing.has(header)) && (takes || header !== TAKEN),
  )
}

const columnsOf = (name: string): PlainColumn<PreviewedStatement>[] => [
  {
    header: 'Payee',
    cell: ({ payee, held }) => (
      <>
        <LinkText to="/app/pay/periods/$name/$kind/$id" params={{ name, ...payeeParams(payee) }}>
          {payee.name}
        </LinkText>
        {held && (
          <Badge color="yellow" ml={8}>
            On hold
          </Badge>
        )}
      </>
    ),
  },
  { header: 'Period before', numeric: true, cell: (row) => moneyText(row.before, row.currency) },
  { header: 'This period', numeric: true, cell: (row) => moneyText(row.amount, row.currency) },
  {
    header: 'Change',
    numeric: true,
    cell: ({ change, currency }) => signedMoney(change, currency),
  },
  { header: TAKEN, numeric: true, cell: (row) => moneyText(takenFrom(row), row.currency) },
  { header: 'Balance before', numeric: true, cell: (row) => moneyText(row.carried, row.currency) },
  {
    header: 'To pay',
    numeric: true,
    cell: ({ due, currency, carriedOn }) =>
      carriedOn && due !== 0 ? (
        <div className={classes.dim}>carried on {moneyText(due, currency)}</div>
      ) : (
        moneyText(due, currency)
      ),
  },
]
