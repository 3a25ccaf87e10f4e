import type { LoginLogItem } from '@tallyroom/contract/desk/login-logs'
import { formatClock } from '@tallyroom/domain/new-york'
import { Instant } from '../../ui/text/Instant.tsx'
import { IpLink } from '../../shared/IpLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { instantColumn } from '../../ui/list/plain-columns.tsx'
import { AccountLink } from '../../ui/ObjectLink.tsx'
import classes from './login-log-columns.module.css'

interface LoginLogView {
  /** A flag of the brand. */
  showIp: boolean
  /** The tab of one agent, whose name need not stand in every row. */
  ofOneAgent: boolean
}

export const loginLogColumns = ({
  showIp,
  ofOneAgent,
}: LoginLogView): ListColumn<LoginLogItem>[] => [
  ...(ofOneAgent ? [] : [usernameColumn]),
  ...(showIp
    ? [
        {
          id: 'ip',
          header: 'IP',
          sortField: 'ip',
          cell: ({ ip }: LoginLogItem) => ip !== undefined && <IpLink ip={ip} />,
          csv: ({ ip }: LoginLogItem) => ip,
        },
      ]
    : []),
  instantColumn('inTime', 'Login', {
    card: 'title',
    sortField: 'inTime',
    ...(ofOneAgent && { fixed: true }),
  }),
  {
    id: 'outTime',
    header: 'Logout',
    sortField: 'outTime',
    cell: ({ outTime }) =>
      outTime === null ? (
        <span className={classes.aside}>signed in</span>
      ) : (
        <Instant at={outTime} />
      ),
    csv: [
      {
        header: 'Logout (New York)',
        value: ({ outTime }) => outTime && formatClock(new Date(outTime)),
      },
    ],
  },
  ...(ofOneAgent
    ? [
        {
          id: 'signedInBy',
          header: 'Signed in by',
          card: 'title' as const,
          cell: ({ signedInBy }: LoginLogItem) => signedInBy,
        },
      ]
    : []),
]

const usernameColumn: ListColumn<LoginLogItem> = {
  id: 'username',
  header: 'Username',
  card: 'title',
  sortField: 'username',
  fixed: true,
  cell: ({ username, agentId, companyId, signedInBy }) => (
    <>
      <AccountLink agentId={agentId} companyId={companyId}>
        {username}
      </AccountLink>
      {signedInBy !== null && <span className={classes.aside}> by {signedInBy}</span>}
    </>
  ),
  csv: [
    { header: 'Username', value: ({ username }) => username },
    { header: 'Signed in by', value: ({ signedInBy }) => signedInBy },
  ],
}
