import { Menu } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ActionMenuProps, MenuAction } from './ActionMenu.tsx'
import { HangAt } from './HangAt.tsx'

export function ActionMenuNow({ id, target, opened, onClose, actions, width }: ActionMenuProps) {
  // Only what opens after it is there remembers where to put focus back.
  const isThere = useMounted()
  const plain = actions.filter(({ danger }) => !danger)
  const dangerous = actions.filter(({ danger }) => danger)
  return (
    <Menu
      id={id}
      opened={isThere && opened}
      onChange={(isOpen) => !isOpen && onClose()}
      position="bottom-end"
      shadow="md"
      width={width}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <HangAt target={target} />
      </Menu.Target>
      <Menu.Dropdown>
        {plain.map((action) => (
          <ActionItem key={action.label} action={action} />
        ))}
        {dangerous.length > 0 && <Menu.Divider />}
        {dangerous.map((action) => (
          <ActionItem key={action.label} action={action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const ActionItem = ({ action }: { action: MenuAction }) => (
  <Menu.Item
    leftSection={action.icon && <action.icon size={15} stroke={1.6} aria-hidden />}
    disabled={action.disabled ?? false}
    onClick={action.onSelect}
    {...(action.danger && { color: 'var(--mantine-color-error)' })}
  >
    {action.label}
  </Menu.Item>
)
