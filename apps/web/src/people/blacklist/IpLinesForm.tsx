import { Button, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { formatCount } from '@tallyroom/domain/money'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastDone } from '../../ui/toasts.tsx'
import { refreshBlackList } from './ip-blacklist.api.ts'
import classes from './IpLinesForm.module.css'
import { LineResults, summaryOf } from './LineResults.tsx'
import { inLineOrder, type LineResult, linesLeft, linesOf, MAX_LINES } from './lines.ts'
import type { WorkThrough } from './work-through.ts'

interface IpLinesFormProps {
  work: WorkThrough
  /** What it does, in a sentence. */
  about: string
  /** 'Adding', 'Deleting'. */
  doing: string
  /** Return to the list once every line is done. */
  leadsBack?: boolean
}

/**
 * Adds or deletes a list of addresses, one per line. Lines that are done leave the list. Refused and unprocessed
 * ones stay, and Confirm continues with them.
 */
export function IpLinesForm({ work, about, doing, leadsBack = false }: IpLinesFormProps) {
  const back = useBackToList('/app/settings/black-list-ip')
  const client = useQueryClient()
  const form = useForm({ initialValues: { ips: '' }, validate: { ips: listError } })
  const { run, isRunning, isRunningNow, start, stop } = useLineRun(work, (lines, results) => {
    const left = linesLeft(lines, results)
    form.setValues({ ips: left.join('\n') })
    void refreshBlackList(client)
    if (left.length > 0) return
    form.resetDirty({ ips: '' })
    toastDone()
    if (leadsBack) back()
  })
  useBlocker({
    shouldBlockFn: async () => isRunningNow() && !(await confirmStopping()),
    enableBeforeUnload: true,
    disabled: !isRunning,
  })

  return (
    <FormFrame
      form={form}
      submitLabel="Confirm"
      busy={isRunning}
      onSubmit={({ ips }) => start(linesOf(ips))}
      actions={
        isRunning ? (
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button variant="default" onClick={back}>
            {run && form.values.ips === '' ? 'Back to the list' : 'Cancel'}
          </Button>
        )
      }
    >
      <FormSection title="Addresses" about={about}>
        <WholeRow>
          <Textarea
            label="IP List"
            description="One address or range per line: 192.0.2.7, 192.0.2.0/24, 2001:db8::/32"
            withAsterisk
            rows={12}
            classNames={{ input: classes.lines ?? '' }}
            spellCheck={false}
            autoCapitalize="off"
            readOnly={isRunning}
            {...form.getInputProps('ips')}
          />
        </WholeRow>
      </FormSection>
      {run && isRunning && (
        <div>
          <progress
            className={classes.progress}
            aria-label={doing}
            max={run.total}
            value={run.results.length}
          />
          {doing} {formatCount(run.results.length)} of {formatCount(run.total)}
        </div>
      )}
      <div role="status">{run && !isRunning && summaryOf(run.results)}</div>
      {run && !isRunning && run.results.length > 0 && <LineResults results={run.results} />}
    </FormFrame>
  )
}

function listError(text: string): string | null {
  const count = linesOf(text).length
  if (count === 0) return 'Enter at least one address'
  return count > MAX_LINES
    ? `The list has ${formatCount(count)} lines. Enter at most ${formatCount(MAX_LINES)} at a time`
    : null
}

const confirmStopping = () =>
  confirm({
    heading: 'Leave and stop?',
    body: 'Some lines are not done yet. The finished ones are kept.',
    confirmLabel: 'Leave',
  })

/** The progress of a run through a list of lines. */
interface LineRun {
  total: number
  results: readonly LineResult[]
}

/**
 * Processes a list of lines. Leaving the page stops it.
 * @param onEnd called when the run has ended, was stopped or failed
 */
function useLineRun(
  work: WorkThrough,
  onEnd: (lines: readonly string[], results: readonly LineResult[]) => void,
) {
  const [run, setRun] = useState<LineRun>()
  const stopper = useRef(new AbortController())
  const isUnderWay = useRef(false)
  useEffect(() => () => stopper.current.abort(), [])

  const mutation = useMutation({
    mutationFn: async (lines: readonly string[]) => {
      const results: LineResult[] = []
      isUnderWay.current = true
      const { signal } = (stopper.current = new AbortController())
      const show = () => setRun({ total: lines.length, results: [...results] })
      show()
      const drawing = setInterval(show, DRAW_MS)
      try {
        await work(lines, { signal, report: (more) => results.push(...more) })
      } finally {
        clearInterval(drawing)
        isUnderWay.current = false
        const inOrder = inLineOrder(results, lines)
        setRun({ total: lines.length, results: inOrder })
        onEnd(lines, inOrder)
      }
    },
  })
  return {
    run,
    isRunning: mutation.isPending,
    /** Not delayed by rendering: already false when `onEnd` is called. */
    isRunningNow: () => isUnderWay.current,
    start: (lines: readonly string[]) => mutation.mutate(lines),
    /** Lets calls in flight finish. */
    stop: () => stopper.current.abort(),
  }
}

const DRAW_MS = 150
