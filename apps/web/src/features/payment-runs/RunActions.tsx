import { Alert, Button } from '@mantine/core'
import type { PaymentRun } from '@tallyroom/contract/payment-runs'
import { moneyText } from '@tallyroom/contract/statement-sections'
import { useState } from 'react'
import { thenRefresh } from '../../lib/then-refresh.ts'
import { confirm } from '../../ui/dialogs.tsx'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { approveRun, cancelRun } from './payment-runs.api.ts'
import classes from './runs.module.css'

interface RunActionsProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

/** What can be done with a run now, and who may do it. */
export function RunActions({ run, refresh }: RunActionsProps) {
  const { state, approvers, whyYouCannotApprove, fileProblems, amount, currency } = run
  const [isCancelling, setCancelling] = useState(false)
  const [refused, setRefused] = useState<{ name: string; why: string }[]>([])
  if (state === 'sent' || state === 'finished' || state === 'cancelled') {
    return refused.length > 0 ? <Refused lines={refused} /> : null
  }
  const others = approvers.filter(({ whyNot }) => whyNot === null).map(({ name }) => name)
  const approve = () =>
    void confirm({
      heading: `Approve: ${run.number}`,
      body: `${moneyText(amount, currency)} leave the payees’ balances. Lines whose hold, account or balance has changed since are refused.`,
      confirmLabel: 'Approve payments',
      action: async () => {
        const answer = await thenRefresh(approveRun(run.id, amount), refresh)
        setRefused(answer.refused)
        toastDone()
      },
    })
  return (
    <section className={classes.card} data-tone="act" aria-label="Next step">
      {state === 'prepared' && (
        <>
          <h2>Approval</h2>
          {whyYouCannotApprove === null ? (
            <p>Look at the lines and the accounts, then approve the payments.</p>
          ) : (
            <p>
              You {whyYouCannotApprove}, so somebody else must approve it.{' '}
              {others.length > 0
                ? `These people can: ${others.join(', ')}.`
                : 'Nobody can now: everyone who may pay took part in this run. Take the line out, or give another admin the right to pay.'}
            </p>
          )}
          <details>
            <summary>Who can approve</summary>
            <ul className={classes.list}>
              {approvers.map(({ name, whyNot }) => (
                <li key={name}>
                  <span>{name}</span>
                  <span className={classes.dim}>{whyNot ?? 'can approve'}</span>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
      {state === 'approved' && (
        <>
          <h2>Approved</h2>
          <p>Download the files below and give them to your bank.</p>
          {refused.length > 0 && <Refused lines={refused} />}
        </>
      )}
      {isCancelling ? (
        <ReasonForm
          label="Why is it cancelled?"
          maxLength={1000}
          confirmLabel="Cancel this run"
          isFinal
          keepLabel="Keep it"
          onConfirm={async (reason) => {
            await thenRefresh(cancelRun(run.id, reason), refresh)
            setCancelling(false)
            toastDone()
          }}
          onKeep={() => setCancelling(false)}
        />
      ) : (
        <div className={classes.actions}>
          {state === 'prepared' && whyYouCannotApprove === null && (
            <Button disabled={fileProblems.length > 0} onClick={approve}>
              Approve
            </Button>
          )}
          <Button variant="default" onClick={() => setCancelling(true)}>
            Cancel run
          </Button>
        </div>
      )}
    </section>
  )
}

const Refused = ({ lines }: { lines: readonly { name: string; why: string }[] }) => (
  <Alert color="yellow" variant="light" title="These lines were refused">
    <ul className={classes.list}>
      {lines.map(({ name, why }) => (
        <li key={name}>
          <strong>{name}</strong> {why}
        </li>
      ))}
    </ul>
  </Alert>
)
