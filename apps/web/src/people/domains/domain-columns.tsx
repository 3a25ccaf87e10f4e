import type { PreferredDomainItem } from '@tallyroom/contract/people/domains'
import { domainStatusLabel } from '@tallyroom/domain/labels'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EditLink } from '../../ui/list/EditLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { Fragment } from 'react'
import { domainActionOf } from './domain-actions.ts'
import classes from './domain-columns.module.css'
import { actionsColumn } from '../../ui/list/plain-columns.tsx'

export const domainColumns = (
  onToggle: (domain: PreferredDomainItem) => void,
): ListColumn<PreferredDomainItem>[] => [
  {
    id: 'domain',
    header: 'Preferred Domain',
    card: 'title',
    sortField: 'domain',
    fixed: true,
    cell: ({ domain }) => (
      <span className={classes.domain}>
        <span>
          {domain.split(/(?=\.)/).map((part, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity
            <Fragment key={place}>
              {place > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
        </span>
        <CopyButton value={domain} what="domain" />
      </span>
    ),
    csv: ({ domain }) => domain,
  },
  {
    id: 'status',
    header: 'Status',
    card: 'title',
    sortField: 'status',
    cell: ({ hidden }) => (
      <span className={classes.status} data-hidden={hidden || undefined}>
        {domainStatusLabel(hidden)}
      </span>
    ),
    csv: ({ hidden }) => domainStatusLabel(hidden),
  },
  {
    id: 'offices',
    header: 'Offices',
    cell: ({ companies }) => <div className={classes.words}>{companies.join(', ')}</div>,
    csv: ({ companies }) => companies.join(', '),
  },
  {
    id: 'note',
    header: 'Note',
    sortField: 'description',
    cell: ({ description }) => <div className={classes.words}>{description}</div>,
    csv: ({ description }) => description,
  },
  actionsColumn(52, (domain) => {
    const { label } = domainActionOf(domain)
    return (
      <>
        <EditLink
          to="/app/offices/domains/$id"
          params={{ id: String(domain.id) }}
          aria-label={`Edit ${domain.domain}`}
        />
        <RowIcon
          icon={domain.hidden ? IconEye : IconEyeOff}
          label={`${label} ${domain.domain}`}
          tooltip={label}
          onClick={() => onToggle(domain)}
        />
      </>
    )
  }),
]
