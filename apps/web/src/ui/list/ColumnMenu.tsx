import { ActionIcon, Checkbox, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { Panel } from '../Panel.tsx'

export interface ColumnChoice {
  columns: readonly { id: string; header: string; fixed?: boolean }[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

export function ColumnMenu(choice: ColumnChoice) {
  const [opened, setOpened] = useState(false)
  return (
    <Panel
      label="Columns shown"
      tooltip="Columns"
      opened={opened}
      onClose={() => setOpened(false)}
      position="bottom-end"
      button={
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Columns"
          onClick={() => setOpened(!opened)}
        >
          <IconColumns3 size={16} />
        </ActionIcon>
      }
    >
      <ColumnChoices {...choice} />
    </Panel>
  )
}

/** A checkbox for each column that can be hidden. */
export function ColumnChoices({ columns, hidden, onChange }: ColumnChoice) {
  const toggle = (id: string) =>
    onChange(
      hidden.has(id)
        ? new Set([...hidden].filter((other) => other !== id))
        : new Set([...hidden, id]),
    )
  return (
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
  )
}
