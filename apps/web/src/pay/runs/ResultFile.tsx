import { Alert, Button, Checkbox, Skeleton } from '@mantine/core'
import type { ResultColumns } from '@tallyroom/contract/pay/files/files'
import type { PaymentRun } from '@tallyroom/contract/pay/runs/runs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { readResultFile } from '../payment-runs.api.ts'
import {
  countsText,
  formatText,
  guessText,
  isWhole,
  linesText,
  NO_COLUMNS,
  othersText,
  pendingTexts,
  problemTexts,
  type ReadResults,
  returnedTexts,
  wordOf,
} from './result-file-words.ts'
import { ResultColumnFields } from './ResultColumnFields.tsx'
import classes from '../runs.module.css'

interface ResultFileProps {
  run: PaymentRun
  /** In base64. */
  file: string
  onDone: () => Promise<unknown>
  onCancel: () => void
}

/** Maps a result file's columns, if it is no message that has none; shows what it would do, and imports it as a whole. */
export function ResultFile({ run, file, onDone, onCancel }: ResultFileProps) {
  const [columns, setColumns] = useState<ResultColumns>(run.results ?? NO_COLUMNS)
  const [othersSeen, setOthersSeen] = useState(false)
  const [guessesSeen, setGuessesSeen] = useState<readonly number[]>([])
  const [returnedOn, setReturnedOn] = useState(run.bank.today)
  const head = useQuery(checkOf(run.id, file, null))
  const isMessage = head.data?.format?.kind === 'message'
  const isMapped = isMessage || isWhole(columns)
  const table = useQuery({
    ...checkOf(run.id, file, columns),
    enabled: head.isSuccess && !isMessage && isMapped,
  })
  const check = isMessage ? head : table
  const taking = useOneMutation({
    mutationFn: () =>
      readResultFile(run.id, {
        file,
        columns: isMessage ? null : columns,
        take: true,
        othersSeen,
        guessesSeen: [...guessesSeen],
        ...(check.data && needsDay(check.data) && { returnedOn }),
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

  const read = check.data
  // With the columns mapped, the headings may be on another line than was guessed.
  const shown = read?.refused === null ? read : head.data
  const others = read && othersText(read.others, run.currency, wordOf(read))
  return (
    <>
      <p>{formatText(shown)}</p>
      {!isMessage && (
        <>
          <pre className={classes.preview} aria-label="First lines of the file" tabIndex={0}>
            {linesText([shown.headings, ...shown.sample])}
          </pre>
          <ResultColumnFields
            columns={columns}
            headings={shown.headings}
            currency={run.currency}
            onChange={setColumns}
          />
        </>
      )}
      {check.error && <Failure text={failureText(check.error)} onCancel={onCancel} />}
      {read && <Findings run={run} read={read} day={returnedOn} onDay={setReturnedOn} />}
      {read?.guesses.map((guess) => (
        <Checkbox
          key={guess.entry}
          label={guessText(guess, run.currency)}
          checked={guessesSeen.includes(guess.entry)}
          onChange={({ currentTarget: { checked } }) =>
            setGuessesSeen((seen) => [
              ...seen.filter((entry) => entry !== guess.entry),
              ...(checked ? [guess.entry] : []),
            ])
          }
        />
      ))}
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
            !isMapped || !hasResults(read, guessesSeen) || (others !== undefined && !othersSeen)
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

/** Whether something in a file is of its run. */
const hasResults = (read: ReadResults | undefined, guessesSeen: readonly number[]): boolean =>
  read?.refused === null &&
  read.paid +
    read.failed +
    read.returned.length +
    read.contradicted +
    read.known +
    guessesSeen.length >
    0

/** Whether something came back of which the file does not say when. */
const needsDay = ({ returned }: ReadResults): boolean => returned.some(({ on }) => on === null)

interface FindingsProps {
  run: PaymentRun
  read: ReadResults
  /** When transfers came back: a day where the bank is. */
  day: string
  onDay: (day: string) => void
}

/** What stays open or is owed again, and what is not understood. */
const Findings = ({ run: { bank, currency }, read, day, onDay }: FindingsProps) => (
  <>
    {read.refused !== null && <Refused text={`Can’t read the file: ${read.refused}.`} />}
    {read.problems.length > 0 && (
      <Alert color="red" role="alert" title="These lines stay as they are">
        <Texts texts={problemTexts(read.problems, wordOf(read))} />
      </Alert>
    )}
    {read.pending.length > 0 && (
      <Alert color="blue" title="These stay open">
        <Texts texts={pendingTexts(read.pending)} />
      </Alert>
    )}
    {read.returned.length > 0 && (
      <Alert color="yellow" title="These were paid, and have come back">
        <Texts texts={returnedTexts(read.returned, currency)} />
        They are owed again, and the next run pays them under new references.
        {needsDay(read) && (
          <DayPicker
            label={`Day they came back (${bank.timeZone})`}
            value={day}
            max={bank.today}
            onChange={onDay}
          />
        )}
      </Alert>
    )}
  </>
)

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
