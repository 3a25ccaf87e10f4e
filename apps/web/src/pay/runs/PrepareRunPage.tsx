import { Alert, Button, Skeleton } from '@mantine/core'
import type { Candidate, LeftOut, PaymentRun } from '@tallyroom/contract/pay/runs/runs'
import type { Currency } from '@tallyroom/domain/pay'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { failureText } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { candidateColumns } from './candidate-columns.tsx'
import { LeftOutTable } from './LeftOutTable.tsx'
import {
  type Asked,
  candidatesQuery,
  prepareRun,
  runQuery,
  runsQuery,
  templatesQuery,
} from '../payment-runs.api.ts'
import { PartDialog } from './PartDialog.tsx'
import { RunCriteria } from './RunCriteria.tsx'
import { dayText, isWeekend, payeesOfFile, prepareText } from './run-words.ts'
import classes from '../runs.module.css'
import { refreshPay } from '../refresh-pay.ts'
import { useAsked } from '../../ui/use-asked.ts'

const route = getRouteApi('/app/pay/runs/prepare')

/** Shows whom a new run would pay and whom not, with the reason, and prepares it: for everybody, or for the payees of a file. */
export function PrepareRunPage() {
  const { of, file } = route.useSearch()
  return of === undefined || file === undefined ? (
    <PrepareRun />
  ) : (
    <PrepareAgain runId={of} file={file} />
  )
}

const PrepareAgain = ({ runId, file }: { runId: number; file: string }) => (
  <FormLoader query={useQuery(runQuery(String(runId)))} fields={3}>
    {(run) => <PrepareRun again={{ run, file }} />}
  </FormLoader>
)

/** The file of a run whose payees are to be paid again. */
type Again = { run: PaymentRun; file: string }

function PrepareRun({ again }: { again?: Again }) {
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
              again={again}
            />
          )}
        </FormLoader>
      )}
    </FormLoader>
  )
}

interface PrepareProps {
  /** The names of closed periods. */
  periods: readonly string[]
  bank: PaymentRun['bank']
  templates: { value: string; label: string }[]
  again: Again | undefined
}

function Prepare({ periods, bank, templates, again }: PrepareProps) {
  const before = templates.find(({ value }) => value === String(again?.run.template.id))
  const [asked, setAsked] = useState<Asked>({
    period: null,
    currency: again?.run.currency ?? 'PHP',
    templateId: Number((before ?? templates[0])?.value),
  })
  /** The keys of the only payees to pay; undefined for everybody. */
  const [only, setOnly] = useState(
    () => again && new Set(payeesOfFile(again.run, again.file).map(keyOf)),
  )
  const [executionDay, setExecutionDay] = useState(bank.today)
  /** The keys of payees that are not to be paid now. */
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const { asked: partOf, key, ask, end } = useAsked<Candidate>()
  const query = useQuery(candidatesQuery(asked))
  const client = useQueryClient()
  const navigate = useNavigate()
  const preparing = useOneMutation({
    mutationFn: () =>
      prepareRun({
        ...asked,
        parts: (asked.parts ?? []).filter(isChosen),
        ...((without.size > 0 || only) && { only: chosen.map(({ kind, id }) => ({ kind, id })) }),
        executionDay,
      }),
    onSuccess: async ({ id }) => {
      await refreshPay(client)
      await navigate({ to: '/app/pay/runs/$runId', params: { runId: String(id) } })
    },
  })
  const paid = query.data?.paid ?? []
  const isChosen = (one: Pick<Candidate, 'kind' | 'id'>) =>
    !without.has(keyOf(one)) && (only?.has(keyOf(one)) ?? true)
  const chosen = paid.filter(isChosen)
  /** Other balances have other payees and other parts. */
  const change = (next: Partial<Asked>) => {
    setAsked({ ...asked, parts: [], ...next })
    setWithout(new Set())
    setOnly(undefined)
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
        <RunCriteria
          periods={periods}
          templates={templates}
          asked={asked}
          onChange={change}
          bank={bank}
          executionDay={executionDay}
          onDay={setExecutionDay}
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
      {again && only && (
        <p className={classes.facts}>
          Only the payees of {again.file} are chosen: each transfer gets a new reference, and the
          execution date is the one above. Whoever can’t be paid now is below, with the reason.
        </p>
      )}
      <Facts executionDay={executionDay} timeZone={bank.timeZone} />
      {query.data ? (
        <Whom
          candidates={query.data}
          currency={asked.currency}
          chosen={new Set(chosen.map(keyOf))}
          onChoose={(keys) => {
            setWithout(new Set(paid.map(keyOf).filter((one) => !keys.has(one))))
            setOnly(undefined)
          }}
          onPart={ask}
          isStale={query.isPlaceholderData}
        />
      ) : (
        !query.error && <Skeleton height={240} />
      )}
      {partOf && (
        <PartDialog
          key={key}
          candidate={partOf}
          currency={asked.currency}
          onChoose={(part) => choosePart(partOf, part)}
          onClosed={end}
        />
      )}
    </div>
  )
}

const keyOf = ({ kind, id }: Pick<Candidate, 'kind' | 'id'>): string => `${kind}${id}`

/** What somebody who prepares a run has to know. */
const Facts = ({ executionDay, timeZone }: { executionDay: string; timeZone: string }) => (
  <p className={classes.facts}>
    Each payee gets all of the balance that is free, unless you choose a part. The amounts are fixed
    once the run is prepared, and somebody else approves it. It can be cancelled until the first of
    its files is downloaded. The bank carries it out on {dayText(executionDay)} (day in {timeZone})
    {isWeekend(executionDay) && ', which many banks refuse: it is no banking day'}.
  </p>
)

interface WhomProps {
  candidates: { paid: Candidate[]; leftOut: LeftOut[] }
  currency: Currency
  /** The keys of those to pay. */
  chosen: ReadonlySet<string>
  onChoose: (keys: ReadonlySet<string>) => void
  onPart: (candidate: Candidate) => void
  isStale: boolean
}

/** Whom a run would pay, to be chosen from, and whom not. */
const Whom = ({ candidates, currency, chosen, onChoose, onPart, isStale }: WhomProps) => (
  <>
    <section>
      <h2>To pay</h2>
      <DataTable
        caption="To pay"
        columns={candidateColumns(currency, onPart)}
        rows={candidates.paid}
        rowKey={keyOf}
        selected={chosen}
        onSelect={onChoose}
        empty="Nobody can be paid now"
        stale={isStale}
      />
    </section>
    <section>
      <h2>Not paid, and why</h2>
      <LeftOutTable leftOut={candidates.leftOut} currency={currency} />
    </section>
  </>
)
