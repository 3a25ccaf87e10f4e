import { Alert, Button, Skeleton } from '@mantine/core'
import type { Candidate, PaymentRun } from '@tallyroom/contract/pay/runs'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { addDays } from '@tallyroom/domain/new-york'
import { type Currency, MOST_DAYS_AHEAD } from '@tallyroom/domain/pay'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { failureText } from '../../lib/form-errors.ts'
import { useOneMutation } from '../../lib/use-one-mutation.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { Select } from '../../ui/Select.tsx'
import { LeftOutTable } from './LeftOutTable.tsx'
import {
  type Asked,
  candidatesQuery,
  prepareRun,
  runsQuery,
  templatesQuery,
} from './payment-runs.api.ts'
import { PartDialog } from './PartDialog.tsx'
import { dayText, isWeekend, ofBalanceText, partsText, paysWhom, prepareText } from './run-words.ts'
import classes from './runs.module.css'
import { BalanceLink } from '../../shared/payee-links.tsx'
import { refreshPay } from '../refresh-pay.ts'

/** Shows whom a new run would pay and whom not, with the reason, and prepares it. */
export function PrepareRunPage() {
  const templates = useQuery(templatesQuery)
  return (
    <FormLoader query={useQuery(runsQuery)} fields={3}>
      {({ periods, bank }) => (
        <FormLoader query={templates} fields={3}>
          {(all) => (
            <Prepare
              periods={periods}
              bank={bank}
              templates={all.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          )}
        </FormLoader>
      )}
    </FormLoader>
  )
}

const ALL = 'all'

function Prepare({
  periods,
  bank,
  templates,
}: {
  periods: readonly string[]
  bank: PaymentRun['bank']
  templates: { value: string; label: string }[]
}) {
  const [asked, setAsked] = useState<Asked>({
    period: null,
    currency: 'PHP',
    templateId: Number(templates[0]?.value),
  })
  const [executionDay, setExecutionDay] = useState(bank.today)
  /** The keys of payees that are not to be paid now. */
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const [partOf, setPartOf] = useState<Candidate>()
  const query = useQuery(candidatesQuery(asked))
  const client = useQueryClient()
  const navigate = useNavigate()
  const preparing = useOneMutation({
    mutationFn: () =>
      prepareRun({
        ...asked,
        parts: (asked.parts ?? []).filter((one) => !without.has(keyOf(one))),
        ...(without.size > 0 && { only: chosen.map(({ kind, id }) => ({ kind, id })) }),
        executionDay,
      }),
    onSuccess: async ({ id }) => {
      await refreshPay(client)
      await navigate({ to: '/app/pay/runs/$runId', params: { runId: String(id) } })
    },
  })
  const { paid = [], leftOut = [] } = query.data ?? {}
  const chosen = paid.filter((one) => !without.has(keyOf(one)))
  /** Other balances have other payees and other parts. */
  const change = (next: Partial<Asked>) => {
    setAsked({ ...asked, parts: [], ...next })
    setWithout(new Set())
  }
  /** The server says of a part whether it can be paid, before it is chosen. */
  const choosePart = async (
    { kind, id }: Candidate,
    part: { amount: number; reason: string } | null,
  ) => {
    const others = (asked.parts ?? []).filter((one) => keyOf(one) !== keyOf({ kind, id }))
    const next = { ...asked, parts: part ? [...others, { kind, id, ...part }] : others }
    await client.query(candidatesQuery(next))
    setAsked(next)
  }
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <Select
          label="Pay"
          w={200}
          data={[
            { value: ALL, label: paysWhom(null) },
            ...periods.map((name) => ({ value: name, label: paysWhom(name) })),
          ]}
          value={asked.period ?? ALL}
          onChange={(value) => change({ period: value === ALL ? null : value })}
        />
        <Select
          label="Currency"
          w={120}
          data={[
            { value: 'PHP', label: 'Pesos' },
            { value: 'USD', label: 'Dollars' },
          ]}
          value={asked.currency}
          onChange={(value) => change({ currency: value === 'USD' ? 'USD' : 'PHP' })}
        />
        <Select
          label="Pay file"
          w={200}
          data={templates}
          value={String(asked.templateId)}
          onChange={(value) => change({ templateId: Number(value) })}
        />
        <DayPicker
          label="Execution date"
          value={executionDay}
          onChange={setExecutionDay}
          min={bank.today}
          max={addDays(bank.today, MOST_DAYS_AHEAD)}
        />
        <Button
          className={classes.end}
          loading={preparing.isPending}
          disabled={chosen.length === 0 || query.isPlaceholderData}
          onClick={() => preparing.mutate()}
        >
          {prepareText(chosen, asked.currency)}
        </Button>
      </div>
      {query.error && (
        <Alert color="red" role="alert">
          {failureText(query.error)}
        </Alert>
      )}
      <p className={classes.facts}>
        Each payee gets all of the balance that is free, unless you choose a part. The amounts are
        fixed once the run is prepared, and somebody else approves it. It can be cancelled until the
        first of its files is downloaded. The bank carries it out on {dayText(executionDay)} (day in{' '}
        {bank.timeZone})
        {isWeekend(executionDay) && ', which many banks refuse: it is no banking day'}.
      </p>
      {query.data ? (
        <>
          <section>
            <h2>To pay</h2>
            <DataTable
              caption="To pay"
              columns={columnsIn(asked.currency, setPartOf)}
              rows={query.data.paid}
              rowKey={keyOf}
              selected={new Set(chosen.map(keyOf))}
              onSelect={(keys) =>
                setWithout(new Set(paid.map(keyOf).filter((key) => !keys.has(key))))
              }
              empty="Nobody can be paid now"
              stale={query.isPlaceholderData}
            />
          </section>
          <section>
            <h2>Not paid, and why</h2>
            <LeftOutTable leftOut={leftOut} currency={asked.currency} />
          </section>
        </>
      ) : (
        !query.error && <Skeleton height={240} />
      )}
      {partOf && (
        <PartDialog
          candidate={partOf}
          currency={asked.currency}
          onChoose={(part) => choosePart(partOf, part)}
          onClosed={() => setPartOf(undefined)}
        />
      )}
    </div>
  )
}

const keyOf = ({ kind, id }: Pick<Candidate, 'kind' | 'id'>): string => `${kind}${id}`

const columnsIn = (
  currency: Currency,
  onPart: (candidate: Candidate) => void,
): ListColumn<Candidate>[] => [
  {
    id: 'name',
    header: 'Payee',
    fixed: true,
    cell: (payee) => <BalanceLink payee={payee} />,
  },
  {
    id: 'account',
    header: 'Account',
    card: 'title',
    cell: ({ institutionName, lastCharacters }) => `${institutionName} ••••\u00A0${lastCharacters}`,
  },
  {
    id: 'channel',
    header: 'Channel',
    card: 'detail',
    cell: (candidate) => (
      <>
        {candidate.channel}
        <div className={classes.dim}>{partsText(candidate, currency)}</div>
      </>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    numeric: true,
    card: 'money',
    cell: (candidate) => (
      <>
        {moneyText(candidate.amount, currency)}
        <div className={classes.dim}>{ofBalanceText(candidate, currency)}</div>
      </>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (candidate) => (
      <RowMenu
        of={candidate.name}
        actions={[{ label: 'Pay a part', onSelect: () => onPart(candidate) }]}
      />
    ),
  },
]
