import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../lib/session.ts'
import { LinkText } from '../ui/links.tsx'
import type { ObjectLinkProps } from '../ui/ObjectLink.tsx'
import { offeredSitesQuery } from './pickers/offered-sites.ts'

/** A site's name, linked to its page for staff, and for offices and agents who may sell it. */
export function SiteLink({ id, children }: ObjectLinkProps) {
  const isStaff = can(useMe(), 'sites.view')
  const offered = useQuery({ ...offeredSitesQuery(true), enabled: !isStaff })
  if (!isStaff && !offered.data?.some((site) => site.id === id)) return children
  return (
    <LinkText to="/app/sites/$siteId" params={{ siteId: String(id) }}>
      {children}
    </LinkText>
  )
}
