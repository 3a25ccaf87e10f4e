import { type OfficeItem, officesEndpoints } from '@tallyroom/contract/people/offices'
import type { SellerDays } from '@tallyroom/contract/people/sellers'
import { formatCount } from '@tallyroom/domain/money'
import { call } from '../../lib/call.ts'
import { nameInPath } from '../../lib/pages/name-in-path.ts'
import { sellerColumns } from '../../shared/sellers/seller-columns.tsx'
import { LinkText } from '../../ui/links.tsx'
import { EditLink } from '../../ui/list/EditLink.tsx'
import { ACTIONS, type ListColumn } from '../../ui/list/columns.ts'
import {
  dayColumn,
  officeColumn,
  textColumn,
  actionsColumn,
  statusColumn,
} from '../../ui/list/plain-columns.tsx'
import { StatusWithNotes } from '../../ui/text/StatusNote.tsx'
import { InvitationNote } from '../invitations/InvitationNote.tsx'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { type OfficeAction, officeMenu } from './office-actions.ts'
import { passwordColumns } from '../../ui/list/password-columns.tsx'

interface OfficeColumnsInput {
  rows: readonly OfficeItem[] | undefined
  onAction: (action: OfficeAction, office: OfficeItem) => void
  /** Undefined for viewers who may not. */
  onSignInAs: ((office: OfficeItem) => void) | undefined
  refresh: () => Promise<unknown>
}

export const officeColumns = ({
  rows,
  onAction,
  onSignInAs,
  refresh,
}: OfficeColumnsInput): ListColumn<OfficeItem>[] => [
  officeColumn({ card: 'title', sortField: 'officeName', fixed: true }),
  {
    id: 'agentsCount',
    header: 'Agents',
    card: 'money',
    sortField: 'agentsCount',
    numeric: true,
    cell: ({ companyId, agentsCount, officeName }) => (
      <LinkText
        to="/app/agents"
        search={{ companyId }}
        aria-label={`${formatCount(agentsCount)} agents of ${officeName}`}
      >
        {formatCount(agentsCount)}
      </LinkText>
    ),
    csv: ({ agentsCount }) => agentsCount,
  },
  {
    id: 'sitesCount',
    header: 'Sites',
    sortField: 'sitesCount',
    numeric: true,
    cell: ({ companyId, sitesCount, officeName }) => (
      <LinkText
        to="/app/offices/$companyId/$officeName/sites"
        params={{ companyId: String(companyId), officeName: nameInPath(officeName) }}
        aria-label={`${formatCount(sitesCount)} sites of ${officeName}`}
      >
        {formatCount(sitesCount)}
      </LinkText>
    ),
    csv: ({ sitesCount }) => sitesCount,
  },
  textColumn('username', 'Username', { card: 'title', sortField: 'username' }),
  ...passwordColumns(rows, ({ companyId }) =>
    call(officesEndpoints.officePassword, { params: { id: String(companyId) } }),
  ),
  textColumn('preferredDomain', 'Preferred Domain', { sortField: 'preferredDomain' }),
  {
    ...statusColumn,
    cell: (office) => (
      <StatusWithNotes status={office}>
        <InvitationNote {...office} />
      </StatusWithNotes>
    ),
  },
  dayColumn('regTime', 'Registered', { sortField: 'regTime' }),
  actionsColumn(48, (office) => (
    <>
      <EditLink
        to="/app/offices/edit/$companyId"
        params={{ companyId: String(office.companyId) }}
        aria-label={`Edit ${office.officeName}`}
      />
      <RowMenu
        of={office.officeName}
        actions={officeMenu(office, {
          onAction: (action) => onAction(action, office),
          onSignInAs: onSignInAs && (() => onSignInAs(office)),
          refresh,
        })}
      />
    </>
  )),
]

/** The columns of sellers: which office, how many agents, what they sold, and how it stands. */
export const sellersAmong = (
  columns: readonly ListColumn<OfficeItem>[],
  days: SellerDays | undefined,
): ListColumn<OfficeItem>[] => [
  ...columns.filter(({ id }) => id === 'officeName'),
  // On a card, what it sold stands at the edge.
  ...columns
    .filter(({ id }) => id === 'agentsCount')
    .map((column) => ({ ...column, card: 'detail' as const })),
  ...sellerColumns<OfficeItem>({
    days,
    sellerOf: ({ companyId, officeName }) => ({ name: officeName, stats: { companyId } }),
  }),
  ...columns.filter(({ id }) => id === 'status' || id === ACTIONS),
]
