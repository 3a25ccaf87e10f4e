import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { VisuallyHidden } from '@mantine/core'
import classes from './UnapprovedBadge.module.css'
import { unapprovedCountQuery } from './approval.api.ts'

/** The number of agents who await approval. Renders nothing if there are none. */
export function UnapprovedBadge() {
  const count = useQuery(unapprovedCountQuery).data?.count ?? 0
  return (
    count > 0 && (
      <span className={classes.badge}>
        {formatCount(count)}
        {/* A number alone means nothing to a screen reader. */}
        <VisuallyHidden> waiting</VisuallyHidden>
      </span>
    )
  )
}
