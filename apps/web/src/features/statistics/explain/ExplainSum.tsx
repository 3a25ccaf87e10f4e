import { Alert } from '@mantine/core'
import type { Explanation } from '@tallyroom/contract/stats-explain'
import { formatCount } from '@tallyroom/domain/money'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { amountFormat } from './explain-words.ts'
import classes from './ExplainDrawer.module.css'

/** The figure, and whether its parts come to it. */
export function ExplainSum({ explanation }: { explanation: Explanation }) {
  const { figure, sum, parts } = explanation
  const format = amountFormat(explanation)
  const counted = `${formatCount(parts.total)} ${parts.total === 1 ? 'part' : 'parts'}`
  return (
    <section className={classes.sum} aria-label="Figure">
      <div className={classes.figure}>{format(figure)}</div>
      {sum === figure ? (
        <div className={classes.check}>
          <IconCheck size={15} aria-hidden />
          {parts.total === 0 ? 'There were no sales.' : `The sum of ${counted}: ${format(sum)}`}
        </div>
      ) : (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={16} />} role="alert">
          The sum of {counted} is {format(sum)}. The report says {format(figure)}.
        </Alert>
      )}
    </section>
  )
}
