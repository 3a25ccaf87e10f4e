import type { LeftOut } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Currency } from '@tallyroom/domain/pay'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { causeWords } from './run-words.ts'
import classes from '../runs.module.css'
import { BalanceLink } from '../../shared/payee-links.tsx'

/** The payees that a run does not pay, and why. */
export const LeftOutTable = ({
  leftOut,
  currency,
}: {
  leftOut: readonly LeftOut[]
  currency: Currency
}) => (
  <DataTable
    caption="Not paid"
    columns={columnsIn(currency)}
    rows={leftOut}
    rowKey={({ kind, id }) => `${kind}${id}`}
    empty="Nobody is left out"
  />
)

const columnsIn = (currency: Currency): ListColumn<LeftOut>[] => [
  {
    id: 'name',
    header: 'Payee',
    fixed: true,
    cell: (payee) => <BalanceLink payee={payee} />,
  },
  {
    id: 'why',
    header: 'Why',
    card: 'title',
    cell: ({ cause, why }) => (
      <>
        {causeWords[cause]}
        <div className={classes.dim}>{why}</div>
      </>
    ),
  },
  {
    id: 'balance',
    header: 'Balance',
    numeric: true,
    card: 'money',
    cell: ({ balance }) => moneyText(balance, currency),
  },
]
