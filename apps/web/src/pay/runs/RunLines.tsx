import type { PaymentRun, RunLine } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { ExportList } from '../../ui/export/ExportList.tsx'
import type { MenuAction } from '../../ui/list/RowMenu.tsx'
import { partsOfWhole } from '../../ui/export/whole-list.ts'
import { ReasonDialog } from '../../ui/dialogs/ReasonDialog.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { PaidAfterAllDialog } from './Contradictions.tsx'
import { ReturnDialog } from './ReturnDialog.tsx'
import { enterResults, removeLine, returnPayment } from '../payment-runs.api.ts'
import { runLineColumns } from './run-line-columns.tsx'
import { canBeSettled, sumText } from './run-words.ts'
import { useAsked } from '../../ui/use-asked.ts'
import classes from '../runs.module.css'

interface RunLinesProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

type Question = { line: RunLine; kind: 'remove' | 'failed' | 'returned' | 'settled' }

/** A run's lines. They can be removed before the approval, and get results once the bank has the files. */
export function RunLines({ run, refresh }: RunLinesProps) {
  const { asked: question, key, ask, end } = useAsked<Question>()
  const enter = async (line: RunLine, paid: boolean, reason: string) => {
    const lines = [{ reference: line.reference, paid, reason }]
    await thenRefresh(enterResults(run.id, { lines }), refresh)
    toastDone()
  }
  const actionsOf = (line: RunLine): MenuAction[] => {
    if (line.state === 'paid' && !line.returnWaits) {
      const settle = {
        label: 'It was paid after all',
        onSelect: () => ask({ line, kind: 'settled' }),
      }
      return [
        ...(canBeSettled(line) ? [settle] : []),
        { label: 'Mark as come back', onSelect: () => ask({ line, kind: 'returned' }) },
      ]
    }
    if (line.state === 'prepared') {
      const remove = () => ask({ line, kind: 'remove' })
      return [{ label: 'Take out of the run', danger: true, onSelect: remove }]
    }
    if (line.state !== 'sent' || line.failureWaits) return []
    return [
      {
        label: 'Mark as paid',
        onSelect: () =>
          void confirm({
            heading: `Paid: ${line.payee.name}`,
            body: 'A result can’t be changed. If the money comes back, that is entered as well.',
            confirmLabel: `Mark ${sumText([line], run.currency)} as paid`,
            action: () => enter(line, true, ''),
          }),
      },
      { label: 'Mark as failed', onSelect: () => ask({ line, kind: 'failed' }) },
    ]
  }
  const columns = runLineColumns(run, actionsOf)
  return (
    <section>
      <div className={classes.titled}>
        <h2>Lines</h2>
        <ExportList
          fileName={run.number}
          columns={columns}
          fetchPage={partsOfWhole(run.lines)}
          disabled={run.lines.length === 0}
        />
      </div>
      <DataTable
        caption="Lines"
        columns={columns}
        rows={run.lines}
        rowKey={({ id }) => String(id)}
        empty="No lines"
      />
      {question?.kind === 'returned' && (
        <ReturnDialog
          key={key}
          run={run}
          line={question.line}
          onConfirm={async (returnedOn, reason) => {
            const sent = { lineId: question.line.id, returnedOn, reason }
            await thenRefresh(returnPayment(run.id, sent), refresh)
            toastDone()
          }}
          onClosed={end}
        />
      )}
      {question?.kind === 'settled' && (
        <PaidAfterAllDialog
          key={key}
          run={run}
          lines={[question.line]}
          refresh={refresh}
          onClosed={end}
        />
      )}
      {question && question.kind !== 'returned' && question.kind !== 'settled' && (
        <ReasonDialog
          key={key}
          heading={
            question.kind === 'remove'
              ? `Take out: ${question.line.payee.name}`
              : `Failed: ${question.line.payee.name}`
          }
          about={
            question.kind === 'remove'
              ? `${question.line.part === null ? 'The' : 'All transfers to this payee are taken out. The'} balance stays owed, and another run can pay it.`
              : `Without the bank’s file, this waits for a second person: ${moneyText(question.line.amount, run.currency)} is owed again once somebody else has approved it in Pay → Second person. The payee then reads the reason.`
          }
          confirmLabel={
            question.kind === 'remove'
              ? `Take ${question.line.payee.name} out`
              : 'Ask a second person'
          }
          maxLength={300}
          onConfirm={async (reason) => {
            const { line, kind } = question
            if (kind === 'failed') return enter(line, false, reason)
            await thenRefresh(removeLine(run.id, { lineId: line.id, reason }), refresh)
            toastDone()
          }}
          onClosed={end}
        />
      )}
    </section>
  )
}
