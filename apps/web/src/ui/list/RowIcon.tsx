import type { Icon } from '@tabler/icons-react'
import { Tooltip } from '../Tooltip.tsx'
import { IconButton } from '../IconButton.tsx'

interface RowIconProps {
  icon: Icon
  /** What it does, and to which row: 'Delete 192.0.2.7'. */
  label: string
  /** What it does, for those who can't tell from the picture. */
  tooltip?: string
  onClick: () => void
}

/** A button of a row that is an icon. */
export const RowIcon = ({ icon: Picture, label, tooltip, onClick }: RowIconProps) => (
  <Tooltip label={tooltip} disabled={!tooltip} withArrow>
    <IconButton aria-label={label} onClick={onClick}>
      <Picture size={16} stroke={1.6} />
    </IconButton>
  </Tooltip>
)
