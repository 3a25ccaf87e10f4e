import type { CommonLogItem } from '@tallyroom/contract/desk/common-logs'
import { useState } from 'react'
import { RowToggle } from '../../ui/list/RowToggle.tsx'
import { WithDays } from '../../ui/WithDays.tsx'
import classes from './common-logs.module.css'

interface SentenceProps {
  entry: CommonLogItem
  opened: boolean
  onToggle: () => void
  /** In a table with room for long sentences. */
  wide?: boolean
}

/** What a call did, in words. A click shows changes that do not fit into the sentence. */
export function Sentence({ entry, opened, onToggle, wide }: SentenceProps) {
  const sentence = (
    <span className={classes.sentence} data-wide={wide || undefined}>
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
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">Of</th>
          <th scope="col">Field</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
        </tr>
      </thead>
      <tbody>
        {fieldsOf(entry).map(({ ref, name, field, from, to, list }) => (
          <tr key={`${ref} ${field}`}>
            <td>{name}</td>
            <td>{field}</td>
            {from === undefined || to === undefined ? (
              <td colSpan={2}>changed, not shown</td>
            ) : (
              <>
                <td>
                  <WithDays>{list && from ? `removed ${from}` : from || '–'}</WithDays>
                </td>
                <td>
                  <WithDays>{list && to ? `added ${to}` : to || '–'}</WithDays>
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
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
