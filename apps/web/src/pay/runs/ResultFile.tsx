import { Alert, Button, Skeleton, TextInput } from '@mantine/core'
import type { ResultColumns } from '@tallyroom/contract/pay/files'
import type { PaymentRun } from '@tallyroom/contract/pay/runs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../../lib/form-errors.ts'
import { useOneMutation } from '../../lib/use-one-mutation.ts'
import { Select } from '../../ui/Select.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { readResultFile } from './payment-runs.api.ts'
import {
  choicesOf,
  countsText,
  isWhole,
  linesText,
  NO_COLUMNS,
  problemTexts,
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
  const isMapped = isWhole(columns)
  const head = useQuery(checkOf(run.id, file, null))
  const check = useQuery({ ...checkOf(run.id, file, columns), enabled: isMapped })
  const taking = useOneMutation({
    mutationFn: () => readResultFile(run.id, { file, columns, take: true }),
    onSuccess: async () => {
      await onDone()
      toastDone()
    },
  })
  if (head.error) return <Failure text={failureText(head.error)} onCancel={onCancel} />
  if (!head.data) return <Skeleton height={80} />
  if (head.data.problems.length > 0)
    return <Failure text={`${problemTexts(head.data.problems).join('. ')}.`} onCancel={onCancel} />

  const { headings, sample } = head.data
  const choices = choicesOf(headings)
  const problems = check.data?.problems ?? []
  const change = (next: Partial<ResultColumns>) => setColumns({ ...columns, ...next })
  const column = (label: string, name: 'reference' | 'status', isNeeded = true) => (
    <Select
      label={label}
      withAsterisk={isNeeded}
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
  const words = (label: string, name: 'paid' | 'failed') => (
    <TextInput
      label={label}
      description="Separated by commas"
      withAsterisk
      maxLength={200}
      defaultValue={columns[name].join(', ')}
      onBlur={({ currentTarget: { value } }) => change({ [name]: wordsIn(value) })}
    />
  )
  return (
    <>
      <pre className={classes.preview} aria-label="First lines of the file" tabIndex={0}>
        {linesText([headings, ...sample])}
      </pre>
      <div className={classes.row}>
        {column('Reference', 'reference')}
        {column('Status', 'status')}
        {words('Means paid', 'paid')}
        {words('Means failed', 'failed')}
      </div>
      <div className={classes.row}>
        {optional('Amount', 'amount')}
        {optional('Reason', 'reason')}
        {optional('Bank’s reference', 'bankReference')}
      </div>
      {check.error && <Failure text={failureText(check.error)} onCancel={onCancel} />}
      {problems.length > 0 && (
        <Alert color="red" variant="light" role="alert" title="Nothing was imported from this file">
          <ul className={classes.list}>
            {problemTexts(problems).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Alert>
      )}
      {check.data && isMapped && problems.length === 0 && <p>{countsText(check.data)}</p>}
      <div className={classes.actions}>
        <Button
          loading={taking.isPending}
          disabled={!isMapped || !check.data || problems.length > 0}
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

const Failure = ({ text, onCancel }: { text: string; onCancel: () => void }) => (
  <>
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
    <div className={classes.actions}>
      <Button variant="default" onClick={onCancel}>
        Choose another file
      </Button>
    </div>
  </>
)
