import { Menu } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { IconDots, type Icon } from '@tabler/icons-react'
import { useId, useImperativeHandle, useState, type Ref } from 'react'
import { IconButton } from '../IconButton.tsx'

export interface MenuAction {
  label: string
  icon?: Icon
  onSelect: () => void
  disabled?: boolean
  /** Shown in red below a divider. */
  danger?: boolean
}

interface RowMenuProps {
  /** The name of the row for screen readers: 'manila'. */
  of: string
  actions: readonly MenuAction[]
}

/** A menu with a row's actions. Mounted when first opened, because every row has one. */
export function RowMenu({ of, actions }: RowMenuProps) {
  const id = useId()
  const [button, setButton] = useState<HTMLElement>()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <IconButton
        id={id}
        aria-label={`Actions for ${of}`}
        aria-haspopup="menu"
        aria-expanded={opened}
        onClick={({ currentTarget }) => {
          setButton(currentTarget)
          setOpened(!opened)
        }}
      >
        <IconDots size={16} />
      </IconButton>
      {button && (
        <OpenedMenu
          id={id}
          button={button}
          opened={opened}
          onChange={setOpened}
          actions={actions}
        />
      )}
    </>
  )
}

interface OpenedMenuProps {
  id: string
  button: HTMLElement
  opened: boolean
  onChange: (opened: boolean) => void
  actions: readonly MenuAction[]
}

function OpenedMenu({ id, button, opened, onChange, actions }: OpenedMenuProps) {
  // The library returns focus only if it sees the menu open after it was mounted.
  const isMounted = useMounted()
  const plain = actions.filter(({ danger }) => !danger)
  const dangerous = actions.filter(({ danger }) => danger)
  return (
    <Menu
      id={id}
      opened={isMounted && opened}
      onChange={onChange}
      position="bottom-end"
      shadow="md"
      width={180}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <AnchorAt element={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {plain.map(item)}
        {dangerous.length > 0 && <Menu.Divider />}
        {dangerous.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}

const item = ({ label, icon: ItemIcon, disabled = false, onSelect, danger }: MenuAction) => (
  <Menu.Item
    key={label}
    leftSection={ItemIcon && <ItemIcon size={15} stroke={1.6} aria-hidden />}
    disabled={disabled}
    onClick={onSelect}
    {...(danger && { color: 'var(--mantine-color-error)' })}
  >
    {label}
  </Menu.Item>
)

/** Anchors the menu to an existing button, although the library expects its target as a child. */
function AnchorAt({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
