import { Alert, Button } from '@mantine/core'
import type { PaymentRun } from '@tallyroom/contract/pay/runs/runs'
import { useState } from 'react'
import { base64Of, tooLargeText } from '../../lib/forms/base64.ts'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FileChooser } from '../../ui/form/FileChooser.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { enterResults } from '../payment-runs.api.ts'
import { ResultFile } from './ResultFile.tsx'
import { isWithoutResult, notDownloaded, resultsText, sumText } from './run-words.ts'
import classes from '../runs.module.css'

interface ResultsProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

/** The bank's results: all paid, a file, or line by line in the table below. */
export function Results({ run, refresh }: ResultsProps) {
  const [file, setFile] = useState<string>()
  const [tooLarge, setTooLarge] = useState<string>()
  const openLines = run.lines.filter(isWithoutResult)
  const open = openLines.length
  const notSent = notDownloaded(run.files)
  const read = async (chosen: File) => {
    const problem = tooLargeText(chosen, 'Ask the bank for the days of this run only.')
    setTooLarge(problem)
    if (problem === undefined) setFile(base64Of(new Uint8Array(await chosen.arrayBuffer())))
  }
  return (
    <section
      className={classes.card}
      {...(open > 0 && { 'data-tone': 'act' })}
      aria-label="Results"
    >
      <h2>Results</h2>
      <p>
        {resultsText(run.lines)}
        {open > 0 && notSent && <strong> {notSent}.</strong>}
      </p>
      {tooLarge !== undefined && (
        <Alert color="red" role="alert">
          {tooLarge}
        </Alert>
      )}
      {file === undefined ? (
        <div className={classes.actions}>
          <FileChooser
            onChoose={(chosen) => void read(chosen)}
            accept=".csv,.tsv,.txt,.xlsx,.xml,text/csv,text/plain,text/xml"
          >
            {(props) => (
              <Button {...props} variant={open > 0 ? 'filled' : 'default'}>
                Read result file
              </Button>
            )}
          </FileChooser>
          {open > 0 && (
            <Button
              variant="default"
              onClick={() =>
                void confirm({
                  heading: `All paid: ${run.number}`,
                  body: `A result can’t be changed. If money comes back, that is entered as well.${notSent && ` ${notSent}.`}`,
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
