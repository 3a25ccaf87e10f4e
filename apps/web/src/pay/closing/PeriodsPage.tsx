import { Badge } from '@mantine/core'
import { moneyText, rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { PayPeriodItem } from '@tallyroom/contract/pay/closing/periods'
import { formatCount } from '@tallyroom/domain/money'
import { rangeInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { periodStates } from '../pay-words.ts'
import { periodsQuery } from '../pay.api.ts'
import classes from '../pay.module.css'

/** All pay periods, newest first, and the one that is ready to close. */
export function PeriodsPage() {
  return (
    <FormLoader query={useQuery(periodsQuery)} fields={3}>
      {(periods) => {
        const ready = periods.find(({ state }) => state === 'ready')
        return (
          <div className={classes.page}>
            {ready && (
              <section className={classes.card} data-tone="act" aria-label="Ready to close">
                <div className={classes.cardRow}>
                  <p>
                    <strong>{ready.name} is over</strong> ({rangeInWords(ready)}). Check what each
                    payee would get, then close it.
                  </p>
                  <LinkButton to="/app/pay/periods/$name" params={{ name: ready.name }}>
                    Review and close
                  </LinkButton>
                </div>
              </section>
            )}
            <DataTable
              caption="Pay periods"
              columns={columns}
              rows={periods}
              rowKey={({ name }) => name}
              empty={
                <EmptyList
                  text="Pay is off"
                  about="Periods begin once you have chosen who is paid, how often, and what AVP pays."
                >
                  <LinkButton to="/app/settings/pay">Set up pay</LinkButton>
                </EmptyList>
              }
            />
          </div>
        )
      }}
    </FormLoader>
  )
}

const columns: ListColumn<PayPeriodItem>[] = [
  {
    id: 'name',
    header: 'Period',
    fixed: true,
    cell: ({ name, start, end }) => (
      <>
        <LinkText to="/app/pay/periods/$name" params={{ name }}>
          {name}
        </LinkText>
        <div className={classes.dim}>{rangeInWords({ start, end })}</div>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    card: 'title',
    cell: ({ state }) => (
      <Badge color={periodStates[state].color}>{periodStates[state].label}</Badge>
    ),
  },
  {
    id: 'statements',
    header: 'Statements',
    numeric: true,
    card: 'detail',
    cell: ({ name, closed }) =>
      closed ? (
        <LinkText to="/app/pay/statements" search={{ period: name }}>
          {formatCount(closed.statements)}
        </LinkText>
      ) : (
        '–'
      ),
  },
  {
    id: 'centavos',
    header: 'Sum ₱',
    numeric: true,
    card: 'money',
    cell: ({ closed }) => (closed ? moneyText(closed.centavos, 'PHP') : '–'),
  },
  {
    id: 'cents',
    header: 'Sum $',
    numeric: true,
    card: 'detail',
    cell: ({ closed }) => (closed && closed.cents !== 0 ? moneyText(closed.cents, 'USD') : '–'),
  },
  {
    id: 'rate',
    header: 'Exchange rate',
    card: 'detail',
    cell: ({ exchangeRate }) => (exchangeRate ? rateText(exchangeRate.pesosE4) : '–'),
  },
  {
    id: 'closed',
    header: 'Closed',
    card: 'detail',
    cell: ({ closed }) =>
      closed ? (
        <>
          <Instant at={closed.at} /> by {closed.by}
        </>
      ) : (
        '–'
      ),
  },
]
