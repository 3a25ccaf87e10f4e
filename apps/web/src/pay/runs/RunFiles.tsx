import { Alert, Button } from '@mantine/core'
import type { PaymentRun, RunFile } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { addDays, formatDateTime } from '@tallyroom/domain/new-york'
import { MOST_DAYS_AHEAD } from '@tallyroom/domain/pay'
import { useState } from 'react'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { enterRefusedFile, takeFile } from '../payment-runs.api.ts'
import { RefusedFile } from './RefusedFile.tsx'
import { countOf, dayText, wasDownloaded } from './run-words.ts'
import classes from '../runs.module.css'

interface RunFilesProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

/** A run's files for the bank, and who downloaded which: one that the bank gets twice may be paid twice. */
export function RunFiles({ run, refresh }: RunFilesProps) {
  const { today, timeZone } = run.bank
  const [day, setDay] = useState(today)
  const takeNow = (file: RunFile) => {
    const asked = {
      name: file.name,
      again: wasDownloaded(file),
      ...(file.needsDay && { executionDay: day }),
    }
    return thenRefresh(takeFile(run.id, asked), refresh)
  }
  const taking = useOneMutation({ mutationFn: takeNow })
  const take = (file: RunFile) => {
    const { name } = file
    const last = file.downloads.at(-1)
    if (last) {
      return void confirm({
        heading: `Download again: ${name}`,
        body: `${last.by} downloaded this file on ${formatDateTime(new Date(last.at))}. If your bank gets it twice, it may pay twice.`,
        confirmLabel: 'Download again',
        action: () => takeNow(file),
      })
    }
    if (run.state !== 'approved') return taking.mutate(file)
    return void confirm({
      heading: `Download: ${name}`,
      body: 'Once you download a file, the run can no longer be cancelled. It ends when its results are entered.',
      confirmLabel: 'Download file',
      action: () => takeNow(file),
    })
  }
  const isOpen = run.state !== 'prepared'
  const taken = run.files.filter(wasDownloaded).length
  return (
    <section className={classes.card} aria-label="Files">
      <h2>Files</h2>
      <p className={classes.dim}>
        Template {run.template.name}.
        {!isOpen && ' They can be downloaded once the run is approved.'}
        {run.files.length > 1 && taken > 0 && ` ${taken} of ${run.files.length} downloaded.`}
      </p>
      {isOpen && run.files.some(({ name }) => /\.(csv|txt)$/.test(name)) && (
        <p className={classes.dim}>
          Give the bank the file as it is: a spreadsheet that opens and saves it drops the leading
          zeros of account numbers.
        </p>
      )}
      {run.files.some(({ needsDay }) => needsDay) && (
        <>
          <p className={classes.dim}>
            The approved date, {dayText(run.executionDay)}, has passed in {timeZone}. Choose a new
            one for what is not downloaded yet. Nothing else in the files changes.
          </p>
          <DayPicker
            label="New execution date"
            value={day}
            onChange={setDay}
            min={today}
            max={addDays(today, MOST_DAYS_AHEAD)}
          />
        </>
      )}
      <ul className={classes.files}>
        {run.files.map((file) => (
          <li key={file.name}>
            <div>
              {file.channel}
              <p className={classes.dim}>
                {countOf(file.lines, 'transfer')}, {moneyText(file.amount, run.currency)}
              </p>
            </div>
            {isOpen && file.stopped === null && (
              <Button
                size="compact-sm"
                variant={wasDownloaded(file) || run.state === 'finished' ? 'default' : 'filled'}
                aria-label={`${wasDownloaded(file) ? 'Download again:' : 'Download'} ${file.name}`}
                loading={taking.isPending && taking.variables.name === file.name}
                onClick={() => take(file)}
              >
                {wasDownloaded(file) ? 'Download again' : 'Download'}
              </Button>
            )}
            <div className={classes.downloads}>
              {file.name}
              {file.stopped !== null && file.refused === null && (
                <Alert color="red" role="alert">
                  {file.stopped}
                </Alert>
              )}
              {file.sha256 !== null && <Hash of="SHA-256 as approved" sha256={file.sha256} />}
              {file.redated && file.executionDay !== null && (
                <>
                  <p>
                    <Instant at={file.redated.at} />: {file.redated.by} chose{' '}
                    {dayText(file.executionDay)}, because the approved date had passed. Nothing else
                    differs.
                  </p>
                  <Hash of="SHA-256 with this date" sha256={file.redated.sha256} />
                </>
              )}
              {isOpen && <Downloads of={file} />}
              <RefusedFile
                run={run}
                file={file}
                onConfirm={async (refusedOn, reason) => {
                  const sent = { name: file.name, refusedOn, reason }
                  await thenRefresh(enterRefusedFile(run.id, sent), refresh)
                  toastDone()
                }}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Banks show it for an uploaded file: equal hashes are equal files. */
const Hash = ({ of, sha256 }: { of: string; sha256: string }) => (
  <p>
    {of} <CopyButton value={sha256} what="SHA-256" />
    <code className={classes.hash}>{sha256}</code>
  </p>
)

/** Who downloaded a file and when. */
const Downloads = ({ of: { downloads } }: { of: RunFile }) =>
  downloads.length === 0 ? (
    <p>Not downloaded yet</p>
  ) : (
    downloads.map(({ id, at, by }, index) => (
      <p key={id}>
        {index === 0 ? 'Downloaded' : 'Downloaded again'} <Instant at={at} /> by {by}
      </p>
    ))
  )
