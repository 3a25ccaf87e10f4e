import { Alert, Badge } from '@mantine/core'
import type { PaymentRun } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { can } from '@tallyroom/domain/abilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { usePageName } from '../../lib/pages/page-name.ts'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { Timeline } from '../../ui/Timeline.tsx'
import { Contradictions } from './Contradictions.tsx'
import { LeftOutTable } from './LeftOutTable.tsx'
import { FilesToApprove } from './FilesToApprove.tsx'
import { reviewRun, runQuery } from '../payment-runs.api.ts'
import { Results } from './Results.tsx'
import { RunActions } from './RunActions.tsx'
import { RunFiles } from './RunFiles.tsx'
import { RunNews } from './RunNews.tsx'
import { RunLines } from './RunLines.tsx'
import { countOf, dayText, paysWhom, resultCounts, runStates, stepsOf } from './run-words.ts'
import classes from '../runs.module.css'
import { refreshPay } from '../refresh-pay.ts'

const route = getRouteApi('/app/pay/runs/$runId')

/** One payment run: its lines, its steps, its files and what can be done now. */
export function RunPage() {
  const { runId } = route.useParams()
  return (
    <FormLoader
      query={useQuery(runQuery(runId))}
      back={{ to: '/app/pay/runs', label: 'Payment runs' }}
    >
      {(run) => <RunView run={run} />}
    </FormLoader>
  )
}

function RunView({ run }: { run: PaymentRun }) {
  const client = useQueryClient()
  const me = useMe()
  usePageName(run.number)
  const { state, currency, leftOut, fileProblems } = run
  const toPay = run.lines.filter((line) => line.state !== 'removed')
  const refresh = () => refreshPay(client)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const reviewing = useOneMutation({ mutationFn: () => reviewRun(run.id) })
  const canApprove = state === 'prepared' && run.whyYouCannotApprove === null
  const tick = (key: string) => setTicked((keys) => keys.symmetricDifference(new Set([key])))
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h2>{moneyText(run.amount, currency)}</h2>
        <Badge color={runStates[state].color}>{runStates[state].label}</Badge>
        <p className={classes.facts}>
          <strong>{run.number}</strong>
          <span>{paysWhom(run.period)}</span>
          <span>
            {countOf(run.payees, 'payee')}
            {toPay.length > run.payees && `, ${countOf(toPay.length, 'transfer')}`}
          </span>
          {resultCounts(run) && <span>{resultCounts(run)}</span>}
          <span>
            Prepared <Instant at={run.preparedAt} /> by {run.preparedBy}
          </span>
          <span>
            Execution date {dayText(run.executionDay)} in {run.bank.timeZone}
          </span>
          {can(me, 'logs.common') && (
            <LinkText
              to="/app/pay/runs/$runId/history"
              params={{ runId: String(run.id) }}
              underlined
            >
              History
            </LinkText>
          )}
        </p>
      </header>
      {fileProblems.length > 0 && (
        <Alert color="red" role="alert" title="These values don’t fit into the files">
          <ul className={classes.list}>
            {fileProblems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          Take the lines out. Or cancel the run, change the template {run.template.name} in Settings
          → Pay files, and prepare it again.
        </Alert>
      )}
      <div className={classes.columns}>
        <div className={classes.main}>
          {run.toApprove && (
            <RunNews
              news={run.toApprove.news}
              ticked={ticked}
              onTick={canApprove ? tick : undefined}
            />
          )}
          {canApprove && fileProblems.length === 0 && (
            <FilesToApprove
              review={reviewing.data}
              run={run}
              loading={reviewing.isPending}
              onShow={() => reviewing.mutate()}
            />
          )}
          <Contradictions run={run} refresh={refresh} />
          {(state === 'sent' || state === 'finished') && <Results run={run} refresh={refresh} />}
          <RunLines run={run} refresh={refresh} />
          {leftOut.length > 0 && (
            <section>
              <h2>Left out when the run was prepared, and why</h2>
              <LeftOutTable leftOut={leftOut} currency={currency} />
            </section>
          )}
        </div>
        <div className={classes.main}>
          <RunActions
            run={run}
            review={reviewing.data}
            ticked={ticked}
            onTried={reviewing.reset}
            refresh={refresh}
          />
          {state !== 'cancelled' && <RunFiles run={run} refresh={refresh} />}
          <section aria-labelledby="steps">
            <h2 id="steps">Steps</h2>
            <Timeline label="Steps" items={stepsOf(run)} />
          </section>
        </div>
      </div>
    </div>
  )
}
