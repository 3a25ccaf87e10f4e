import type { CommonLogItem } from '@tallyroom/contract/desk/common-logs'
import { roleLabel } from '@tallyroom/domain/roles'
import { Instant } from '../../ui/text/Instant.tsx'
import { IpLink } from '../../shared/IpLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { RowToggle } from '../../ui/list/RowToggle.tsx'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
import classes from './common-logs.module.css'
import { paramsKey, type ParamsKind } from './opened-params.ts'
import { Sentence } from './Sentence.tsx'

interface CommonLogColumnsInput {
  /** Reads too: the specification’s log, with its columns first. */
  ofAll: boolean
  /** Keys of `paramsKey`. */
  opened: ReadonlySet<string>
  onToggle: (key: string) => void
  openedChanges: ReadonlySet<number>
  onToggleChanges: (id: number) => void
}

export const commonLogColumns = ({
  ofAll,
  opened,
  onToggle,
  openedChanges,
  onToggleChanges,
}: CommonLogColumnsInput): ListColumn<CommonLogItem>[] => {
  const paramsColumn = (kind: ParamsKind, header: string): ListColumn<CommonLogItem> => ({
    id: kind,
    header,
    cell: (entry) => (
      <ParamsToggle
        text={entry[kind]}
        label={`${header} of entry ${entry.id}`}
        opened={opened.has(paramsKey(entry, kind))}
        onToggle={() => onToggle(paramsKey(entry, kind))}
      />
    ),
  })
  return [
    {
      id: 'sentence',
      header: 'What happened',
      card: 'title',
      fixed: true,
      behind: ofAll,
      cell: (entry) => (
        <Sentence
          entry={entry}
          inLine={ofAll}
          opened={openedChanges.has(entry.id)}
          onToggle={() => onToggleChanges(entry.id)}
        />
      ),
    },
    {
      id: 'role',
      header: 'Role',
      cell: ({ role }) => (role === null ? '–' : roleLabel(role)),
    },
    {
      id: 'date',
      header: 'Date',
      card: 'title',
      sortField: 'date',
      cell: ({ date }) => <Instant at={date} />,
    },
    {
      id: 'username',
      header: 'Auth User Name',
      card: 'title',
      sortField: 'username',
      note: 'The person who signed in, or whose API token was used',
      cell: ({ username, tokenName }) => byToken(username, tokenName),
    },
    { id: 'ip', header: 'IP', sortField: 'ip', cell: ({ ip }) => <IpLink ip={ip} /> },
    {
      id: 'accountName',
      header: 'Account Name',
      note: 'The account used; differs after Sign in as',
      cell: ({ accountName }) => accountName,
    },
    {
      id: 'agentName',
      header: 'Agent Name',
      cell: ({ agentId, agentName }) =>
        agentId === null ? agentName : <AgentLink id={agentId}>{agentName}</AgentLink>,
    },
    {
      id: 'officeName',
      header: 'Office Name',
      cell: ({ companyId, officeName }) =>
        companyId === null ? officeName : <OfficeLink id={companyId}>{officeName}</OfficeLink>,
    },
    { id: 'actionType', header: 'Type', cell: ({ actionType }) => actionType },
    {
      id: 'actionName',
      header: 'Method Path',
      card: 'detail',
      cell: ({ actionName }) => (
        <code className={classes.path} title={actionName}>
          {actionName}
        </code>
      ),
    },
    {
      id: 'responseCode',
      header: 'Response Code',
      card: 'detail',
      numeric: true,
      cell: ({ responseCode }) => (
        <span className={classes.code} data-refused={responseCode >= 400 || undefined}>
          {responseCode}
        </span>
      ),
    },
    paramsColumn('postParams', 'Post Params'),
    paramsColumn('getParams', 'Get Params'),
  ]
}

/** `maria (token My tracker)`. */
export const byToken = (username: string, tokenName: string | null): string =>
  tokenName === null ? username : `${username} (token ${tokenName})`

interface ParamsToggleProps {
  /** JSON text. */
  text: string
  label: string
  opened: boolean
  onToggle: () => void
}

/** The beginning of the parameters. A click expands them below the row. */
function ParamsToggle({ text, label, opened, onToggle }: ParamsToggleProps) {
  if (text === '{}' || text === '') return '–'
  return (
    <RowToggle label={label} opened={opened} onToggle={onToggle} maxWidth={64}>
      <code className={classes.params}>{text}</code>
    </RowToggle>
  )
}
