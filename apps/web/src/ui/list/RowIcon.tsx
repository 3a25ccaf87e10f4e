import type { Icon } from '@tabler/icons-react'
import { Tooltip } from '../Tooltip.tsx'
import { IconButton } from '../IconButton.tsx'

interface RowIconProps {
  icon: Icon
  /** Names the action and the row: 'Delete 192.0.2.7'. */
  label: string
  /** Explains an icon that is not obvious. */
  tooltip?: string
  disabled?: boolean
  onClick: () => void
}

/** An icon button in a row. */
export const RowIcon = ({ icon: Picture, label, tooltip, disabled, onClick }: RowIconProps) => (
  <Tooltip label={tooltip} disabled={!tooltip} withArrow>
    <IconButton aria-label={label} disabled={disabled} onClick={onClick}>
      <Picture size={16} stroke={1.6} />
    </IconButton>
  </Tooltip>
)
