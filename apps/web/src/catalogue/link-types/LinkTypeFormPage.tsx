import { Button, Text } from '@mantine/core'
import { type LinkType, linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { linkTypeLabels } from '@tallyroom/contract/catalogue/labels'
import { type Site, sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../lib/call.ts'
import { FOR_FORM, refreshOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { askToDelete } from '../../ui/dialogs/ask-to-delete.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { LinkText } from '../../ui/links.tsx'
import {
  linkTypeChangeOf,
  linkTypeValues,
  newLinkTypeOf,
  newLinkTypeValues,
} from './link-type-form.ts'
import { RatesFrom } from './RatesFrom.tsx'
import { LinkTypeFields } from './LinkTypeFields.tsx'

const createRoute = getRouteApi('/app/sites/$siteId/types/create')
const editRoute = getRouteApi('/app/sites/$siteId/types/edit/$id')

const linkTypeFormQuery = (siteId: string, typeId: string | undefined) =>
  queryOptions({
    queryKey: [linkTypesEndpoints.linkType.path, 'form', siteId, typeId] as const,
    queryFn: async ({ signal }) => {
      const [site, linkType] = await Promise.all([
        call(sitesEndpoints.site, { params: { id: siteId } }, { signal }),
        typeId === undefined
          ? undefined
          : call(linkTypesEndpoints.linkType, { params: { id: typeId } }, { signal }),
      ])
      return { site, linkType }
    },
    ...FOR_FORM,
  })

/** Refetches the lists, and the selects that offer link types. */
const refreshLinkTypes = refreshOf(linkTypesEndpoints.typesBySite, sitesEndpoints.searchSites)

export function CreateLinkTypePage() {
  const { siteId } = createRoute.useParams()
  return (
    <FormLoader
      query={useQuery(linkTypeFormQuery(siteId, undefined))}
      fields={8}
      back={{ to: '/app/sites/sites', label: 'Sites' }}
    >
      {({ site }) => (
        <SiteOfForm site={site}>
          <LinkTypeCreateForm key={siteId} site={site} />
        </SiteOfForm>
      )}
    </FormLoader>
  )
}

export function EditLinkTypePage() {
  const { siteId, id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(linkTypeFormQuery(siteId, id))}
      fields={8}
      back={{ to: '/app/sites/sites', label: 'Sites' }}
    >
      {({ site, linkType }) =>
        linkType && (
          <SiteOfForm site={site}>
            <LinkTypeEditForm key={id} site={site} linkType={linkType} />
          </SiteOfForm>
        )
      }
    </FormLoader>
  )
}

function LinkTypeCreateForm({ site }: { site: Site }) {
  const params = { siteId: String(site.id) }
  const me = useMe()
  const end = useFormEnd('/app/sites/$siteId/types', refreshLinkTypes, {
    params,
    next: () => {
      // In a new network, nobody could sell it yet.
      if (site.officesTotal === 0) return { label: 'Add an office', to: '/app/offices/create' }
      if (!can(me, 'postbacks.manage')) return undefined
      return {
        label: 'Connect the merchant',
        to: '/app/sites/postbacks',
        search: { siteId: site.id, integration: true },
      }
    },
  })
  const { form, frame } = useRecordForm({
    endpoint: linkTypesEndpoints.createLinkType,
    values: newLinkTypeValues,
    bodyOf: (values) => newLinkTypeOf(site.id, values),
    ...end,
  })
  return (
    <FormFrame {...frame} submitLabel="Add Link">
      <LinkTypeFields form={form} site={site} />
    </FormFrame>
  )
}

function LinkTypeEditForm({ site, linkType }: { site: Site; linkType: LinkType }) {
  const list = '/app/sites/$siteId/types'
  const end = useFormEnd(list, refreshLinkTypes, { params: { siteId: String(site.id) } })
  const params = { id: String(linkType.id) }
  const { form, frame } = useRecordForm({
    endpoint: linkTypesEndpoints.updateLinkType,
    params,
    opened: {
      record: linkType,
      reload: () => call(linkTypesEndpoints.linkType, { params }),
      valuesOf: linkTypeValues,
      labels: linkTypeLabels,
    },
    bodyOf: linkTypeChangeOf,
    ...end,
  })
  return (
    <FormFrame
      {...frame}
      submitLabel="Update Link"
      actions={
        <Button
          variant="outline"
          color="var(--mantine-color-error)"
          onClick={() => void askToDeleteLink(linkType, end.onDeleted)}
        >
          Delete
        </Button>
      }
    >
      <LinkTypeFields
        form={form}
        site={site}
        ratesFrom={<RatesFrom form={form} linkType={linkType} site={site} />}
      />
    </FormFrame>
  )
}

interface SiteOfFormProps {
  site: Pick<Site, 'id' | 'sitename'>
  children: ReactNode
}

/** Names the link type's site above its form. */
const SiteOfForm = ({ site, children }: SiteOfFormProps) => (
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

const askToDeleteLink = (
  { id, typename }: Pick<LinkType, 'id' | 'typename'>,
  onDeleted: () => void,
) =>
  askToDelete({
    what: 'Link',
    name: typename,
    question:
      'Are you sure you want delete site link? Its tracked links stop working. ' +
      'Its clicks, sales and statistics stay, and later sales from its clicks are still recorded.',
    action: () => call(linkTypesEndpoints.deleteLinkType, { params: { id: String(id) } }),
    onDeleted,
  })
