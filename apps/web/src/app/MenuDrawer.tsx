import { Drawer } from '@mantine/core'
import { SideMenu } from './SideMenu.tsx'

/** The menu on phones. */
export const MenuDrawer = ({ onClose }: { onClose: () => void }) => (
  <Drawer opened onClose={onClose} size={260} padding={0} withCloseButton={false} aria-label="Menu">
    <SideMenu collapsed={false} />
  </Drawer>
)
