import { Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import Sheet from '../dialogs/Sheet.tsx'
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
      {(close) => (
        <Stack gap="sm">
          <CloseOnNavigation close={close} />
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

/** Closes the sheet when an action leads to a page, or to a drawer whose state is in the URL. */
function CloseOnNavigation({ close }: { close: () => void }) {
  const href = useLocation({ select: (location) => location.href })
  const [openedAt] = useState(href)
  const hasLeft = href !== openedAt
  useEffect(() => {
    if (hasLeft) close()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `close` changes on every render
  }, [hasLeft])
  return null
}
