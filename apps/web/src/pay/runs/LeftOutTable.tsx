import type { LeftOut } from '@tallyroom/contract/pay/runs'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { Currency } from '@tallyroom/domain/pay'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { causeWords } from './run-words.ts'
import classes from './runs.module.css'

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
    cell: ({ kind, id, name }) => <PayeeLink payee={{ kind, id, name }} />,
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

/** A payee's name, linked to its balance. */
export const PayeeLink = ({
  payee: { kind, id, name },
}: {
  payee: Pick<LeftOut, 'kind' | 'id' | 'name'>
}) => (
  <LinkText to="/app/pay/balances/$kind/$id" params={{ kind, id: String(id) }}>
    {name}
  </LinkText>
)
