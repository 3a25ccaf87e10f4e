import { MAX_PAGE_SIZE } from '@tallyroom/contract/list-choices'
import { Button } from '@mantine/core'
import { csvText, type CsvValue } from '@tallyroom/domain/csv'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../toasts.tsx'
import { download } from '../../lib/download.ts'
import { csvColumnsOf, type ListColumn } from './columns.ts'

interface ExportCsvProps<Row> {
  /** Without the extension: 'sites-statistics-2026-11-01'. */
  fileName: string
  /** All columns of the list, whichever of them are shown. */
  columns: readonly ListColumn<Row>[]
  /** Fetches a page with the criteria and sort of the list. */
  fetchPage: (page: {
    page: number
    pageSize: number
  }) => Promise<{ items: readonly Row[]; total: number }>
  disabled?: boolean
  /** The maximum number of rows, for very long lists. The user is told if the file is truncated. */
  most?: number
}

/** Downloads the whole result of a list, not just one page, and shows the progress. */
export function ExportCsv<Row>(props: ExportCsvProps<Row>) {
  const { fileName, fetchPage, disabled, most = Infinity } = props
  const [progress, setProgress] = useState(0)
  const run = useMutation({
    mutationFn: async () => {
      const columns = csvColumnsOf(props.columns)
      const lines: CsvValue[][] = [columns.map(({ header }) => header)]
      for (let page = 1; ; page++) {
        const { items, total } = await fetchPage({ page, pageSize: MAX_PAGE_SIZE })
        lines.push(...items.map((row) => columns.map(({ value }) => value(row))))
        setProgress(Math.round((100 * (lines.length - 1)) / Math.max(1, Math.min(total, most))))
        if (items.length < MAX_PAGE_SIZE || lines.length > total) break
        if (lines.length > most) {
          tellThatItIsCut(lines.length - 1, total)
          break
        }
      }
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
