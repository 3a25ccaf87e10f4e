import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { failureText } from '../../lib/forms/form-errors.ts'
import { scrollerOf } from '../../lib/pages/scroller.ts'
import { BackButton, type WayBack } from '../links.tsx'
import type { ListColumn, TotalsRow } from './columns.ts'
import { DataTable } from './DataTable.tsx'
import type { ListPaging } from './list-state.ts'
import classes from './ListFrame.module.css'
import { ListPagination } from './ListPagination.tsx'
import { TableFrame, type TableFrameProps } from './TableFrame.tsx'

/** A query as the frame needs it: `useQuery` with `placeholderData: keepPreviousData`. */
export interface ListQuery<Row> {
  data: { items: readonly Row[]; total: number; totalIsMore?: boolean } | undefined
  error: Error | null
  isPlaceholderData: boolean
  refetch: () => unknown
}

interface ListFrameProps<Row extends object> extends TableFrameProps {
  /** Its name for screen readers, and the key under which hidden columns are stored: 'sites'. */
  name: string
  query: ListQuery<Row>
  list: ListPaging
  columns: readonly ListColumn<Row>[]
  rowKey: (row: Row) => string
  empty: ReactNode
  /** Makes rows selectable. Shown while any row is selected. `done` clears the selection. */
  bulkActions?: (keys: readonly string[], done: () => void) => ReactNode
  totals?: readonly TotalsRow[]
  rowTone?: (row: Row) => 'good' | 'bad' | undefined
  /** The detail of an expanded row, below it and across all columns. */
  rowDetail?: (row: Row) => ReactNode
  /** How many entries of the list the viewer can't see, shown after the number of rows. */
  leftOut?: string | undefined
  /** Numbers the rows, continuing across pages. */
  numbered?: boolean
  shrunk?: boolean
  /** Where to go if the list's parent record does not exist. */
  back?: WayBack
}

const NONE: ReadonlySet<string> = new Set()

/** The frame of every list: filters, actions, table, pages. Its state lives in the URL (`useListState`). */
export function ListFrame<Row extends object>(props: ListFrameProps<Row>) {
  const { name, query, list, columns, bulkActions } = props
  const [hidden, setHidden] = useHiddenColumns(name, columns)
  const [selected, setSelected] = useState(NONE)
  const rows = query.data?.items
  const back = props.back && isApiError(query.error, 'NOT_FOUND') && <BackButton {...props.back} />
  useLastPage(query, list)
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  useTopOfPage(frame, list.page)
  // Only rows on screen can be selected, so that nobody acts on rows they don't see.
  const onScreen = new Set(rows?.map(props.rowKey))
  const chosen = new Set([...selected].filter((key) => onScreen.has(key)))

  return (
    <TableFrame
      {...props}
      onFrame={setFrame}
      selection={
        bulkActions &&
        chosen.size > 0 && (
          <>
            <span>{chosen.size} selected</span>
            {bulkActions([...chosen], () => setSelected(NONE))}
          </>
        )
      }
      columns={{ columns, hidden, onChange: setHidden }}
    >
      {query.error && rows && (
        <div className={classes.outdated} role="alert">
          <span>These rows could not be updated. {failureText(query.error)}</span>
          <Button variant="default" size="xs" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      )}
      <DataTable
        caption={name}
        columns={columns}
        rows={rows}
        rowKey={props.rowKey}
        empty={query.data?.total ? 'Loading the last page…' : props.empty}
        stale={query.isPlaceholderData}
        failure={{ error: query.error, refetch: query.refetch, ...(back && { back }) }}
        hiddenColumns={hidden}
        sort={{ field: list.sortField, asc: list.sortAsc }}
        onSort={list.sortBy}
        selected={chosen}
        onSelect={bulkActions ? setSelected : undefined}
        totals={props.totals}
        rowTone={props.rowTone}
        rowDetail={props.rowDetail}
        firstNumber={props.numbered ? (list.page - 1) * list.pageSize + 1 : undefined}
        shrunk={props.shrunk ?? false}
      />
      <ListPagination
        page={list.page}
        pageSize={list.pageSize}
        total={query.data?.total ?? 0}
        totalIsMore={query.data?.totalIsMore ?? false}
        note={props.leftOut}
        onPage={list.goToPage}
        onPageSize={list.setPageSize}
      />
    </TableFrame>
  )
}

/** Goes to the last page if the URL names a later one, for example after rows were deleted. */
function useLastPage<Row>({ data, isPlaceholderData }: ListQuery<Row>, list: ListPaging) {
  const { page, pageSize, goToPage } = list
  const last = data && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / pageSize)) : page
  const isPast = page > last
  useEffect(() => {
    if (isPast) goToPage(last, { replace: true })
    // `goToPage` changes on every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isPast, last])
}

/** Another page of the list begins at its first row, if that was scrolled away. */
function useTopOfPage(frame: HTMLElement | null, page: number) {
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    const table = frame?.querySelector('[role="region"]')
    const top = scrollerOf(frame)?.getBoundingClientRect().top ?? 0
    if (table && table.getBoundingClientRect().top < top) table.scrollIntoView()
  }, [frame, page])
}

/**
 * The hidden columns of a list, stored in this browser under the list's name. By default, columns with
 * `hiddenAtFirst` are hidden.
 */
function useHiddenColumns(
  list: string,
  columns: readonly Pick<ListColumn<never>, 'id' | 'hiddenAtFirst'>[],
) {
  const key = `tallyroom.columns.${list}`
  const [hidden, setHidden] = useState(
    () =>
      recall(key) ??
      new Set(columns.flatMap(({ id, hiddenAtFirst }) => (hiddenAtFirst ? [id] : []))),
  )
  const change = (next: ReadonlySet<string>) => {
    setHidden(next)
    remember(key, next)
  }
  return [hidden, change] as const
}

function recall(key: string): ReadonlySet<string> | undefined {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(ids) ? new Set(ids.filter((id) => typeof id === 'string')) : undefined
  } catch {
    return undefined
  }
}

function remember(key: string, hidden: ReadonlySet<string>) {
  try {
    localStorage.setItem(key, JSON.stringify([...hidden]))
  } catch {
    // Without storage, the choice lasts until the page closes.
  }
}
