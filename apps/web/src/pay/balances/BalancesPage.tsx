import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportList } from '../../ui/export/ExportList.tsx'
import { partsOfWhole } from '../../ui/export/whole-list.ts'
import { LinkButton } from '../../ui/links.tsx'
import { balancesColumns, balanceTotals } from './balances-columns.tsx'
import { balancesQuery } from '../pay.api.ts'
import classes from '../pay.module.css'

/** What is owed to each payee, and whether it would be paid now. */
export function BalancesPage() {
  return (
    <FormLoader query={useQuery(balancesQuery)} fields={4}>
      {(balances) => (
        <div className={classes.page}>
          <div className={classes.actions}>
            <LinkButton to="/app/pay/balances/adjust" variant="default">
              Adjust several
            </LinkButton>
            <ExportList
              fileName="balances"
              columns={balancesColumns}
              fetchPage={partsOfWhole(balances)}
              disabled={balances.length === 0}
            />
          </div>
          <DataTable
            caption="Balances"
            columns={balancesColumns}
            rows={balances}
            rowKey={({ payee, currency }) => `${payee.kind} ${payee.id} ${currency}`}
            empty={
              <EmptyList
                text="Nobody has a balance yet"
                about="What is owed to each payee, from closed pay periods."
              />
            }
            totals={balanceTotals(balances)}
          />
        </div>
      )}
    </FormLoader>
  )
}
