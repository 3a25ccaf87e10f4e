import { Button } from '@mantine/core'
import { MAX_PAGE_SIZE } from '@tallyroom/contract/list'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { csvText, download, type CsvValue } from '../../lib/csv.ts'

export interface CsvColumn<Row> {
  header: string
  value: (row: Row) => CsvValue
}

interface ExportCsvProps<Row> {
  /** Without extension: 'sites-statistics-2026-11-01'. */
  fileName: string
  columns: readonly CsvColumn<Row>[]
  /** One page of what the list shows, under the same criteria and sort. */
  fetchPage: (page: {
    page: number
    pageSize: number
  }) => Promise<{ items: readonly Row[]; total: number }>
  disabled?: boolean
}

/** Saves the whole result of a list, not just its page; counts up while it reads. */
export function ExportCsv<Row>({ fileName, columns, fetchPage, disabled }: ExportCsvProps<Row>) {
  const [progress, setProgress] = useState(0)
  const run = useMutation({
    mutationFn: async () => {
      const lines: CsvValue[][] = [columns.map(({ header }) => header)]
      for (let page = 1; ; page++) {
        const { items, total } = await fetchPage({ page, pageSize: MAX_PAGE_SIZE })
        lines.push(...items.map((row) => columns.map(({ value }) => value(row))))
        setProgress(Math.round((100 * (lines.length - 1)) / Math.max(1, total)))
        if (items.length < MAX_PAGE_SIZE || lines.length > total) break
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
