import { Button } from '@mantine/core'
import type { Payee } from '@tallyroom/contract/pay/statement'
import type { TaxDetails as Details } from '@tallyroom/contract/pay/tax-details'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { Instant } from '../../ui/Instant.tsx'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import classes from './pay.module.css'
import { taxDetailsQuery } from './tax-details.api.ts'
import { TaxDetailsDialog } from './TaxDetailsDialog.tsx'

/** Who a payee is to the tax office: now, before and from later days on. */
export function TaxDetails({ payee }: { payee: Payee }) {
  const mayManage = can(useMe(), 'pay.manage')
  const today = useToday()
  const { data } = useQuery(taxDetailsQuery(payee))
  const [isEntering, setEntering] = useState(false)
  if (!data || (data.details.length === 0 && !(mayManage && data.changesFrom !== null))) return null
  const { details, changesFrom } = data
  const now = details.find(({ fromDay }) => fromDay <= today)
  return (
    <section className={classes.section}>
      <h3>Tax details</h3>
      {details.length === 0 ? (
        <p>
          None yet. They say who the payee is to the tax office: registered name, tax number and
          address, each from a day on.
        </p>
      ) : (
        <PlainTable
          cards
          label="Tax details"
          columns={columnsOf(now?.id, today, mayManage)}
          rows={details}
          rowKey={({ id }) => id}
        />
      )}
      {mayManage && changesFrom !== null && (
        <div>
          <Button variant="default" size="xs" onClick={() => setEntering(true)}>
            Enter tax details
          </Button>
        </div>
      )}
      {isEntering && changesFrom !== null && (
        <TaxDetailsDialog
          payee={payee}
          last={details[0]}
          changesFrom={changesFrom}
          onClosed={() => setEntering(false)}
        />
      )}
    </section>
  )
}

const columnsOf = (
  now: number | undefined,
  today: Day,
  mayManage: boolean,
): PlainColumn<Details>[] => [
  {
    header: 'From',
    cell: ({ id, fromDay }) => (
      <>
        {daysInWords({ start: fromDay, end: fromDay })}
        {id === now && <div className={classes.dim}>In force</div>}
        {fromDay > today && <div className={classes.dim}>Not yet in force</div>}
      </>
    ),
  },
  { header: 'Registered name', cell: ({ registeredName }) => registeredName },
  { header: 'Tax number', cell: ({ taxNumber }) => taxNumber },
  { header: 'Address', cell: ({ address }) => address },
  {
    header: 'Entered',
    cell: ({ setAt, setBy }) => (
      <>
        <Instant at={setAt} />
        {mayManage && setBy !== undefined && <div className={classes.dim}>By {setBy}</div>}
      </>
    ),
  },
]
