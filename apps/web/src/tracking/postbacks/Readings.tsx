import { Alert, Button, Skeleton } from '@mantine/core'
import type { PostbackReadings } from '@tallyroom/contract/tracking/postbacks'
import { useQuery } from '@tanstack/react-query'
import { Instant } from '../../ui/text/Instant.tsx'
import { OutcomeBadge } from '../../shared/OutcomeBadge.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { readingsQuery } from './postbacks.api.ts'
import classes from './Readings.module.css'

interface ReadingsProps {
  siteId: number
  /** A tracker to try; otherwise the site's settings. */
  tracker: string | undefined
}

type Reading = PostbackReadings['items'][number]

/** The last postbacks of a site, with what each parameter is read as. */
export function Readings({ siteId, tracker }: ReadingsProps) {
  const query = useQuery(readingsQuery(siteId, tracker))
  if (query.isError)
    return (
      <Alert color="red" title="The last postbacks could not be loaded">
        <div>{query.error.message}</div>
        <Button variant="default" mt="xs" onClick={() => void query.refetch()}>
          Retry
        </Button>
      </Alert>
    )
  if (!query.data) return <Skeleton height={80} role="status" aria-label="Loading" />
  const { items } = query.data
  return items.length === 0 ? (
    <div className={classes.empty}>
      No postback has come yet. Send a test, or ask the merchant to.
    </div>
  ) : (
    <ol className={classes.list}>
      {items.map((reading) => (
        <li key={reading.id}>
          <details className={classes.reading}>
            <summary>
              <Instant at={reading.receivedAt} />
              <strong>{meaningOf(reading)}</strong>
              <OutcomeBadge outcome={reading.outcome} />
            </summary>
            {reading.problem && <div className={classes.problem}>{reading.problem.reason}</div>}
            <Parameters of={reading} />
          </details>
        </li>
      ))}
    </ol>
  )
}

const Parameters = ({ of: { parameters } }: { of: Reading }) => (
  <PlainTable
    label="Parameters"
    look="bare"
    className={classes.parameters}
    columns={[
      { header: 'Parameter', cell: ({ name }) => <code>{name}</code> },
      { header: 'Value', cell: ({ value }) => <code>{value}</code> },
      { header: 'Read as', cell: ({ readAs }) => readAs },
    ]}
    rows={parameters}
    rowKey={({ name }) => name}
    marksOf={({ readAs }) => ({ 'data-unknown': readAs === 'not understood' })}
  />
)

/** `Sale`, `Bonus, pending` or `Would be refused`. */
function meaningOf({ event, standing, problem }: Reading): string {
  if (problem) return problem.outcome === 'conflict' ? 'Would be held' : 'Would be refused'
  const name = event === null ? 'Nothing' : `${event[0]?.toUpperCase()}${event.slice(1)}`
  return standing === 'pending' || standing === 'rejected' ? `${name}, ${standing}` : name
}
