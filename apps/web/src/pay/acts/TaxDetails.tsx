import { Button } from '@mantine/core'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import type { TaxDetails as Details, TaxRate } from '@tallyroom/contract/pay/acts/tax-details'
import { taxText } from '@tallyroom/contract/pay/statements/statement-sections'
import { can } from '@tallyroom/domain/abilities'
import type { Day } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import classes from '../pay.module.css'
import { payerDetailsQuery, taxDetailsQuery } from './tax-details.api.ts'
import { TaxRateDialog } from './TaxRateDialog.tsx'
import { PayerDetailsDialog, TaxDetailsDialog } from './TaxDetailsDialog.tsx'
import { useAsked } from '../../ui/use-asked.ts'

/** Who a payee is to the tax office, and what is withheld for it: now, before and from later days on. */
export function TaxDetails({ payee }: { payee: Payee }) {
  const mayManage = can(useMe(), 'pay.manage')
  const today = useToday()
  const { data } = useQuery(taxDetailsQuery(payee))
  const { asked: entering, key, ask, end } = useAsked<'details' | 'rate'>()
  if (!data || (data.details.length === 0 && !(mayManage && data.changesFrom !== null))) return null
  const { details, rates, waitingRates = [], changesFrom } = data
  return (
    <>
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
            columns={columnsOf(details, today, mayManage)}
            rows={details}
            rowKey={({ id }) => id}
          />
        )}
        {mayManage && changesFrom !== null && (
          <div className={classes.actions}>
            <Button variant="default" size="xs" onClick={() => ask('details')}>
              Enter tax details
            </Button>
          </div>
        )}
      </section>
      {(rates.length > 0 || (mayManage && details.length > 0)) && (
        <section className={classes.section}>
          <h3>Withholding tax</h3>
          {rates.length > 0 ? (
            <PlainTable
              cards
              label="Withholding tax"
              columns={rateColumnsOf(rates, today, mayManage)}
              rows={rates}
              rowKey={({ id }) => id}
            />
          ) : (
            <p>
              None is withheld. Ask your accountant whether the law requires it, and at which rate.
            </p>
          )}
          {waitingRates.map((one) => (
            <p key={one.id}>
              <LinkText to="/app/pay/proposals" underlined>
                Waiting for a second person
              </LinkText>
              : {taxText(one)} from {dayText(one.fromDay)}, entered by {one.setBy}.
            </p>
          ))}
          {mayManage && changesFrom !== null && (
            <div className={classes.actions}>
              <Button variant="default" size="xs" onClick={() => ask('rate')}>
                {rates.length > 0 ? 'Change the withholding tax' : 'Withhold tax'}
              </Button>
            </div>
          )}
        </section>
      )}
      {entering === 'rate' && changesFrom !== null && (
        <TaxRateDialog
          key={key}
          payee={payee}
          last={rates[0]}
          changesFrom={changesFrom}
          onClosed={end}
        />
      )}
      {entering === 'details' && changesFrom !== null && (
        <TaxDetailsDialog
          key={key}
          payee={payee}
          last={details[0]}
          changesFrom={changesFrom}
          onClosed={end}
        />
      )}
    </>
  )
}

/** Who the network, which pays, is to the tax office. */
export function PayerDetails() {
  const today = useToday()
  const { data } = useQuery(payerDetailsQuery)
  const entering = useAsked<true>()
  if (!data || data.changesFrom === null) return null
  const { details, changesFrom } = data
  return (
    <section className={classes.journal} aria-label="Tax details of the network">
      <h2>Tax details of the network</h2>
      <p className={classes.lead}>
        Registered name, tax number and address of who pays, each from a day on. If these and a
        payee’s are in force on the last day of a period, its statement is a self-billed document:
        it names both, and has a number of its own for each payee.
      </p>
      {details.length > 0 && (
        <PlainTable
          cards
          label="Tax details"
          columns={columnsOf(details, today, true)}
          rows={details}
          rowKey={({ id }) => id}
        />
      )}
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={() => entering.ask(true)}>
          Enter tax details
        </Button>
      </div>
      {entering.asked && (
        <PayerDetailsDialog
          key={entering.key}
          last={details[0]}
          changesFrom={changesFrom}
          onClosed={entering.end}
        />
      )}
    </section>
  )
}

const dayText = (day: Day): string => daysInWords({ start: day, end: day })

type Dated = { id: number; fromDay: Day }

/** From which day on each row is in force, and which of them is today; the latest first. */
function fromColumn<Row extends Dated>(rows: readonly Row[], today: Day): PlainColumn<Row> {
  const now = rows.find(({ fromDay }) => fromDay <= today)
  return {
    header: 'From',
    cell: (row) => (
      <>
        {dayText(row.fromDay)}
        {row === now && <div className={classes.dim}>In force</div>}
        {row.fromDay > today && <div className={classes.dim}>Not yet in force</div>}
      </>
    ),
  }
}

const rateColumnsOf = (
  rates: readonly TaxRate[],
  today: Day,
  mayManage: boolean,
): PlainColumn<TaxRate>[] => [
  fromColumn(rates, today),
  { header: 'Withholding tax', cell: taxText },
  ...(mayManage ? [{ header: 'Reason', cell: ({ reason }: TaxRate) => reason }] : []),
  {
    header: 'Entered',
    cell: ({ setAt, setBy, approvedBy }) => (
      <>
        <Instant at={setAt} />
        {setBy !== undefined && (
          <div className={classes.dim}>
            By {setBy}, approved by {approvedBy}
          </div>
        )}
      </>
    ),
  },
]

const columnsOf = (
  details: readonly Details[],
  today: Day,
  mayManage: boolean,
): PlainColumn<Details>[] => [
  fromColumn(details, today),
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
