import { Drawer, Stack } from '@mantine/core'
import { useState } from 'react'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { useCurrentDialog } from '../../ui/dialogs/dialogs.tsx'
import { IntegrationFacts } from './IntegrationFacts.tsx'
import { PostbackTester } from './PostbackTester.tsx'
import { SiteWords } from './SiteWords.tsx'
import { TrackerChoice } from './TrackerChoice.tsx'

interface IntegrationDrawerProps {
  opened: boolean
  onClose: () => void
  /** Preselects the site that the list is filtered by. */
  initialSiteId: number | undefined
}

/** Shows what a merchant needs to send a site's postbacks, and sends test postbacks. */
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
      // Escape must close only the dialog on top.
      closeOnEscape={!isAsking}
      position="right"
      size={560}
      title={<strong>Integration</strong>}
    >
      <Integration initialSiteId={initialSiteId} />
    </Drawer>
  )
}

function Integration({ initialSiteId }: Pick<IntegrationDrawerProps, 'initialSiteId'>) {
  const [siteId, setSiteId] = useState(initialSiteId)
  return (
    <Stack gap="lg">
      <SiteSelect
        required
        withSuspended
        placeholder="Choose a site"
        value={siteId}
        onChange={setSiteId}
      />
      {siteId !== undefined && (
        <Stack gap="lg" key={siteId}>
          <IntegrationFacts siteId={siteId} />
          <TrackerChoice siteId={siteId} />
          <PostbackTester siteId={siteId} />
          <SiteWords siteId={siteId} />
        </Stack>
      )}
    </Stack>
  )
}
