import { Checkbox } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useIsPhone } from '../../lib/phone.ts'
import { scrollerOf } from '../../lib/pages/scroller.ts'
import CardList from '../cards/CardList.tsx'
import { ACTIONS, type ListColumn, type Sort, tableOrder, type TotalsRow } from './columns.ts'
import classes from './DataTable.module.css'
import { HeaderCell } from './HeaderCell.tsx'
import { ListFailure, type ListFailureProps } from './ListFailure.tsx'
import { MessageRow, SkeletonRows } from './PlaceholderRows.tsx'

export interface DataTableProps<Row> {
  /** Its name for screen readers. */
  caption: string
  columns: readonly ListColumn<Row>[]
  /** Undefined before the first answer. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  empty: ReactNode
  /** The rows shown belong to an earlier request. */
  stale?: boolean
  /** The query of the rows. Its error is shown in their place. */
  failure?: ListFailureProps
  hiddenColumns?: ReadonlySet<string>
  sort?: Sort | undefined
  onSort?: (field: string) => void
  selected?: ReadonlySet<string> | undefined
  onSelect?: ((keys: ReadonlySet<string>) => void) | undefined
  totals?: readonly TotalsRow[] | undefined
  rowTone?: ((row: Row) => 'good' | 'bad' | undefined) | undefined
  /** Shown below the row, across all columns. */
  rowDetail?: ((row: Row) => ReactNode) | undefined
  /** Numbers the rows, starting with this number. */
  firstNumber?: number | undefined
  /** Smaller type and tighter rows, for wide tables on paper. */
  shrunk?: boolean
}

const NO_KEYS: ReadonlySet<string> = new Set()

/** The rows of every list and report: a table, or cards on a phone. The print version is always a table. */
export function DataTable<Row extends object>({
  columns,
  hiddenColumns = NO_KEYS,
  ...props
}: DataTableProps<Row>) {
  const asCards = useIsPhone()
  const shown = columns.filter(({ id, fixed }) => fixed || !hiddenColumns.has(id))
  return asCards && !props.shrunk ? (
    <CardList {...props} columns={shown} />
  ) : (
    <WideTable {...props} columns={tableOrder(shown)} />
  )
}

/**
 * The page scrolls, in both directions if the table is wider: the headings and the last row of totals stay in view, and
 * so do the first column and the one of actions. A table that is only a part of its page scrolls sideways within its frame.
 */
function WideTable<Row extends object>(props: Omit<DataTableProps<Row>, 'hiddenColumns'>) {
  const { columns: shown, rows, rowKey, selected = NO_KEYS, onSelect, totals } = props
  const selectable = onSelect !== undefined
  const numbered = props.firstNumber !== undefined
  const frame = useWidth()
  const width = shown.length + Number(selectable) + Number(numbered)
  const keys = rows?.map(rowKey) ?? []
  // There is nothing to head, and nothing to sort. The place is kept, so that nothing moves.
  const isMessage = rows === undefined ? Boolean(props.failure?.error) : rows.length === 0
  const chosen = keys.filter((key) => selected.has(key))
  const select = (key: string, isSelected: boolean) =>
    onSelect?.(new Set(isSelected ? [...chosen, key] : chosen.filter((other) => other !== key)))

  return (
    <div
      ref={frame}
      className={classes.scroller}
      data-shrunk={props.shrunk || undefined}
      role="region"
      aria-label={props.caption}
      aria-busy={rows === undefined || props.stale}
    >
      <table className={classes.table} data-stale={props.stale || undefined}>
        <thead data-hidden={isMessage || undefined}>
          <tr>
            {selectable && (
              <th className={classes.check}>
                <Checkbox
                  size="xs"
                  aria-label="Select all rows of the page"
                  disabled={keys.length === 0}
                  checked={keys.length > 0 && chosen.length === keys.length}
                  indeterminate={chosen.length > 0 && chosen.length < keys.length}
                  onChange={(event) => onSelect(new Set(event.currentTarget.checked ? keys : []))}
                />
              </th>
            )}
            {numbered && (
              <th scope="col" className={classes.number}>
                #
              </th>
            )}
            {shown.map((column, position) => (
              <HeaderCell
                key={column.id}
                column={column}
                pinned={position === 0}
                sort={props.sort}
                onSort={props.onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {props.failure?.error && rows === undefined ? (
            <MessageRow width={width}>
              <ListFailure {...props.failure} />
            </MessageRow>
          ) : rows === undefined ? (
            <SkeletonRows columns={shown} blanks={width - shown.length} />
          ) : rows.length === 0 ? (
            <MessageRow width={width}>{props.empty}</MessageRow>
          ) : (
            rows.map((row, index) => {
              const key = rowKey(row)
              return (
                <DataRow
                  key={key}
                  columns={shown}
                  row={row}
                  index={index}
                  number={props.firstNumber === undefined ? undefined : props.firstNumber + index}
                  tone={props.rowTone?.(row)}
                  detail={props.rowDetail?.(row)}
                  width={width}
                  isSelected={selected.has(key)}
                  onSelect={selectable ? (isSelected) => select(key, isSelected) : undefined}
                />
              )
            })
          )}
        </tbody>
        {totals && totals.length > 0 && rows && rows.length > 0 && (
          <tfoot>
            {totals.map((total) => (
              <tr key={total.id}>
                {selectable && <td className={classes.check} />}
                {numbered && <td className={classes.number} />}
                {shown.map((column, position) => (
                  <td
                    key={column.id}
                    data-numeric={column.numeric || undefined}
                    data-pinned={position === 0 || undefined}
                    data-actions={column.id === ACTIONS || undefined}
                  >
                    {total.cells[column.id] ?? (position === 0 ? total.label : null)}
                    {position === 0 && total.note && (
                      <div className={classes.note}>{total.note}</div>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tfoot>
        )}
      </table>
      <div className={classes.edge} aria-hidden />
    </div>
  )
}

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
function DataRow<Row>(props: DataRowProps<Row>) {
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
            data-actions={column.id === ACTIONS || undefined}
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

/**
 * Marks a frame with `data-wide` while its table is wider than the frame, and with `data-more` while the table goes on
 * beyond the right edge.
 */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const frame = ref.current
    const table = frame?.firstElementChild
    if (!frame || !table) return undefined
    const isPage = getComputedStyle(frame).getPropertyValue('--table-overflow') !== ''
    const scroller = (isPage && scrollerOf(frame)) || frame
    const mark = () => {
      const isWide = table.clientWidth > scroller.clientWidth
      const edge = scroller.getBoundingClientRect().left + scroller.clientWidth
      frame.toggleAttribute('data-wide', isWide)
      frame.toggleAttribute('data-more', table.getBoundingClientRect().right > edge + 1)
      // A frame that scrolls by itself takes focus, so that the keyboard can scroll it.
      if (isWide && scroller === frame) frame.tabIndex = 0
      else frame.removeAttribute('tabindex')
    }
    mark()
    const observer = new ResizeObserver(mark)
    for (const one of [frame, table, scroller]) observer.observe(one)
    scroller.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', mark)
    }
  }, [])
  return ref
}
