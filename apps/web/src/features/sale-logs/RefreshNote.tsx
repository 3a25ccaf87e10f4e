import { Group } from '@mantine/core'
import { formatClock } from '@tallyroom/domain/new-york'
import { TimeZoneNote } from '../../ui/TimeZoneNote.tsx'

interface RefreshNoteProps {
  /** 0: not read yet. */
  refreshedAtMs: number
  /** How many records on the page have come since it was asked for. */
  arrived: number
}

/** The zone, when the list was read last, and what has come meanwhile. */
export const RefreshNote = ({ refreshedAtMs, arrived }: RefreshNoteProps) => (
  <Group gap="xs">
    <TimeZoneNote />
    {refreshedAtMs > 0 && (
      <span className="tr-figures">
        Updated {formatClock(refreshedAtMs).slice(11, 19)} · refreshes every minute
      </span>
    )}
    <strong role="status">{arrived > 0 && `${arrived} new`}</strong>
  </Group>
)
