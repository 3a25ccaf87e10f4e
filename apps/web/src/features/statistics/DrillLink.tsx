import type { ReactNode } from 'react'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { LinkText } from '../../ui/links.tsx'

interface DrillLinkProps {
  /** Undefined: the cell leads nowhere new, and is no link. */
  search: object | undefined
  tooltip?: string | undefined
  children: ReactNode
}

/** A cell that drills within its report: a real link, so that a middle click opens a new tab. */
export function DrillLink({ search, tooltip, children }: DrillLinkProps) {
  const cell = search ? (
    <LinkText to="." search={search}>
      {children}
    </LinkText>
  ) : (
    <span>{children}</span>
  )
  return tooltip ? (
    <Tooltip label={tooltip} withArrow>
      {cell}
    </Tooltip>
  ) : (
    cell
  )
}
