import { commonLogsEndpoints, type ObjectRef } from '@tallyroom/contract/desk/common-logs'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../lib/queries.ts'
import { useMe } from '../lib/session.ts'
import { Instant } from '../ui/text/Instant.tsx'
import { WithDays } from '../ui/text/WithDays.tsx'
import classes from './LastChanges.module.css'

/** Maximum changes to list. The others are in the common logs. */
const MOST = 5

/**
 * Who last changed an object that has no page of its own, and what. For viewers who may read the
 * common logs.
 */
export function LastChanges({ object }: { object: ObjectRef }) {
  const mayRead = can(useMe(), commonLogsEndpoints.searchCommonLogs.ability)
  const body = { object, page: 1, pageSize: MOST, sortField: 'date', sortAsc: false } as const
  const { data } = useQuery({
    ...queryOf(commonLogsEndpoints.searchCommonLogs, { body }),
    enabled: mayRead,
    // The page is complete without it.
    meta: { ownErrors: true },
  })
  if (!data || data.items.length === 0) return null
  return (
    <section className={classes.changes} aria-labelledby="last-changes">
      <h2 id="last-changes">Last changes</h2>
      <ul>
        {data.items.map(({ id, sentence, date, username }) => (
          <li key={id}>
            <WithDays>{sentence}</WithDays>
            <div>
              <Instant at={date} />, {username}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
