import { Popover } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { HangAt } from './HangAt.tsx'
import type { PanelProps } from './Panel.tsx'

export function PanelNow(props: PanelProps) {
  const { label, target, opened, onClose, children, className } = props
  // Only what opens after it is there remembers where to put focus back.
  const isThere = useMounted()
  return (
    <Popover
      opened={isThere && opened}
      onChange={(isOpen) => !isOpen && onClose()}
      position={props.position ?? 'bottom-start'}
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
      middlewares={{ flip: true, shift: true, size: { apply: fitHeight } }}
    >
      <Popover.Target>
        <HangAt target={target} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={className}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** On low screens the panel scrolls instead of leaving the window. */
const fitHeight = ({
  availableHeight,
  elements,
}: {
  availableHeight: number
  elements: { floating: HTMLElement }
}) => {
  elements.floating.style.maxHeight = `${Math.max(240, availableHeight - 8)}px`
}
