import { Alert, Button } from '@mantine/core'
import type { PaymentRun, RunReview } from '@tallyroom/contract/pay/runs/runs'
import { dayInWords } from '@tallyroom/domain/acts'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { useState } from 'react'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { ReasonDialog } from '../../ui/dialogs/ReasonDialog.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { approveRun, cancelRun } from '../payment-runs.api.ts'
import { nextToApprove, whoElseCan } from './run-words.ts'
import { useAsked } from '../../ui/use-asked.ts'
import classes from '../runs.module.css'

interface RunActionsProps {
  run: PaymentRun
  /** The files that were shown; undefined before that. */
  review: RunReview | undefined
  ticked: ReadonlySet<string>
  /** After an approval was tried: whatever was shown may be out of date. */
  onTried: () => void
  refresh: () => Promise<unknown>
}

/** What can be done with a run now, and who may do it. */
export function RunActions({ run, review, ticked, onTried, refresh }: RunActionsProps) {
  const { state, approvers, whyYouCannotApprove, fileProblems, currency, toApprove } = run
  const cancelling = useAsked<true>()
  const [refused, setRefused] = useState<{ name: string; why: string }[]>([])
  if (state === 'sent' || state === 'finished' || state === 'cancelled') {
    return refused.length > 0 ? <Refused lines={refused} /> : null
  }
  const news = toApprove?.news ?? []
  const next = nextToApprove(news, ticked, review !== undefined)
  const approve = ({ amount, files }: RunReview) =>
    void confirm({
      heading: `Approve: ${run.number}`,
      body: `${moneyText(amount, currency)} leaves the payees’ balances. The bank gets exactly the lines that you have seen.`,
      confirmLabel: `Approve ${moneyText(amount, currency)}`,
      action: async () => {
        const seen = {
          amount,
          files: files.map(({ name, sha256 }) => ({ name, sha256 })),
          ticked: news.map(({ key }) => key),
        }
        const answer = await thenRefresh(approveRun(run.id, seen), async () => {
          onTried()
          await refresh()
        })
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
            <p>{next.text}</p>
          ) : (
            <p>
              You {whyYouCannotApprove}, so somebody else must approve it. {whoElseCan(approvers)}
            </p>
          )}
          {toApprove && toApprove.refused.length > 0 && <WillBeRefused lines={toApprove.refused} />}
          <details>
            <summary>Who can approve</summary>
            <ul className={classes.list}>
              {approvers.map(({ name, whyNot, from }) => (
                <li key={name}>
                  <span>{name}</span>
                  <span className={classes.dim}>
                    {whyNot ?? 'can approve'}
                    {from && ` (until ${dayInWords(new Date(from))})`}
                  </span>
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
      <div className={classes.actions}>
        {state === 'prepared' && whyYouCannotApprove === null && (
          <Button
            disabled={fileProblems.length > 0 || next.unticked > 0 || review === undefined}
            onClick={() => review && approve(review)}
          >
            Approve
          </Button>
        )}
        <Button variant="default" onClick={() => cancelling.ask(true)}>
          Cancel run
        </Button>
      </div>
      {cancelling.asked && (
        <ReasonDialog
          key={cancelling.key}
          heading={`Cancel: ${run.number}`}
          about="It pays nobody. The balances are owed as before."
          maxLength={1000}
          confirmLabel="Cancel this run"
          isFinal
          keepLabel="Keep it"
          onConfirm={async (reason) => {
            await thenRefresh(cancelRun(run.id, reason), refresh)
            toastDone()
          }}
          onClosed={cancelling.end}
        />
      )}
    </section>
  )
}

const WillBeRefused = ({ lines }: { lines: readonly { name: string; why: string }[] }) => (
  <Alert color="yellow" title="These lines won’t be paid">
    <ul className={classes.list}>
      {lines.map(({ name, why }) => (
        <li key={name}>
          <strong>{name}</strong> {why}
        </li>
      ))}
    </ul>
    Approving takes them out of the run. Their balances stay owed.
  </Alert>
)

const Refused = ({ lines }: { lines: readonly { name: string; why: string }[] }) => (
  <Alert color="yellow" title="These lines were refused">
    <ul className={classes.list}>
      {lines.map(({ name, why }) => (
        <li key={name}>
          <strong>{name}</strong> {why}
        </li>
      ))}
    </ul>
  </Alert>
)
