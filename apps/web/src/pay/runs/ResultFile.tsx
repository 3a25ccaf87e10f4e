import { Alert, Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import type { ResultColumns } from '@tallyroom/contract/pay/files'
import type { PaymentRun } from '@tallyroom/contract/pay/runs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../../lib/form-errors.ts'
import { useOneMutation } from '../../lib/use-one-mutation.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { Select } from '../../ui/Select.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { readResultFile } from './payment-runs.api.ts'
import {
  choicesOf,
  countsText,
  formatText,
  isWhole,
  linesText,
  mappedIn,
  NO_COLUMNS,
  othersText,
  pendingTexts,
  problemTexts,
  returnedTexts,
  wordsIn,
} from './result-file-words.ts'
import classes from './runs.module.css'

interface ResultFileProps {
  run: PaymentRun
  /** In base64. */
  file: string
  onDone: () => Promise<unknown>
  onCancel: () => void
}

/** Maps a result file's columns, shows what it would do, and imports it as a whole. */
export function ResultFile({ run, file, onDone, onCancel }: ResultFileProps) {
  const [columns, setColumns] = useState<ResultColumns>(run.results ?? NO_COLUMNS)
  const [othersSeen, setOthersSeen] = useState(false)
  const { timeZone, today } = run.bank
  const [returnedOn, setReturnedOn] = useState(today)
  const isMapped = isWhole(columns)
  const head = useQuery(checkOf(run.id, file, null))
  const check = useQuery({ ...checkOf(run.id, file, columns), enabled: isMapped })
  const taking = useOneMutation({
    mutationFn: () =>
      readResultFile(run.id, {
        file,
        columns,
        take: true,
        othersSeen,
        ...(check.data && check.data.returned.length > 0 && { returnedOn }),
      }),
    onSuccess: async () => {
      await onDone()
      toastDone()
    },
  })
  if (head.error) return <Failure text={failureText(head.error)} onCancel={onCancel} />
  if (!head.data) return <Skeleton height={80} />
  if (head.data.refused !== null)
    return <Failure text={`Can’t read the file: ${head.data.refused}.`} onCancel={onCancel} />

  // With the columns mapped, the headings may be on another line than was guessed.
  const shown = check.data?.refused === null ? check.data : head.data
  const { headings, sample } = shown
  const choices = choicesOf([...headings, ...mappedIn(columns)])
  const read = check.data
  const others = read && othersText(read.others, run.currency)
  const change = (next: Partial<ResultColumns>) => setColumns({ ...columns, ...next })
  const column = (label: string, name: 'reference' | 'status') => (
    <Select
      label={label}
      withAsterisk
      allowDeselect
      data={choices}
      value={columns[name] || null}
      onChange={(value) => change({ [name]: value ?? '' })}
    />
  )
  const optional = (label: string, name: 'amount' | 'reason' | 'bankReference') => (
    <Select
      label={label}
      clearable
      placeholder="None"
      data={choices}
      value={columns[name]}
      onChange={(value) => change({ [name]: value })}
    />
  )
  const words = (label: string, name: 'paid' | 'failed' | 'pending') => (
    <TextInput
      label={label}
      description="Separated by commas"
      withAsterisk={name !== 'pending'}
      maxLength={400}
      defaultValue={columns[name].join(', ')}
      onBlur={({ currentTarget: { value } }) => change({ [name]: wordsIn(value) })}
    />
  )
  return (
    <>
      <p>{formatText(shown)}</p>
      <pre className={classes.preview} aria-label="First lines of the file" tabIndex={0}>
        {linesText([headings, ...sample])}
      </pre>
      <div className={classes.row}>
        {column('Reference', 'reference')}
        {column('Status', 'status')}
      </div>
      <div className={classes.row}>
        {words('Means paid', 'paid')}
        {words('Means failed or come back', 'failed')}
        {words('Means still under way', 'pending')}
      </div>
      <Checkbox
        label="A status only begins with one of these words"
        checked={columns.beginsWith}
        onChange={({ currentTarget: { checked } }) => change({ beginsWith: checked })}
      />
      <div className={classes.row}>
        {optional('Amount', 'amount')}
        {optional('Reason', 'reason')}
        {optional('Bank’s reference', 'bankReference')}
        {columns.amount !== null && (
          <Select
            label="Amounts are in"
            allowDeselect
            data={[
              { value: 'same', label: 'As in our file' },
              { value: 'major', label: run.currency === 'PHP' ? 'Pesos' : 'Dollars' },
              { value: 'minor', label: run.currency === 'PHP' ? 'Centavos' : 'Cents' },
            ]}
            value={columns.minorUnits === null ? 'same' : columns.minorUnits ? 'minor' : 'major'}
            onChange={(value) => change({ minorUnits: MINOR[value ?? 'same'] ?? null })}
          />
        )}
      </div>
      {check.error && <Failure text={failureText(check.error)} onCancel={onCancel} />}
      {read?.refused != null && <Refused text={`Can’t read the file: ${read.refused}.`} />}
      {read && read.problems.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title="These lines are not understood, and stay as they are"
        >
          <Texts texts={problemTexts(read.problems)} />
        </Alert>
      )}
      {read && read.pending.length > 0 && (
        <Alert color="blue" title="These stay open">
          <Texts texts={pendingTexts(read.pending)} />
        </Alert>
      )}
      {read && read.returned.length > 0 && (
        <Alert color="yellow" title="These were paid, and have come back">
          <Texts texts={returnedTexts(read.returned, run.currency)} />
          They are owed again, and the next run pays them under new references.
          <DayPicker
            label={`Day they came back (${timeZone})`}
            value={returnedOn}
            max={today}
            onChange={setReturnedOn}
          />
        </Alert>
      )}
      {others !== undefined && (
        <Checkbox
          label={others}
          checked={othersSeen}
          onChange={({ currentTarget: { checked } }) => setOthersSeen(checked)}
        />
      )}
      {read?.refused === null && isMapped && <p>{countsText(read)}</p>}
      <div className={classes.actions}>
        <Button
          loading={taking.isPending}
          disabled={
            !isMapped ||
            read?.refused !== null ||
            (others !== undefined && !othersSeen) ||
            read.paid + read.failed + read.returned.length + read.known === 0
          }
          onClick={() => taking.mutate()}
        >
          Import results
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  )
}

/** Checks a file by its columns, or only its headings. Imports nothing. */
const checkOf = (id: number, file: string, columns: ResultColumns | null) => ({
  queryKey: ['result file', id, file, columns] as const,
  queryFn: () => readResultFile(id, { file, columns, take: false }),
  meta: { ownErrors: true },
  gcTime: 0,
})

const MINOR: Record<string, boolean> = { major: false, minor: true }

const Refused = ({ text }: { text: string }) => (
  <Alert color="red" role="alert">
    {text}
  </Alert>
)

const Texts = ({ texts }: { texts: readonly string[] }) => (
  <ul className={classes.list}>
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
)

const Failure = ({ text, onCancel }: { text: string; onCancel: () => void }) => (
  <>
    <Refused text={text} />
    <div className={classes.actions}>
      <Button variant="default" onClick={onCancel}>
        Choose another file
      </Button>
    </div>
  </>
)
