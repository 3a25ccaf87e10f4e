import { Button, Menu } from '@mantine/core'
import type { InputOf } from '@tallyroom/contract/endpoint'
import {
  booksEndpoints,
  JOURNAL_FORMATS,
  type JournalExport,
  type JournalFormat,
} from '@tallyroom/contract/pay/books/books'
import { formatCount } from '@tallyroom/domain/money'
import { dayOf, formatDateTime } from '@tallyroom/domain/new-york'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { exportJournal, saveJournalExport } from '../books.api.ts'
import classes from '../pay.module.css'

interface ExportsProps {
  month: string
  /** Those of the month, newest first. */
  exports: readonly JournalExport[]
}

/** Exports a month, or what is new since its last export in the format. */
export function JournalExportMenu({
  month,
  exports,
  disabled,
}: ExportsProps & { disabled: boolean }) {
  const client = useQueryClient()
  const exporting = useOneMutation({
    mutationFn: (asked: InputOf<typeof booksEndpoints.exportJournal>['body']) =>
      thenRefresh(exportJournal(asked), () =>
        client.invalidateQueries({ queryKey: [booksEndpoints.journal.path] }),
      ),
  })
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          disabled={disabled}
          loading={exporting.isPending}
          leftSection={<IconDownload size={14} />}
          rightSection={<IconChevronDown size={14} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => {
          const last = exports.find((one) => one.format === format)
          const asked = { month, format, since: last?.id ?? null }
          return (
            <Fragment key={format}>
              <Menu.Item onClick={() => exporting.mutate({ ...asked, what: 'all' })}>
                {JOURNAL_FORMATS[format]}
              </Menu.Item>
              {last && (
                <Menu.Item
                  disabled={last.since === 0}
                  onClick={() => exporting.mutate({ ...asked, what: 'new' })}
                >
                  {JOURNAL_FORMATS[format]}, {newText(last)}
                </Menu.Item>
              )}
            </Fragment>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

const FORMATS = Object.keys(JOURNAL_FORMATS) as JournalFormat[] // Object.keys forgets the key type

const newText = ({ since, at }: JournalExport): string =>
  `${since ? entriesText(since) : 'nothing'} new since ${dayOf(new Date(at))}`

const entriesText = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`

/** How much of a month is new since the last export of each format. Empty if it was not exported, or nothing is. */
export const sinceLastExport = (exports: readonly JournalExport[]): string =>
  exports
    .flatMap(({ since, format, at, by }) =>
      since
        ? `${entriesText(since)} since the export of ${dayOf(new Date(at))} by ${by} (${JOURNAL_FORMATS[format]})`
        : [],
    )
    .join(', ')

/** Who has exported the month, when, and what. */
export function JournalExports({ exports }: Pick<ExportsProps, 'exports'>) {
  const saving = useOneMutation({ mutationFn: saveJournalExport })
  if (exports.length === 0) return null
  return (
    <section className={classes.section}>
      <h3>Exports</h3>
      <PlainTable
        cards
        label="Exports"
        columns={[
          {
            header: 'Exported',
            cell: ({ at, by }: JournalExport) => (
              <>
                {formatDateTime(new Date(at))}
                <div className={classes.dim}>{by}</div>
              </>
            ),
          },
          {
            header: 'Format',
            cell: ({ format, what }: JournalExport) =>
              `${JOURNAL_FORMATS[format]}, ${what === 'all' ? 'all' : 'what was new'}`,
          },
          {
            header: 'Entries',
            numeric: true,
            cell: ({ entries }: JournalExport) => formatCount(entries),
          },
          {
            header: 'SHA-256',
            cell: ({ sha256 }: JournalExport) =>
              sha256.map((hash) => (
                <div key={hash} className={classes.dim} title={hash}>
                  {hash.slice(0, 12)}…
                </div>
              )),
          },
          {
            header: 'File',
            cell: ({ id }: JournalExport) => (
              <Button
                variant="subtle"
                size="compact-sm"
                loading={saving.isPending && saving.variables === id}
                onClick={() => saving.mutate(id)}
              >
                Download
              </Button>
            ),
          },
        ]}
        rows={exports}
        rowKey={({ id }) => id}
      />
    </section>
  )
}
