import { Alert, Button, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import {
  type Explanation,
  explainEndpoints,
  explainRequestSchema,
  type ExplainRequest,
} from '@tallyroom/contract/figures/explain'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { isWorthRetrying } from '../../lib/api-error.ts'
import { readAmountText } from '../../lib/amount-text.ts'
import { frameRoute } from '../../lib/pages/page.ts'
import { queryOnceAsked } from '../../lib/queries.ts'
import { ListPagination } from '../../ui/list/ListPagination.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { UrlDrawer, usePaging } from '../../ui/UrlDrawer.tsx'
import { amountFormat, amountSummary, amountTitle, paidBy } from './explain-words.ts'
import classes from './ExplainDrawer.module.css'
import { ExplainGroups } from './ExplainGroups.tsx'
import { ExplainParts } from './ExplainParts.tsx'

/** How many parts are shown at a time. */
const PARTS_PAGE_SIZE = 25

/** Explains the amount in the URL, on any page: rates × sales, then every sale and reversal. Back closes it. */
export default function ExplainDrawer({ text }: { text: string }) {
  const { explainPage: page = 1 } = frameRoute.useSearch()
  const goToPage = usePaging('explainPage')
  const request = explainRequestSchema.safeParse({
    ...readAmountText(text),
    page,
    pageSize: PARTS_PAGE_SIZE,
  }).data
  const query = useQuery(queryOnceAsked(explainEndpoints.explain, request && { body: request }))
  const explanation = query.data

  return (
    <UrlDrawer
      params={['explain', 'explainPage']}
      width={720}
      title={request ? amountTitle(request, explanation?.names) : 'Amount'}
      about={request && <Summary request={request} />}
    >
      {request === undefined ? (
        <p role="alert">
          This link does not identify an amount. Close it and open the amount again.
        </p>
      ) : query.isError ? (
        <div role="alert">
          <p>{query.error.message}</p>
          {isWorthRetrying(query.error) && (
            <Button variant="default" onClick={() => void query.refetch()}>
              Retry
            </Button>
          )}
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
              onPage={goToPage}
            />
          )}
        </div>
      )}
    </UrlDrawer>
  )
}

const Summary = ({ request }: { request: ExplainRequest }) => (
  <div className={classes.summary}>
    {amountSummary(request)}
    <TimeZoneNote />
  </div>
)

/** The figure, and whether its parts add up to it. */
function ExplainSum({ explanation }: { explanation: Explanation }) {
  const { figure, sum, parts } = explanation
  const format = amountFormat(explanation)
  const counted = `${formatCount(parts.total)} ${parts.total === 1 ? 'part' : 'parts'}`
  const how = paidBy(explanation)
  return (
    <section className={classes.sum} aria-label="Figure">
      <div className={classes.figure}>{format(figure)}</div>
      {sum === figure ? (
        <div className={classes.check}>
          <IconCheck size={15} aria-hidden />
          {parts.total === 0 ? 'There were no sales.' : `The sum of ${counted}: ${format(sum)}`}
        </div>
      ) : (
        <Alert color="red" icon={<IconAlertTriangle size={16} />} role="alert">
          The sum of {counted} is {format(sum)}. The report says {format(figure)}.
        </Alert>
      )}
      {how && <div className={classes.dim}>{how}</div>}
    </section>
  )
}
