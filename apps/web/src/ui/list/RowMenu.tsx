import { IconDots } from '@tabler/icons-react'
import { ActionMenu, type MenuAction } from '../floating/ActionMenu.tsx'
import { useOpener } from '../floating/use-opener.ts'
import { IconButton } from '../IconButton.tsx'

interface RowMenuProps {
  /** What the row is about, for screen readers: 'manila'. */
  of: string
  actions: readonly MenuAction[]
}

/** What can be done to a row, behind one button. */
export function RowMenu({ of, actions }: RowMenuProps) {
  const { button, target, opened, close } = useOpener('menu')
  return (
    <>
      <IconButton aria-label={`Actions for ${of}`} {...button}>
        <IconDots size={16} />
      </IconButton>
      {target && (
        <ActionMenu
          id={button.id}
          target={target}
          opened={opened}
          onClose={close}
          actions={actions}
          width={180}
        />
      )}
    </>
  )
}
