import { formatClock } from '@tallyroom/domain/new-york'
import { Instant } from '../Instant.tsx'
import type { ListColumn } from './columns.ts'

type Look = Omit<ListColumn<never>, 'id' | 'header' | 'cell' | 'csv'>

/** A field as it is, on screen and in the CSV. */
export const textColumn = <Field extends string>(
  id: Field,
  header: string,
  look: Look = {},
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
  look: Look = {},
  format = formatClock,
): ListColumn<{ [Name in Field]: string }> => ({
  id,
  header,
  cell: (row) => <Instant at={row[id]} />,
  csv: [{ header: `${header} (New York)`, value: (row) => format(new Date(row[id])) }],
  ...look,
})
