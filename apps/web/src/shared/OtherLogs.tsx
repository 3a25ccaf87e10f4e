import { findEndpoints, type LogName, SHORTEST_FIND } from '@tallyroom/contract/desk/find'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../lib/queries.ts'
import { LinkText } from '../ui/links.tsx'
import { logPlace, placeOf } from './found.ts'
import type { LogCriteria } from './log-criteria.ts'
import classes from './OtherLogs.module.css'
import { OPTIONS_STALE_MS } from './pickers/picker.ts'

interface OtherLogsProps {
  /** The log in which nothing matches. */
  empty: LogName
  criteria: LogCriteria
  /** The order number, address or click id that was searched for. */
  text?: string | undefined
}

/** In an empty log: what its absence means, and where else there is something. */
export default function OtherLogs({ empty, criteria, text }: OtherLogsProps) {
  const { companyId, agentId, siteId, start, end } = criteria
  const shared = { companyId, agentId, siteId, start, end }
  const freshness = { staleTime: OPTIONS_STALE_MS }
  const wanted = text?.trim().slice(0, 128) ?? ''
  const found = useQuery({
    ...queryOf(findEndpoints.find, { body: { text: wanted } }, freshness),
    enabled: wanted.length >= SHORTEST_FIND,
  })
  const logs = useQuery(queryOf(findEndpoints.otherLogs, { body: { empty, ...shared } }, freshness))
  // A number is looked for everywhere, whatever the day. What other logs hold of the day has nothing to do with it.
  const others = wanted === '' ? (logs.data?.others ?? []) : []
  const onAnyDay = wanted === '' ? (logs.data?.onAnyDay ?? 0) : 0
  const links = [
    ...(found.data?.items.slice(0, MOST_LINKS) ?? []).map(({ kind, id, label, detail }) => ({
      key: `${kind} ${id} ${label}`,
      place: placeOf({ kind, id }),
      name: label,
      detail,
    })),
    ...(onAnyDay > 0
      ? [
          {
            key: 'any day',
            place: logPlace(empty, { ...shared, start: undefined, end: undefined }),
            name: `${logNames[empty]} on any day`,
            detail: formatCount(onAnyDay),
          },
        ]
      : []),
    ...others.map(({ log, total }) => ({
      key: log,
      place: logPlace(log, shared),
      name: logNames[log],
      detail: formatCount(total),
    })),
  ]
  return (
    <div className={classes.others} role="status">
      {found.data?.meaning && <p className={classes.meaning}>{found.data.meaning}</p>}
      {links.length > 0 && (
        <ul className={classes.links} aria-label="Elsewhere">
          {links.map(({ key, place, name, detail }) => (
            <li key={key}>
              <LinkText {...place}>
                <bdi>{name}</bdi>
              </LinkText>{' '}
              <span>{detail}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const MOST_LINKS = 5

const logNames: Record<LogName, string> = {
  sales: 'Sale Logs',
  clicks: 'Click Outs',
  chats: 'Chat Logs',
  postbacks: 'Postbacks',
}
