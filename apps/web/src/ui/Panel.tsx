import { Popover } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { Tooltip } from './Tooltip.tsx'

interface PanelProps {
  /** Its name for screen readers. */
  label: string
  /** The button that toggles it. */
  button: ReactElement
  /** The tooltip of the button. */
  tooltip?: string
  opened: boolean
  onClose: () => void
  position?: 'bottom-start' | 'bottom-end'
  className?: string | undefined
  children: ReactNode
}

/** A small dialog anchored to its button. */
export function Panel(props: PanelProps) {
  const button = (
    <Popover.Target aria-haspopup="dialog" aria-expanded={props.opened}>
      {props.button}
    </Popover.Target>
  )
  return (
    <Popover
      opened={props.opened}
      onChange={(isOpen) => !isOpen && props.onClose()}
      position={props.position ?? 'bottom-start'}
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
      middlewares={{ flip: true, shift: true, size: { apply: fitHeight } }}
    >
      {props.tooltip ? <Tooltip label={props.tooltip}>{button}</Tooltip> : button}
      <Popover.Dropdown role="dialog" aria-label={props.label} className={props.className}>
        {props.children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** On low screens, the panel scrolls instead of overflowing the window. */
const fitHeight = ({
  availableHeight,
  elements,
}: {
  availableHeight: number
  elements: { floating: HTMLElement }
}) => {
  elements.floating.style.maxHeight = `${Math.max(240, availableHeight - 8)}px`
}
