import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import Sheet from '../Sheet.tsx'
import { type ColumnChoice, ColumnChoices } from './ColumnMenu.tsx'

interface ActionSheetProps {
  columns: ColumnChoice | undefined
  onClosed: () => void
  children: ReactNode
}

/** The actions of a page on a phone, and the choice of its columns. */
export default function ActionSheet({ columns, onClosed, children }: ActionSheetProps) {
  return (
    <Sheet title="Page actions" onClosed={onClosed}>
      {() => (
        <Stack gap="sm">
          {children}
          {columns && (
            <>
              <Text fw={600}>Columns</Text>
              <ColumnChoices {...columns} />
            </>
          )}
        </Stack>
      )}
    </Sheet>
  )
}
