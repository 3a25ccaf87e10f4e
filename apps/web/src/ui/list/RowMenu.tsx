import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, type Icon } from '@tabler/icons-react'

export interface RowAction {
  label: string
  icon: Icon
  onSelect: () => void
  disabled?: boolean
  /** Stands apart from the others, in red. */
  danger?: boolean
}

interface RowMenuProps {
  /** What the row is about, for screen readers: 'manila'. */
  of: string
  actions: readonly RowAction[]
}

/** What can be done to a row, behind one button. */
export function RowMenu({ of, actions }: RowMenuProps) {
  const plain = actions.filter(({ danger }) => !danger)
  const dangerous = actions.filter(({ danger }) => danger)
  return (
    <Menu position="bottom-end" shadow="md" width={180} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Actions for ${of}`}>
          <IconDots size={16} />
        </ActionIcon>
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

const ActionItem = ({ action }: { action: RowAction }) => (
  <Menu.Item
    leftSection={<action.icon size={15} stroke={1.6} aria-hidden />}
    disabled={action.disabled ?? false}
    onClick={action.onSelect}
    {...(action.danger && { color: 'var(--mantine-color-error)' })}
  >
    {action.label}
  </Menu.Item>
)
