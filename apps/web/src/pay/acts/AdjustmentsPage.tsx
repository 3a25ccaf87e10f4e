import { Alert, Button, Checkbox, Textarea } from '@mantine/core'
import { type ReadAdjustments, balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { base64Of, tooLargeText } from '../../lib/forms/base64.ts'
import { failureText } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { DialogButtons } from '../../ui/dialogs/DialogButtons.tsx'
import { FileChooser } from '../../ui/form/FileChooser.tsx'
import { BackButton } from '../../ui/links.tsx'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { adjustmentFileQuery } from '../pay.api.ts'
import { countsAsWords } from '../balance-words.ts'
import { signedMoney } from '../pay-words.ts'
import classes from '../pay.module.css'
import { toastProposed } from '../waits.ts'
import { refreshPay } from '../refresh-pay.ts'
import { byCurrency } from '../../shared/money-columns.ts'
import { call } from '../../lib/call.ts'

type Line = ReadAdjustments['lines'][number]

/** Enters adjustments of several payees, pasted or from a file: all of them or none. */
export function AdjustmentsPage() {
  const [text, setText] = useState('')
  const [file, setFile] = useState<{ name: string; bytes: string }>()
  const [tooLarge, setTooLarge] = useState<string>()
  const pasted = text.trim() === '' ? undefined : base64Of(new TextEncoder().encode(text))
  const bytes = file?.bytes ?? pasted
  const read = async (chosen: File) => {
    const problem = tooLargeText(chosen, 'Enter the adjustments in several files.')
    setTooLarge(problem)
    if (problem !== undefined) return
    setText('')
    setFile({
      name: chosen.name,
      bytes: base64Of(new Uint8Array(await chosen.arrayBuffer())),
    })
  }
  return (
    <div className={classes.page}>
      <p className={classes.lead}>
        One line for each adjustment: payee, amount, reason and what it is, as in a spreadsheet. A
        line of headings is optional. A negative amount is subtracted, and the payee reads the
        reason. What it is may be <q>earned</q>, as it is if you leave it out, or <q>not income</q>:
        a reimbursement, a returned fee, the correction of a payment or petty cash. If one line is
        wrong, none is entered.
      </p>
      <Textarea
        label="Lines"
        placeholder={'Manila Central\t1500.00\tReferral bonus November\tearned'}
        autosize
        minRows={6}
        maxRows={16}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          setFile(undefined)
          setTooLarge(undefined)
        }}
      />
      <div className={classes.fileRow}>
        <FileChooser
          onChoose={(chosen) => void read(chosen)}
          accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
        >
          {(props) => (
            <Button {...props} variant="default">
              Read a file
            </Button>
          )}
        </FileChooser>
        {file && <span>{file.name}</span>}
        <BackButton to="/app/pay/balances" label="Balances" />
      </div>
      {tooLarge !== undefined && <Refused text={tooLarge} />}
      {bytes !== undefined && <Preview key={bytes} file={bytes} />}
    </div>
  )
}

/** What entering them would do, and the button that does it. */
function Preview({ file }: { file: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [equalsSeen, setEqualsSeen] = useState(false)
  const { data, error } = useQuery(adjustmentFileQuery(file))
  const entering = useOneMutation({
    mutationFn: () => call(balancesEndpoints.enterAdjustmentFile, { body: { file, equalsSeen } }),
    onSuccess: async ({ waiting }) => {
      await refreshPay(client)
      await navigate({ to: '/app/pay/balances' })
      if (waiting > 0) toastProposed(navigate)
      else toastDone()
    },
  })
  if (error) return <Refused text={failureText(error)} />
  if (!data) return null
  if (data.refused !== null) return <Refused text={`This can’t be read: ${data.refused}.`} />
  const { lines, problems } = data
  const equal = lines.filter(({ equals }) => equals !== null).length
  const waiting = lines.filter(({ waits }) => waits !== null).length
  return (
    <>
      {problems.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title={
            problems.length === 1
              ? 'A line is wrong. Nothing is entered until it is right.'
              : `${formatCount(problems.length)} lines are wrong. Nothing is entered until they are right.`
          }
        >
          <ul className={classes.problems}>
            {problems.map(({ line, problem }) => (
              <li key={line}>
                Line {line}: {problem}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {lines.length > 0 && (
        <PlainTable
          label="Adjustments"
          columns={columns}
          rows={lines}
          rowKey={({ line }) => line}
          sums={byCurrency(lines, ({ own, sum }) => ({
            label: formatCount(own.length),
            cells: { Amount: sum(({ amount }) => amount) },
          }))}
          cards
        />
      )}
      {waiting > 0 && (
        <Alert
          color="yellow"
          title={
            waiting === 1
              ? 'One waits for a second person'
              : `${formatCount(waiting)} wait for a second person`
          }
        >
          They don’t count until somebody else approves them, who could not have entered them as
          you.
        </Alert>
      )}
      {equal > 0 && problems.length === 0 && (
        <Checkbox
          label={
            equal === 1
              ? 'One line equals another. Enter it all the same.'
              : `${formatCount(equal)} lines equal others. Enter them all the same.`
          }
          checked={equalsSeen}
          onChange={({ currentTarget: { checked } }) => setEqualsSeen(checked)}
        />
      )}
      <DialogButtons
        act={`Enter ${formatCount(lines.length)} ${lines.length === 1 ? 'adjustment' : 'adjustments'}`}
        onAct={() => entering.mutate()}
        onCancel={null}
        busy={entering.isPending}
        disabled={lines.length === 0 || problems.length > 0 || (equal > 0 && !equalsSeen)}
      />
    </>
  )
}

const columns: PlainColumn<Line>[] = [
  { header: 'Line', cell: ({ line }) => formatCount(line) },
  { header: 'Payee', cell: ({ payee }) => payee.name },
  {
    header: 'Reason',
    cell: ({ reason, waits, equals }) => (
      <>
        {reason}
        {waits !== null && <div className={classes.dim}>Waits: {waits}</div>}
        {equals !== null && <div className={classes.dim}>Equals {equals}.</div>}
      </>
    ),
  },
  { header: 'What it is', cell: ({ countsAs }) => countsAsWords[countsAs] },
  {
    header: 'Amount',
    numeric: true,
    cell: ({ amount, currency }) => signedMoney(amount, currency),
  },
]

const Refused = ({ text }: { text: string }) => (
  <Alert color="red" role="alert">
    {text}
  </Alert>
)
