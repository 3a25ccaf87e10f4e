import { Alert, Button } from '@mantine/core'
import type { PaymentRun, RunLine } from '@tallyroom/contract/pay/runs/runs'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { ReasonDialog } from '../../ui/dialogs/ReasonDialog.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { useAsked } from '../../ui/use-asked.ts'
import { settleRefusals } from '../payment-runs.api.ts'
import { canBeSettled, contradictionTexts, countOf, sumText } from './run-words.ts'
import classes from '../runs.module.css'

interface ContradictionsProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

/** What was reported paid and is refused, until somebody has asked the bank. */
export function Contradictions({ run, refresh }: ContradictionsProps) {
  const settling = useAsked<RunLine[]>()
  const texts = contradictionTexts(run)
  const lines = run.lines.filter(canBeSettled)
  return (
    <>
      {texts.length > 0 && (
        <Alert color="yellow" title="Reported paid, and refused by your bank">
          <ul className={classes.list}>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>
            What was reported paid stays paid. Ask your bank. If a transfer was not paid, mark its
            line as come back.
          </p>
          {lines.length > 0 && (
            <Button size="compact-sm" variant="default" onClick={() => settling.ask(lines)}>
              {lines.length === 1 ? 'It was paid after all' : 'All were paid after all'}
            </Button>
          )}
        </Alert>
      )}
      {settling.asked && (
        <PaidAfterAllDialog
          key={settling.key}
          run={run}
          lines={settling.asked}
          refresh={refresh}
          onClosed={settling.end}
        />
      )}
    </>
  )
}

interface PaidAfterAllProps extends ContradictionsProps {
  lines: readonly RunLine[]
  onClosed: () => void
}

/** Asks what the bank said of transfers that were paid after all. */
export function PaidAfterAllDialog({ run, lines, refresh, onClosed }: PaidAfterAllProps) {
  const [only] = lines.length === 1 ? lines : []
  return (
    <ReasonDialog
      heading={`Paid after all: ${only ? only.payee.name : countOf(lines.length, 'transfer')}`}
      about={`${sumText(lines, run.currency)} stays paid, and no money moves. The run keeps what the message said, and what you enter here. You can’t take it back.`}
      label="What your bank said, and where"
      confirmLabel={only ? 'It was paid after all' : 'All were paid after all'}
      maxLength={300}
      onConfirm={async (note) => {
        const sent = { lineIds: lines.map(({ id }) => id), note }
        await thenRefresh(settleRefusals(run.id, sent), refresh)
        toastDone()
      }}
      onClosed={onClosed}
    />
  )
}
