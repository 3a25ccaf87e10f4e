import { Drawer, Stack } from '@mantine/core'
import { useState } from 'react'
import { SiteSelect } from '../../pickers/SiteSelect.tsx'
import { useCurrentDialog } from '../../ui/dialogs.tsx'
import { IntegrationFacts } from './IntegrationFacts.tsx'
import { PostbackTester } from './PostbackTester.tsx'

interface IntegrationDrawerProps {
  opened: boolean
  onClose: () => void
  /** The site to begin with: the one that the list is filtered by, if it is. */
  initialSiteId: number | undefined
}

/** What a merchant needs to send postbacks for a site, and a test of it. */
export default function IntegrationDrawer({
  opened,
  onClose,
  initialSiteId,
}: IntegrationDrawerProps) {
  const isAsking = useCurrentDialog() !== undefined
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      // Escape answers the dialog above, not both.
      closeOnEscape={!isAsking}
      position="right"
      size={560}
      title={<strong>Integration</strong>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Integration initialSiteId={initialSiteId} />
    </Drawer>
  )
}

function Integration({ initialSiteId }: Pick<IntegrationDrawerProps, 'initialSiteId'>) {
  const [siteId, setSiteId] = useState(initialSiteId)
  return (
    <Stack gap="lg">
      <SiteSelect withSuspended placeholder="Choose a site" value={siteId} onChange={setSiteId} />
      {siteId !== undefined && (
        <Stack gap="lg" key={siteId}>
          <IntegrationFacts siteId={siteId} />
          <PostbackTester siteId={siteId} />
        </Stack>
      )}
    </Stack>
  )
}
