import { Text } from '@mantine/core'
import type { Site } from '@tallyroom/contract/sites'
import type { ReactNode } from 'react'
import { LinkText } from '../../ui/links.tsx'

interface SiteOfFormProps {
  site: Pick<Site, 'id' | 'sitename'>
  children: ReactNode
}

/** Above the form of a link type: whose it is. */
export const SiteOfForm = ({ site, children }: SiteOfFormProps) => (
  <>
    <Text size="sm" c="dimmed" mb="sm">
      <LinkText to="/app/sites/sites" underlined>
        Sites
      </LinkText>{' '}
      /{' '}
      <LinkText to="/app/sites/$siteId/types" params={{ siteId: String(site.id) }} underlined>
        {site.sitename}
      </LinkText>
    </Text>
    {children}
  </>
)
