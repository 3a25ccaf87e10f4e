import { ActionIcon, Checkbox, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { Panel } from '../floating/Panel.tsx'
import { Tooltip } from '../floating/Tooltip.tsx'
import { useOpener } from '../floating/use-opener.ts'

interface ColumnMenuProps {
  columns: readonly { id: string; header: string; fixed?: boolean }[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

export function ColumnMenu({ columns, hidden, onChange }: ColumnMenuProps) {
  const { button, target, opened, close } = useOpener('dialog')
  const toggle = (id: string) =>
    onChange(
      hidden.has(id)
        ? new Set([...hidden].filter((other) => other !== id))
        : new Set([...hidden, id]),
    )
  return (
    <>
      <Tooltip label="Columns">
        <ActionIcon variant="default" size={30} aria-label="Columns" {...button}>
          <IconColumns3 size={16} />
        </ActionIcon>
      </Tooltip>
      {target && (
        <Panel
          label="Columns shown"
          target={target}
          opened={opened}
          onClose={close}
          position="bottom-end"
        >
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
        </Panel>
      )}
    </>
  )
}
