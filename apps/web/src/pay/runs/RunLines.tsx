import { Badge } from '@mantine/core'
import type { PaymentRun, RunLine } from '@tallyroom/contract/pay/runs'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import { useState } from 'react'
import { thenRefresh } from '../../lib/then-refresh.ts'
import { confirm } from '../../ui/dialogs.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { type MenuAction, RowMenu } from '../../ui/list/RowMenu.tsx'
import { ReasonDialog } from '../../ui/ReasonDialog.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { ReturnDialog } from './ReturnDialog.tsx'
import { enterResults, removeLine, returnPayment } from './payment-runs.api.ts'
import { lineStates, partText, sumText } from './run-words.ts'
import classes from './runs.module.css'
import { BalanceLink } from '../../shared/payee-links.tsx'

interface RunLinesProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

type Question = { line: RunLine; kind: 'remove' | 'failed' | 'returned' }

/** A run's lines. They can be removed before the approval, and get results once the bank has the files. */
export function RunLines({ run, refresh }: RunLinesProps) {
  const [question, setQuestion] = useState<Question>()
  const enter = async (line: RunLine, paid: boolean, reason: string) => {
    const lines = [{ reference: line.reference, paid, reason }]
    await thenRefresh(enterResults(run.id, { lines }), refresh)
    toastDone()
  }
  const actionsOf = (line: RunLine): MenuAction[] => {
    if (line.state === 'paid' && !line.returnWaits)
      return [
        { label: 'Mark as come back', onSelect: () => setQuestion({ line, kind: 'returned' }) },
      ]
    if (line.state === 'prepared') {
      const remove = () => setQuestion({ line, kind: 'remove' })
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
      { label: 'Mark as failed', onSelect: () => setQuestion({ line, kind: 'failed' }) },
    ]
  }
  return (
    <>
      <DataTable
        caption="Lines"
        columns={columnsOf(run, actionsOf)}
        rows={run.lines}
        rowKey={({ id }) => String(id)}
        empty="No lines"
      />
      {question?.kind === 'returned' && (
        <ReturnDialog
          run={run}
          line={question.line}
          onConfirm={async (returnedOn, reason) => {
            const sent = { lineId: question.line.id, returnedOn, reason }
            await thenRefresh(returnPayment(run.id, sent), refresh)
            toastDone()
          }}
          onClosed={() => setQuestion(undefined)}
        />
      )}
      {question && question.kind !== 'returned' && (
        <ReasonDialog
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
          onClosed={() => setQuestion(undefined)}
        />
      )}
    </>
  )
}

/** The parts of one payee have different menus. */
const nameOf = ({ payee, part, reference }: RunLine): string =>
  part === null ? payee.name : `${payee.name} ${reference}`

const columnsOf = (
  { currency, state, lines }: PaymentRun,
  actionsOf: (line: RunLine) => MenuAction[],
): ListColumn<RunLine>[] => [
  {
    id: 'payee',
    header: 'Payee',
    fixed: true,
    card: 'title',
    cell: ({ payee }) => <BalanceLink payee={payee} />,
  },
  {
    id: 'account',
    header: 'Account',
    card: 'title',
    cell: ({ institutionName, lastCharacters }) => (
      <span className={classes.wraps}>{`${institutionName} ••••\u00A0${lastCharacters}`}</span>
    ),
  },
  {
    id: 'reference',
    header: 'Reference',
    card: 'detail',
    cell: (line) => (
      <div className={classes.wraps}>
        {line.reference}
        <div className={classes.dim}>{partText(line, lines, currency)}</div>
      </div>
    ),
  },
  {
    id: 'state',
    header: 'State',
    card: 'title',
    cell: (line) => (
      <div className={classes.wraps}>
        <Badge color={lineStates[line.state].color}>{lineStates[line.state].label}</Badge>
        {line.failureWaits && (
          <div className={classes.dim}>
            {line.failureWaits.by} entered that it failed: {line.failureWaits.reason}.{' '}
            <LinkText to="/app/pay/proposals" underlined>
              Waiting for a second person
            </LinkText>
          </div>
        )}
        {line.returned && (
          <div className={classes.dim}>
            On {line.returned.on}, entered by {line.returned.by}: {line.returned.reason}. Paid
            before
            {line.by !== null && `, entered by ${line.by}`}
          </div>
        )}
        {line.returnWaits && (
          <div className={classes.dim}>
            {line.returnWaits.by} entered that it came back on {line.returnWaits.on}:{' '}
            {line.returnWaits.reason}.{' '}
            <LinkText to="/app/pay/proposals" underlined>
              Waiting for a second person
            </LinkText>
          </div>
        )}
        {line.partOf && (
          <div className={classes.dim}>
            A part of {moneyText(line.partOf.balance, currency)}: {line.partOf.reason}
          </div>
        )}
        {line.reason !== null && <div className={classes.dim}>{line.reason}</div>}
        {line.bankReference !== null && <div className={classes.dim}>{line.bankReference}</div>}
      </div>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    numeric: true,
    card: 'money',
    cell: ({ amount }) => moneyText(amount, currency),
  },
  ...(state === 'prepared' || state === 'sent' || state === 'finished'
    ? [
        {
          id: 'actions',
          header: 'Actions',
          cell: (line: RunLine) => {
            const actions = actionsOf(line)
            return actions.length > 0 ? <RowMenu of={nameOf(line)} actions={actions} /> : null
          },
        },
      ]
    : []),
]
