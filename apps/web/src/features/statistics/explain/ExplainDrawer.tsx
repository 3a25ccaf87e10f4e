import { Alert, Button, Drawer, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { Explanation } from '@tallyroom/contract/stats-explain'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { ListPagination } from '../../../ui/list/ListPagination.tsx'
import { useOpened } from '../../../ui/use-opened.ts'
import type { StatsCriteria, StatsReport } from '../stats-search.ts'
import { explainRequestOf, PARTS_PAGE_SIZE } from './explain-request.ts'
import type { ExplainedAmount } from './explain-search.ts'
import { amountFormat } from './explain-words.ts'
import { explanationQuery } from './explain.api.ts'
import classes from './ExplainDrawer.module.css'
import { ExplainGroups } from './ExplainGroups.tsx'
import { ExplainParts } from './ExplainParts.tsx'

interface ExplainDrawerProps {
  report: StatsReport
  criteria: StatsCriteria
  amount: ExplainedAmount
  /** 'Payout · maria': the column and whose it is. */
  title: string
  /** The criteria in words. */
  summary: string | undefined
  page: number
  onPage: (page: number) => void
  onClose: () => void
}

/** Explains an amount: rates × sales, then every sale and reversal with its postback. */
export default function ExplainDrawer(props: ExplainDrawerProps) {
  const { report, criteria, amount, page } = props
  const [opened, close] = useOpened()
  const request = explainRequestOf({ report, criteria, amount, page })
  const query = useQuery(explanationQuery(request))
  const explanation = query.data

  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={props.onClose}
      position="right"
      size={720}
      title={
        <>
          <strong>{props.title}</strong>
          <div className={classes.summary}>{props.summary}</div>
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {request === undefined ? (
        <p role="alert">This link does not name an amount on this page.</p>
      ) : query.isError ? (
        <div role="alert">
          <p>{query.error.message}</p>
          <Button variant="default" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      ) : explanation === undefined ? (
        <div className={classes.loading} role="status">
          <Loader size={18} /> Adding up…
        </div>
      ) : (
        <div className={classes.content} aria-busy={query.isPlaceholderData}>
          <ExplainSum explanation={explanation} />
          <ExplainGroups explanation={explanation} />
          <ExplainParts explanation={explanation} stale={query.isPlaceholderData} />
          {explanation.parts.total > PARTS_PAGE_SIZE && (
            <ListPagination
              label="Pages of sales"
              page={page}
              pageSize={PARTS_PAGE_SIZE}
              total={explanation.parts.total}
              onPage={props.onPage}
            />
          )}
        </div>
      )}
    </Drawer>
  )
}

/** The figure, and whether its parts come to it. */
function ExplainSum({ explanation }: { explanation: Explanation }) {
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
