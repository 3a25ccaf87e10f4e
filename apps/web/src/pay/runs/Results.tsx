import { Button, FileButton } from '@mantine/core'
import type { PaymentRun } from '@tallyroom/contract/pay/runs'
import { useState } from 'react'
import { thenRefresh } from '../../lib/then-refresh.ts'
import { confirm } from '../../ui/dialogs.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { enterResults } from './payment-runs.api.ts'
import { ResultFile } from './ResultFile.tsx'
import { sumText, wasDownloaded } from './run-words.ts'
import classes from './runs.module.css'

interface ResultsProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

/** The bank's results: all paid, a file, or line by line in the table below. */
export function Results({ run, refresh }: ResultsProps) {
  const [file, setFile] = useState<string>()
  const waiting = run.lines.filter(({ failureWaits }) => failureWaits).length
  const openLines = run.lines.filter(({ state, failureWaits }) => state === 'open' && !failureWaits)
  const open = openLines.length
  const notSent = notDownloaded(run.files)
  const read = async (chosen: File | null) => {
    if (chosen) setFile(base64Of(new Uint8Array(await chosen.arrayBuffer())))
  }
  return (
    <section
      className={classes.card}
      {...(open > 0 && { 'data-tone': 'act' })}
      aria-label="Results"
    >
      <h2>Results</h2>
      {open > 0 ? (
        <p>
          {open} {open === 1 ? 'transfer has' : 'transfers have'} no result yet. Read the bank’s
          result file, mark single lines below, or mark all of them as paid.
          {notSent && <strong> {notSent}.</strong>}
        </p>
      ) : (
        <p>
          {waiting > 0
            ? `${waiting} ${waiting === 1 ? 'failure waits' : 'failures wait'} for a second person. The bank’s result file decides before that.`
            : 'Every transfer has a result. Reading a file again changes nothing.'}
        </p>
      )}
      {file === undefined ? (
        <div className={classes.actions}>
          <FileButton
            onChange={(chosen) => void read(chosen)}
            accept=".csv,.txt,text/csv,text/plain"
          >
            {(props) => (
              <Button {...props} variant={open > 0 ? 'filled' : 'default'}>
                Read result file
              </Button>
            )}
          </FileButton>
          {open > 0 && (
            <Button
              variant="default"
              onClick={() =>
                void confirm({
                  heading: `All paid: ${run.number}`,
                  body: `A result can’t be changed.${notSent && ` ${notSent}.`}`,
                  confirmLabel: `Mark ${sumText(openLines, run.currency)} as paid`,
                  action: async () => {
                    await thenRefresh(enterResults(run.id, { allPaid: true }), refresh)
                    toastDone()
                  },
                })
              }
            >
              All paid
            </Button>
          )}
        </div>
      ) : (
        <ResultFile
          run={run}
          file={file}
          onDone={async () => {
            setFile(undefined)
            await refresh()
          }}
          onCancel={() => setFile(undefined)}
        />
      )}
    </section>
  )
}

function notDownloaded(files: PaymentRun['files']): string {
  const left = files.filter((file) => !wasDownloaded(file)).length
  if (left === 0) return ''
  return `${left} of ${files.length} files ${left === 1 ? 'has' : 'have'} not been downloaded yet`
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCodePoint(byte)
  return btoa(text)
}
