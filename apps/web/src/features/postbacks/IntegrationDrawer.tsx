import { Drawer, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { SiteSelect } from '../../pickers/SiteSelect.tsx'
import { useCurrentDialog } from '../../ui/dialogs.ts'
import { IntegrationFacts } from './IntegrationFacts.tsx'
import { PostbackTester } from './PostbackTester.tsx'

interface IntegrationDrawerProps {
  /** The site that the list is filtered by, if it is. */
  initialSiteId: number | undefined
  onClosed: () => void
}

/** What a merchant needs to send postbacks for a site, and a test of it. */
export function IntegrationDrawer({ initialSiteId, onClosed }: IntegrationDrawerProps) {
  const [siteId, setSiteId] = useState(initialSiteId)
  // Opened after it is there: only then does the library remember where to put focus back.
  const [opened, setOpened] = useState(false)
  useEffect(() => setOpened(true), [])
  const isAsking = useCurrentDialog() !== undefined

  return (
    <Drawer
      opened={opened}
      onClose={() => setOpened(false)}
      onExitTransitionEnd={onClosed}
      // Escape answers the dialog above, not both.
      closeOnEscape={!isAsking}
      position="right"
      size={560}
      title={<strong>Integration</strong>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="lg">
        <SiteSelect withSuspended placeholder="Choose a site" value={siteId} onChange={setSiteId} />
        {siteId !== undefined && (
          <>
            <IntegrationFacts key={`facts-${siteId}`} siteId={siteId} />
            <PostbackTester key={`tester-${siteId}`} siteId={siteId} />
          </>
        )}
      </Stack>
    </Drawer>
  )
}
