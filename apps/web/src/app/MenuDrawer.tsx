import { Drawer } from '@mantine/core'
import { useEffect, useState } from 'react'
import { SideMenu } from './SideMenu.tsx'

/** The menu on phones. */
export function MenuDrawer({ onClose }: { onClose: () => void }) {
  // Opened after it is there: only then does the library remember where to put focus back.
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  return (
    <Drawer
      opened={opened}
      onClose={() => setOpened(false)}
      onExitTransitionEnd={onClose}
      size={260}
      padding={0}
      styles={{ body: { height: '100%' } }}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Menu' } }}
    >
      <SideMenu collapsed={false} />
    </Drawer>
  )
}
