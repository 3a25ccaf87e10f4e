import type { ListColumn } from '../ui/list/columns.ts'
import type { ColumnLook } from '../ui/list/plain-columns.tsx'
import { SiteLink } from './SiteLink.tsx'

/** The site of a row, linked to its page. */
export const siteColumn = (
  look: ColumnLook = {},
): ListColumn<{ siteId: number; sitename: string }> => ({
  id: 'sitename',
  header: 'Site',
  card: 'title',
  cell: ({ siteId, sitename }) => <SiteLink id={siteId}>{sitename}</SiteLink>,
  csv: ({ sitename }) => sitename,
  ...look,
})
