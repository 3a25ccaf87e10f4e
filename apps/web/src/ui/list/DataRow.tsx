import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ListColumn } from './columns.ts'
import classes from './DataTable.module.css'

interface DataRowProps<Row> {
  columns: readonly ListColumn<Row>[]
  row: Row
  /** Its position on the page, from 0. */
  index: number
  /** Its number in the list, if rows are numbered. */
  number: number | undefined
  tone: 'good' | 'bad' | undefined
  /** Shown below the row, across all columns. */
  detail: ReactNode
  /** The number of cells per row. */
  width: number
  isSelected: boolean
  /** Undefined if rows can't be selected. */
  onSelect: ((isSelected: boolean) => void) | undefined
}

/** A table row with its expanded detail. */
export function DataRow<Row>(props: DataRowProps<Row>) {
  const { columns, row, index, number, detail, isSelected, onSelect } = props
  return (
    <>
      <tr data-selected={isSelected || undefined} data-tone={props.tone}>
        {onSelect && (
          <td className={classes.check}>
            <Checkbox
              size="xs"
              aria-label={`Select row ${index + 1}`}
              checked={isSelected}
              onChange={(event) => onSelect(event.currentTarget.checked)}
            />
          </td>
        )}
        {number !== undefined && <td className={classes.number}>{number}</td>}
        {columns.map((column, position) => (
          <td
            key={column.id}
            data-numeric={column.numeric || undefined}
            data-pinned={position === 0 || undefined}
          >
            {roomFor(column.cell(row, index))}
          </td>
        ))}
      </tr>
      {detail ? (
        <tr className={classes.detailRow}>
          <td colSpan={props.width}>
            <div className={classes.detail}>{detail}</div>
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** Text longer than any figure or date may be a name, which must wrap so that it can't stretch the table. */
const SHORT = 24

const roomFor = (content: ReactNode) =>
  typeof content === 'object' || (typeof content === 'string' && content.length > SHORT) ? (
    <div className={classes.words}>{content}</div>
  ) : (
    content
  )
