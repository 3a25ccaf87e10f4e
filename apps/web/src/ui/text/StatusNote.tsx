import type { Visibility } from '@tallyroom/domain/labels'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Tooltip } from '../Tooltip.tsx'
import classes from './StatusNote.module.css'
import { StatusText } from './StatusText.tsx'

/** A status, with whatever else keeps the account from signing in. */
export const StatusWithNotes = ({
  status,
  children,
}: {
  status: Visibility
  children: ReactNode
}) => (
  <span className={classes.status}>
    <StatusText status={status} />
    {children}
  </span>
)

interface StatusNoteProps {
  icon: Icon
  label: string
  /** The tooltip. */
  children: string
}

export const StatusNote = ({ icon: NoteIcon, label, children }: StatusNoteProps) => (
  <Tooltip label={children} multiline maw={260} withArrow>
    {/* Focusable, because the tooltip says more than the label. */}
    <span className={classes.note} tabIndex={0}>
      <NoteIcon size={14} stroke={1.8} aria-hidden />
      {label}
    </span>
  </Tooltip>
)
