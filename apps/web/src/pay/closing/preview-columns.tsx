import { Badge } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { PayChecks, PreviewedStatement } from '@tallyroom/contract/pay/closing/periods'
import { formatCount } from '@tallyroom/domain/money'
import { LinkText } from '../../ui/links.tsx'
import { payeeParams, signedMoney } from '../pay-words.ts'
import classes from '../pay.module.css'
import type { PlainColumn } from '../../ui/PlainTable.tsx'
import { byCurrency } from '../../shared/money-columns.ts'

type NotPaid = PayChecks['notPaid'][number]

/** The largest change first, up or down. */
export const byChange = (statements: readonly PreviewedStatement[]) =>
  statements.toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change))

/**
 * A row for each currency.
 * @param notPaid whom the next run would leave out, as the checks say
 */
export function previewSums(
  statements: readonly PreviewedStatement[],
  notPaid: readonly Pick<NotPaid, 'kind' | 'id' | 'currency'>[],
) {
  const keyOf = ({ kind, id, currency }: Pick<NotPaid, 'kind' | 'id' | 'currency'>) =>
    `${kind} ${id} ${currency}`
  const leftOut = new Set(notPaid.map(keyOf))
  const waits = ({ payee, currency }: PreviewedStatement) =>
    leftOut.has(keyOf({ ...payee, currency }))
  return byCurrency(statements, ({ currency, own, sum }) => {
    const dueOf = (some: readonly PreviewedStatement[]) =>
      some.reduce((total, one) => total + one.due, 0)
    // What is negative or below the minimum stays on the balance.
    const due = own.filter((one) => !one.carriedOn)
    const waiting = due.filter(waits)
    const toPay = dueOf(due.filter((one) => !waits(one)))
    const carriedOn = dueOf(own.filter((one) => one.carriedOn))
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
            {waiting.length > 0 && (
              <div className={classes.dim}>
                can be paid now; {moneyText(dueOf(waiting), currency)} of{' '}
                {waiting.length === 1
                  ? 'one payee waits'
                  : `${formatCount(waiting.length)} payees wait`}
              </div>
            )}
            {carriedOn !== 0 && (
              <div className={classes.dim}>carried on {moneyText(carriedOn, currency)}</div>
            )}
          </>
        ),
      },
    }
  })
}

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
