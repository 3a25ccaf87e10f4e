import { ActionIcon, Checkbox, Popover, Stack, Tooltip } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'

interface ColumnMenuProps {
  columns: readonly { id: string; header: string; fixed?: boolean }[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

export function ColumnMenu({ columns, hidden, onChange }: ColumnMenuProps) {
  const [opened, setOpened] = useState(false)
  const toggle = (id: string) =>
    onChange(
      hidden.has(id)
        ? new Set([...hidden].filter((other) => other !== id))
        : new Set([...hidden, id]),
    )
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus withRoles={false}>
      <Popover.Target>
        <Tooltip label="Columns">
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Columns"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <IconColumns3 size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Columns shown">
        <Stack gap={8}>
          {columns
            .filter((column) => !column.fixed && column.header !== '')
            .map(({ id, header }) => (
              <Checkbox
                key={id}
                size="xs"
                label={header}
                checked={!hidden.has(id)}
                onChange={() => toggle(id)}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
