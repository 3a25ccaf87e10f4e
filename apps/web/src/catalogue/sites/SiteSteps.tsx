import { Button, Group, Text } from '@mantine/core'
import type { Site } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { formatCount } from '@tallyroom/domain/money'
import { IconBuildingStore, IconLink, IconPlugConnected, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { LinkButton } from '../../ui/links.tsx'
import { askToDeleteSite, askToEnable } from './site-steps.ts'
import { refreshSite, refreshSites } from './sites.api.ts'

interface SiteStepsProps {
  site: Site
  onDeleted: () => void
}

/** Actions above the form: a site's links and integration, enabling it for offices, and deleting it. */
export function SiteSteps({ site, onDeleted }: SiteStepsProps) {
  const me = useMe()
  const client = useQueryClient()
  const siteId = String(site.id)
  return (
    <Group gap="xs" mb="md">
      <LinkButton
        to="/app/sites/$siteId/types"
        params={{ siteId }}
        variant="default"
        leftSection={<IconLink size={15} />}
      >
        Links ({formatCount(site.typeCount)})
      </LinkButton>
      <LinkButton
        to="/app/sites/postbacks"
        search={{ siteId: site.id, integration: true }}
        variant="default"
        leftSection={<IconPlugConnected size={15} />}
      >
        Integration
      </LinkButton>
      <Button
        variant="default"
        leftSection={<IconBuildingStore size={15} />}
        onClick={() =>
          void askToEnable(site, () => Promise.all([refreshSite(client), refreshSites(client)]))
        }
      >
        Enable for all offices
      </Button>
      {can(me, 'sites.delete') && (
        <Button
          variant="outline"
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={15} />}
          onClick={() => void askToDeleteSite(site, onDeleted)}
        >
          Delete
        </Button>
      )}
      <Text size="sm" c="dimmed">
        {formatCount(site.officesAllowed)} of {formatCount(site.officesTotal)} offices may sell it
      </Text>
    </Group>
  )
}
