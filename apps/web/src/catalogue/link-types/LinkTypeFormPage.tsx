import { Button, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type LinkType, linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { linkTypeLabels } from '@tallyroom/contract/catalogue/labels'
import type { Site } from '@tallyroom/contract/catalogue/sites'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '../../lib/session.ts'
import { askToDelete } from '../../ui/ask-to-delete.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { LinkText } from '../../ui/links.tsx'
import {
  linkTypeChangeOf,
  type LinkTypeValues,
  linkTypeValues,
  newLinkTypeOf,
  newLinkTypeValues,
} from './link-type-form.ts'
import {
  createLinkType,
  deleteLinkType,
  getLinkType,
  linkTypeFormQuery,
  refreshLinkTypes,
  updateLinkType,
} from './link-types.api.ts'
import { RatesFrom } from './RatesFrom.tsx'
import { LinkTypeFields } from './LinkTypeFields.tsx'

const createRoute = getRouteApi('/app/sites/$siteId/types/create')
const editRoute = getRouteApi('/app/sites/$siteId/types/edit/$id')

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
  const { onCancel, onSaved } = useFormEnd('/app/sites/$siteId/types', refreshLinkTypes, {
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
  const bodyOf = (values: LinkTypeValues) => newLinkTypeOf(site.id, values)
  const form = useForm({
    initialValues: newLinkTypeValues,
    validate: validateBy(linkTypesEndpoints.createLinkType, bodyOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createLinkType(bodyOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Add Link"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <LinkTypeFields form={form} site={site} />
    </FormFrame>
  )
}

function LinkTypeEditForm({ site, linkType }: { site: Site; linkType: LinkType }) {
  const params = { siteId: String(site.id) }
  const list = '/app/sites/$siteId/types'
  const { onCancel, onSaved, onDeleted } = useFormEnd(list, refreshLinkTypes, { params })
  const form = useForm({
    initialValues: linkTypeValues(linkType),
    validate: validateBy(linkTypesEndpoints.updateLinkType, (values: LinkTypeValues) =>
      linkTypeChangeOf(values),
    ),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: linkType,
    reload: () => getLinkType(linkType.id),
    valuesOf: linkTypeValues,
    save: (values, version) => updateLinkType(linkType.id, linkTypeChangeOf(values, version)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Update Link"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
      actions={
        <Button
          variant="outline"
          color="var(--mantine-color-error)"
          onClick={() => void askToDeleteLink(linkType, onDeleted)}
        >
          Delete
        </Button>
      }
    >
      <StaleNotice stale={stale} labels={linkTypeLabels} />
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
    action: () => deleteLinkType(id),
    onDeleted,
  })
