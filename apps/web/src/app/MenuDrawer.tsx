import { Drawer } from '@mantine/core'
import { useOpened } from '../ui/use-opened.ts'
import { SideMenu } from './SideMenu.tsx'

/** The menu on phones. */
export default function MenuDrawer({ onClose }: { onClose: () => void }) {
  const [opened, close] = useOpened()
  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClose}
      size={260}
      padding={0}
      styles={{ body: { height: '100%' } }}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Menu' } }}
    >
      <SideMenu collapsed={false} contact />
    </Drawer>
  )
}
