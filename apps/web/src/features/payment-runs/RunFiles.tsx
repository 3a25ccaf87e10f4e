import { Button } from '@mantine/core'
import type { PaymentRun } from '@tallyroom/contract/payment-runs'
import { moneyText } from '@tallyroom/contract/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import { useMutation } from '@tanstack/react-query'
import { confirm } from '../../ui/dialogs.tsx'
import { takeFile } from './payment-runs.api.ts'
import classes from './runs.module.css'

interface RunFilesProps {
  run: PaymentRun
  refresh: () => Promise<unknown>
}

/** A run's files for the bank, one for each channel. */
export function RunFiles({ run, refresh }: RunFilesProps) {
  const taking = useMutation({
    mutationFn: (name: string) => takeFile(run.id, name),
    onSettled: () => refresh(),
  })
  const take = (name: string) => {
    if (run.state !== 'approved') return taking.mutate(name)
    return void confirm({
      heading: `Download: ${name}`,
      body: 'Once you download a file, the run can no longer be cancelled. It ends when its results are entered.',
      confirmLabel: 'Download file',
      action: () => taking.mutateAsync(name),
    })
  }
  const isOpen = run.state !== 'prepared'
  return (
    <section className={classes.card} aria-label="Files">
      <h2>Files</h2>
      <p className={classes.dim}>
        Template {run.template.name}.
        {!isOpen && ' They can be downloaded once the run is approved.'}
      </p>
      <ul className={classes.files}>
        {run.files.map(({ name, channel, lines, amount }) => (
          <li key={name}>
            <span>
              {channel}
              <span className={classes.dim}>
                {' '}
                {formatCount(lines)} {lines === 1 ? 'transfer' : 'transfers'},{' '}
                {moneyText(amount, run.currency)}
              </span>
            </span>
            {isOpen && (
              <Button
                size="compact-sm"
                variant={run.state === 'approved' ? 'filled' : 'default'}
                aria-label={`Download ${name}`}
                loading={taking.isPending && taking.variables === name}
                onClick={() => take(name)}
              >
                Download
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
