import { Button } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { TaxLine } from '@tallyroom/contract/pay/books/withholding'
import { monthInWords, rangeInWords } from '@tallyroom/domain/periods'
import { daysOfQuarter, isQuarter, monthsOfQuarter } from '@tallyroom/domain/quarters'
import { quarterOf, taxRateText } from '@tallyroom/domain/withholding'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useToday } from '../../lib/clock.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn, TotalsRow } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportMenu } from '../../ui/export/ExportMenu.tsx'
import { Select } from '../../ui/Select.tsx'
import { AlphalistDialog } from './AlphalistDialog.tsx'
import { CertificateButton } from './CertificateButton.tsx'
import classes from '../pay.module.css'
import { saveTaxQuarter, taxQuarterQuery } from './withholding.api.ts'
import { BalanceLink } from '../../shared/payee-links.tsx'
import { byCurrency, moneyColumn } from '../../shared/money-columns.ts'
import { useAsked } from '../../ui/use-asked.ts'

const route = getRouteApi('/app/pay/withholding')

/** The tax withheld in a quarter, by taxpayer. */
export function WithholdingPage() {
  const navigate = route.useNavigate()
  const today = quarterOf(useToday())
  const list = useAsked<true>()
  const { quarter: asked = today } = route.useSearch()
  const quarter = isQuarter(asked) ? asked : today
  return (
    <FormLoader query={useQuery(taxQuarterQuery(quarter))} fields={4}>
      {({ quarters, isComplete, lines }) => (
        <div className={classes.page}>
          <div className={classes.head}>
            <Select
              aria-label="Quarter"
              data={[...new Set([quarter, ...quarters])]
                .toSorted()
                .toReversed()
                .map((value) => ({ value, label: rangeInWords(daysOfQuarter(value)) }))}
              value={quarter}
              onChange={(value) => void navigate({ search: { quarter: value ?? quarter } })}
            />
            <div className={classes.actions}>
              <Button
                variant="default"
                disabled={lines.length === 0}
                onClick={() => list.ask(true)}
              >
                Alphalist
              </Button>
              <ExportMenu
                save={(format, options) => saveTaxQuarter(quarter, format, options)}
                disabled={lines.length === 0}
              />
            </div>
          </div>
          {list.asked && <AlphalistDialog key={list.key} quarter={quarter} onClosed={list.end} />}
          {!isComplete && lines.length > 0 && (
            <p className={classes.lead} role="status">
              Not final: some periods that end in this quarter are not closed yet.
            </p>
          )}
          <DataTable
            caption="Withholding tax"
            columns={columnsOf(quarter)}
            rows={lines}
            rowKey={({ payees, code, currency }) =>
              [...payees.map(({ kind, id }) => `${kind} ${id}`), code, currency].join(' ')
            }
            totals={totalsOf(lines)}
            empty={
              <EmptyList
                text="No tax was withheld in this quarter"
                about="A payee’s balance has the rate, under Tax details."
              />
            }
          />
          <p className={classes.lead}>
            What statements say was earned and withheld, each in the month that has the last day of
            its period. The certificate has a payee’s figures for form 2307, and names the network
            as in{' '}
            <LinkText to="/app/settings/pay" underlined>
              Settings → Pay
            </LinkText>
            .
          </p>
        </div>
      )}
    </FormLoader>
  )
}

const columnsOf = (quarter: string): ListColumn<TaxLine>[] => [
  {
    id: 'payee',
    header: 'Payee',
    fixed: true,
    cell: ({ payees, registeredName }) =>
      payees.map((payee, index) => (
        <Fragment key={`${payee.kind} ${payee.id}`}>
          {index === 0 && <BalanceLink payee={payee}>{registeredName}</BalanceLink>}
          {(index > 0 || registeredName !== payee.name) && (
            <div className={classes.dim}>
              {index > 0 ? <BalanceLink payee={payee} /> : payee.name}
            </div>
          )}
        </Fragment>
      )),
  },
  { id: 'taxNumber', header: 'Tax number', cell: ({ taxNumber }) => taxNumber },
  {
    id: 'code',
    header: 'Code',
    card: 'title',
    cell: ({ code, ratesBp }) => `${code}, ${ratesBp.map(taxRateText).join(' and ')}`,
  },
  ...monthsOfQuarter(quarter).map(({ start }, index): ListColumn<TaxLine> => ({
    id: start,
    header: monthInWords(start),
    numeric: true,
    card: 'detail',
    note: 'What was earned, and the tax below.',
    cell: ({ months, currency }) => {
      const { base, withheld } = months[index] ?? { base: 0, withheld: 0 }
      return base === 0 && withheld === 0 ? null : (
        <>
          {moneyText(base, currency)}
          <div className={classes.dim}>{moneyText(withheld, currency)}</div>
        </>
      )
    },
  })),
  moneyColumn('base', 'Earned', { card: 'money' }),
  moneyColumn('withheld', 'Tax withheld', { card: 'money' }),
  {
    id: 'certificate',
    header: 'Certificate',
    cell: ({ payees: [payee] }) => payee && <CertificateButton payee={payee} quarter={quarter} />,
  },
]

/** One for each currency. */
const totalsOf = (lines: readonly TaxLine[]): TotalsRow[] =>
  byCurrency(lines, ({ currency, label, sum }) => ({
    id: currency,
    label,
    cells: { base: sum(({ base }) => base), withheld: sum(({ withheld }) => withheld) },
  }))
