import { Button } from '@mantine/core'
import { MAX_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import { csvText, type CsvValue } from '@tallyroom/domain/csv'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../toasts.tsx'
import { download } from '../../lib/download.ts'
import { csvColumnsOf, type ListColumn } from '../list/columns.ts'

export interface ListToExport<Row> {
  /** Without the extension: 'sites-statistics-2026-11-01'. */
  fileName: string
  /** All columns of the list, whichever of them are shown. */
  columns: readonly ListColumn<Row>[]
  /** Fetches a page with the criteria and sort of the list. */
  fetchPage: (page: {
    page: number
    pageSize: number
  }) => Promise<{ items: readonly Row[]; total: number }>
}

type ExportCsvProps<Row> = ListToExport<Row> & {
  disabled?: boolean
  /** The maximum number of rows, for very long lists. The user is told if the file is truncated. */
  most?: number
}

/** Downloads the whole result of a list, not just one page, and shows the progress. */
export function ExportCsv<Row>(props: ExportCsvProps<Row>) {
  const { fileName, disabled, most = Infinity } = props
  const [progress, setProgress] = useState(0)
  const run = useMutation({
    mutationFn: async () => {
      const { lines, total, isCut } = await linesOf(props, {
        most,
        onRows: (rows, of) =>
          setProgress(Math.round((100 * rows) / Math.max(1, Math.min(of, most)))),
      })
      if (isCut) tellThatItIsCut(lines.length - 1, total)
      download(`${fileName}.csv`, csvText(lines))
    },
    onSettled: () => setProgress(0),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={14} />}
      disabled={disabled || run.isPending}
      aria-busy={run.isPending}
      onClick={() => run.mutate()}
    >
      {run.isPending ? `Exporting ${progress}%` : 'Export CSV'}
    </Button>
  )
}

const tellThatItIsCut = (rows: number, total: number) =>
  toast({
    kind: 'error',
    heading: 'File truncated',
    body: `It contains the first ${rows.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} rows. Narrow the search to get the others.`,
  })

/**
 * The headings and the whole result of a list, not just one page.
 *
 * @param most the maximum number of rows, for very long lists
 * @param onRows called with how many rows there are so far, and of how many
 */
export async function linesOf<Row>(
  { columns, fetchPage }: ListToExport<Row>,
  {
    most = Infinity,
    onRows = () => {},
  }: { most?: number; onRows?: (rows: number, total: number) => void } = {},
): Promise<{ lines: CsvValue[][]; total: number; isCut: boolean }> {
  const shown = csvColumnsOf(columns)
  const lines: CsvValue[][] = [shown.map(({ header }) => header)]
  for (let page = 1; ; page++) {
    const { items, total } = await fetchPage({ page, pageSize: MAX_PAGE_SIZE })
    lines.push(...items.map((row) => shown.map(({ value }) => value(row))))
    onRows(lines.length - 1, total)
    const isWhole = items.length < MAX_PAGE_SIZE || lines.length > total
    if (isWhole || lines.length > most) return { lines, total, isCut: !isWhole }
  }
}
