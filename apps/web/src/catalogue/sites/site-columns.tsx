import type { SiteItem } from '@tallyroom/contract/catalogue/sites'
import { formatCount } from '@tallyroom/domain/money'
import { LinkText } from '../../ui/links.tsx'
import { EditLink } from '../../ui/list/EditLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { textColumn, actionsColumn, statusColumn } from '../../ui/list/plain-columns.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { SiteLink } from '../../shared/SiteLink.tsx'
import { type SiteAction, siteMenu } from './site-actions.tsx'

interface SiteColumnsInput {
  /** Undefined for viewers who may not change sites. */
  onAction: ((action: SiteAction, site: SiteItem) => void) | undefined
}

export const siteColumns = ({ onAction }: SiteColumnsInput): ListColumn<SiteItem>[] => [
  {
    id: 'sitename',
    header: 'Site Name',
    card: 'title',
    sortField: 'sitename',
    fixed: true,
    cell: ({ id, sitename }) => <SiteLink id={id}>{sitename}</SiteLink>,
    csv: [
      { header: 'Site Name', value: ({ sitename }) => sitename },
      { header: 'Short Name', value: ({ shortname }) => shortname },
      { header: 'Abbreviation', value: ({ abbr }) => abbr },
      { header: 'URL', value: ({ url }) => url },
    ],
  },
  textColumn('type', 'Site Type', { card: 'title', sortField: 'type' }),
  {
    id: 'typeCount',
    header: 'Links',
    numeric: true,
    cell: ({ id, sitename, typeCount }) => (
      <LinkText
        to="/app/sites/$siteId/types"
        params={{ siteId: String(id) }}
        aria-label={`${formatCount(typeCount)} links of ${sitename}`}
      >
        {formatCount(typeCount)}
      </LinkText>
    ),
    csv: ({ typeCount }) => typeCount,
  },
  {
    id: 'useApproveSale',
    header: 'Approve Sale',
    cell: ({ useApproveSale }) => (useApproveSale ? 'Yes' : 'No'),
    csv: ({ useApproveSale }) => (useApproveSale ? 'yes' : 'no'),
  },
  statusColumn,
  ...(onAction
    ? [
        actionsColumn(48, (site: SiteItem) => (
          <>
            <EditLink
              to="/app/sites/edit/$id"
              params={{ id: String(site.id) }}
              aria-label={`Edit ${site.sitename}`}
            />
            <RowMenu
              of={site.sitename}
              actions={siteMenu(site, (action) => onAction(action, site))}
            />
          </>
        )),
      ]
    : []),
]
