import { Button } from '@mantine/core'
import { DEFAULT_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import classes from './ListPagination.module.css'
import { Select } from '../Select.tsx'

interface ListPaginationProps {
  /** Its name for screen readers, if a page has more than one. */
  label?: string
  page: number
  pageSize: number
  total: number
  /** There are more rows than `total`, but they can't be paged to. */
  totalIsMore?: boolean
  /** Shown after the number of rows: what the list leaves out. */
  note?: string | undefined
  onPage: (page: number) => void
  onPageSize?: ((pageSize: number) => void) | undefined
}

const PAGE_SIZES = [25, 50, 100, 200, 500]

/**
 * The number of rows; Prev, Next and 'N of M', also by Ctrl+Left and Ctrl+Right, if there is more than one page. Renders
 * nothing if there are no rows.
 */
export function ListPagination(props: ListPaginationProps) {
  const {
    note,
    label = 'Pages',
    page,
    pageSize,
    total,
    totalIsMore = false,
    onPage,
    onPageSize,
  } = props
  const pages = Math.ceil(total / pageSize)
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!event.ctrlKey || event.altKey || event.shiftKey || isTyping(event.target)) return
      if (isInOtherDialog(event.target, bar.current)) return
      const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
      // From a page past the end, go to the last one.
      const target = Math.min(page + step, pages)
      if (step === 0 || target < 1 || target === page) return
      event.preventDefault()
      onPage(target)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [page, pages, onPage])

  if (total === 0) return null
  return (
    <nav ref={bar} className={classes.bar} aria-label={label}>
      <span className={classes.count}>
        {total.toLocaleString('en-US')}
        {totalIsMore && '+'} {total === 1 ? 'row' : 'rows'}
        {note && `, ${note}`}
      </span>
      {onPageSize && total > Math.min(pageSize, DEFAULT_PAGE_SIZE) && (
        <Select
          size="xs"
          w={116}
          aria-label="Rows per page"
          data={pageSizeOptions(pageSize)}
          value={pageSize}
          onChange={(next) => next !== null && onPageSize(next)}
        />
      )}
      {(pages > 1 || page > 1) && (
        <>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconChevronLeft size={14} />}
            disabled={page <= 1}
            onClick={() => onPage(Math.min(page - 1, pages))}
            title="Ctrl+Left"
          >
            Prev
          </Button>
          <span aria-live="polite" className={classes.position}>
            {page} of {pages}
            {totalIsMore && '+'}
          </span>
          <Button
            variant="default"
            size="xs"
            rightSection={<IconChevronRight size={14} />}
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
            title="Ctrl+Right"
          >
            Next
          </Button>
        </>
      )}
    </nav>
  )
}

/** The usual sizes, plus the one in the URL if it differs. */
const pageSizeOptions = (current: number) =>
  [...new Set([...PAGE_SIZES, current])]
    .toSorted((a, b) => a - b)
    .map((size) => ({ value: size, label: `${size} / page` }))

/** In text fields, Ctrl+Left and Ctrl+Right move by words. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** While a dialog is open above a list, the keys must page the list inside the dialog. */
const isInOtherDialog = (target: EventTarget | null, bar: HTMLElement | null) => {
  const dialog = target instanceof HTMLElement ? target.closest('[role="dialog"]') : null
  return dialog !== null && bar !== null && !dialog.contains(bar)
}
