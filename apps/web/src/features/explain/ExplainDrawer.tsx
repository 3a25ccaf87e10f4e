import { Alert, Button, Drawer, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import {
  type Explanation,
  explainRequestSchema,
  type ExplainRequest,
} from '@tallyroom/contract/stats-explain'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { readAmountText } from '../../lib/amount-text.ts'
import { frameRoute } from '../../lib/page.ts'
import { ListPagination } from '../../ui/list/ListPagination.tsx'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { amountFormat, amountSummary, amountTitle, paidBy } from './explain-words.ts'
import { explanationQuery } from './explain.api.ts'
import classes from './ExplainDrawer.module.css'
import { ExplainGroups } from './ExplainGroups.tsx'
import { ExplainParts } from './ExplainParts.tsx'

/** How many parts are shown at a time. */
const PARTS_PAGE_SIZE = 25

/** Explains the amount in the URL, on any page: rates × sales, then every sale and reversal. Back closes it. */
export default function ExplainDrawer({ text }: { text: string }) {
  const { explainPage: page = 1 } = frameRoute.useSearch()
  const [opened, close] = useOpened()
  const leave = useLeave()
  const goToPage = usePaging()
  const request = explainRequestSchema.safeParse({
    ...readAmountText(text),
    page,
    pageSize: PARTS_PAGE_SIZE,
  }).data
  const query = useQuery(explanationQuery(request))
  const explanation = query.data

  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={leave}
      position="right"
      size={720}
      title={
        <>
          <strong>{request ? amountTitle(request, explanation?.names) : 'Amount'}</strong>
          {request && <Summary request={request} />}
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {request === undefined ? (
        <p role="alert">This link does not name an amount. Close it and open the amount again.</p>
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
              onPage={goToPage}
            />
          )}
        </div>
      )}
    </Drawer>
  )
}

/** Back to the page: by the browser's own way back if the explanation was opened from it. */
function useLeave() {
  const { history } = useRouter()
  const navigate = useNavigate()
  return () => {
    if (history.location.state.explained) return history.back()
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, explain: undefined, explainPage: undefined }),
      replace: true,
      resetScroll: false,
    })
  }
}

/** Adds no history entry, so that Back still closes the drawer. */
function usePaging() {
  const navigate = useNavigate()
  return (page: number) =>
    void navigate({
      to: '.',
      search: (search: object) => ({
        ...search,
        explainPage: page === 1 ? undefined : page,
      }),
      replace: true,
      state: (state) => state,
      resetScroll: false,
    })
}

const Summary = ({ request }: { request: ExplainRequest }) => (
  <div className={classes.summary}>
    {amountSummary(request)}
    <TimeZoneNote />
  </div>
)

/** The figure, and whether its parts come to it. */
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
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={16} />} role="alert">
          The sum of {counted} is {format(sum)}. The report says {format(figure)}.
        </Alert>
      )}
      {how && <div className={classes.dim}>{how}</div>}
    </section>
  )
}
