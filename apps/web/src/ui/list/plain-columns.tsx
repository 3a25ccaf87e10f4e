import { formatClock, formatDateTime } from '@tallyroom/domain/new-york'
import { statusLabel, type Visibility } from '@tallyroom/domain/labels'
import { Instant, InstantDay } from '../text/Instant.tsx'
import type { ReactNode } from 'react'
import { AgentLink, OfficeLink } from '../ObjectLink.tsx'
import { ACTIONS, type ListColumn } from './columns.ts'
import classes from './plain-columns.module.css'
import { StatusText } from '../text/StatusText.tsx'

/** What a column has beside its field. */
export type ColumnLook = Omit<ListColumn<never>, 'id' | 'header' | 'cell' | 'csv'>

/** A field as it is, on screen and in the CSV. */
export const textColumn = <Field extends string>(
  id: Field,
  header: string,
  look: ColumnLook = {},
): ListColumn<{ [Name in Field]?: string | null | undefined }> => ({
  id,
  header,
  cell: (row) => row[id],
  csv: (row) => row[id],
  ...look,
})

/**
 * A time. The CSV has it in New York, which its header says.
 * @param format of the CSV
 */
export const instantColumn = <Field extends string>(
  id: Field,
  header: string,
  look: ColumnLook = {},
  format = formatClock,
): ListColumn<{ [Name in Field]: string }> => ({
  id,
  header,
  cell: (row) => <Instant at={row[id]} />,
  csv: [{ header: `${header} (New York)`, value: (row) => format(new Date(row[id])) }],
  ...look,
})

/** The day of a time, which its tooltip and the CSV have whole. */
export const dayColumn = <Field extends string>(
  id: Field,
  header: string,
  look: ColumnLook = {},
): ListColumn<{ [Name in Field]: string }> => ({
  ...instantColumn(id, header, look, formatDateTime),
  cell: (row) => <InstantDay at={row[id]} />,
})

/** The office of a row, linked to its page. */
export const officeColumn = (
  look: ColumnLook = {},
): ListColumn<{ companyId: number; officeName: string }> => ({
  id: 'officeName',
  header: 'Office',
  cell: ({ companyId, officeName }) => <OfficeLink id={companyId}>{officeName}</OfficeLink>,
  csv: ({ officeName }) => officeName,
  ...look,
})

/** The agent of a row, linked to their page. The field has their username. */
export const agentColumn = <Field extends string>(
  field: Field,
  look: ColumnLook = {},
): ListColumn<{ agentId: number } & { [Name in Field]: string }> => ({
  id: field,
  header: 'Agent',
  card: 'title',
  cell: (row) => <AgentLink id={row.agentId}>{row[field]}</AgentLink>,
  csv: (row) => row[field],
  ...look,
})

/** Whether a row is active, hidden, or both. */
export const statusColumn: ListColumn<Visibility> = {
  id: 'status',
  header: 'Status',
  card: 'title',
  sortField: 'status',
  cell: (row) => <StatusText status={row} />,
  csv: statusLabel,
}

/** What can be done with a row: an edit link, icons, a menu. @param skeletonWidth in pixels */
export const actionsColumn = <Row,>(
  skeletonWidth: number,
  cell: (row: Row, index: number) => ReactNode,
): ListColumn<Row> => ({
  id: ACTIONS,
  header: 'Actions',
  fixed: true,
  skeletonWidth,
  cell: (row, index) => <div className={classes.actions}>{cell(row, index)}</div>,
})
