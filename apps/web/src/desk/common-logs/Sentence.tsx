import type { CommonLogItem } from '@tallyroom/contract/desk/common-logs'
import { useState } from 'react'
import { RowToggle } from '../../ui/list/RowToggle.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './common-logs.module.css'

interface SentenceProps {
  entry: CommonLogItem
  opened: boolean
  onToggle: () => void
  /** In a table with room for long sentences. */
  wide?: boolean
  /** In one line of a table, whatever its length. */
  inLine?: boolean
}

/** What a call did, in words. A click shows changes that do not fit into the sentence. */
export function Sentence({ entry, opened, onToggle, wide, inLine }: SentenceProps) {
  const sentence = (
    <span
      className={classes.sentence}
      data-wide={wide || undefined}
      data-line={inLine || undefined}
    >
      <WithDays>{entry.sentence}</WithDays>
    </span>
  )
  if (fieldsOf(entry).length < 2) return sentence
  return (
    <RowToggle opened={opened} onToggle={onToggle} maxWidth="min(560px, 60vw)">
      {sentence}
    </RowToggle>
  )
}

/** Every field that a call changed, with its old and new value. */
export const ChangedFields = ({ entry }: { entry: CommonLogItem }) => (
  <div className={classes.detail}>
    <PlainTable
      label="Changes"
      look="bare"
      className={classes.changes}
      columns={[
        { header: 'Of', cell: ({ name }) => name },
        { header: 'Field', cell: ({ field }) => field },
        {
          header: 'From',
          cell: ({ from, to, list }) => (
            <WithDays>
              {from === undefined || to === undefined
                ? 'changed, not shown'
                : list && from
                  ? `removed ${from}`
                  : from || '–'}
            </WithDays>
          ),
        },
        {
          header: 'To',
          cell: ({ from, to, list }) =>
            from !== undefined &&
            to !== undefined && <WithDays>{list && to ? `added ${to}` : to || '–'}</WithDays>,
        },
      ]}
      rows={fieldsOf(entry)}
      rowKey={({ ref, field }) => `${ref} ${field}`}
    />
  </div>
)

/** The entries whose changes are open. */
export function useOpenedChanges() {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  return {
    opened,
    onToggle: (id: number) => setOpened((last) => last.symmetricDifference(new Set([id]))),
  }
}

const fieldsOf = ({ changes }: CommonLogItem) =>
  changes.flatMap(({ ref, name, fields }) => fields.map((field) => ({ ref, name, ...field })))
