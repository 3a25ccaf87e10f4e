import { useForm } from '@mantine/form'
import { type Agent, agentsEndpoints } from '@tallyroom/contract/people/agents'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { usePageName } from '../../lib/page-name.ts'
import { useMe } from '../../lib/session.ts'
import { OfficeSelect } from '../../shared/OfficeSelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import {
  agentChangeOf,
  agentFormLabels,
  agentValues,
  type AgentValues,
  newAgentOf,
  newAgentValues,
} from './agent-form.ts'
import { AgentFields } from './AgentFields.tsx'
import {
  agentFormQuery,
  createAgent,
  getAgent,
  offeredSitesQuery,
  refreshAgents,
  updateAgent,
} from './agents.api.ts'
import { SiteSwitches } from './SiteSwitches.tsx'

const createRoute = getRouteApi('/app/agents/create')
const editRoute = getRouteApi('/app/agents/edit/$agentId')

export function CreateAgentPage() {
  const { companyId } = createRoute.useSearch()
  return <AgentCreateForm officeId={companyId} />
}

export function EditAgentPage() {
  const { agentId } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(agentFormQuery(agentId))}
      fields={9}
      back={{ to: '/app/agents', label: 'Agents' }}
    >
      {(agent) => <AgentEditForm key={agentId} agent={agent} />}
    </FormLoader>
  )
}

interface AgentCreateFormProps {
  /** The office that the list was filtered by. */
  officeId: number | undefined
}

function AgentCreateForm({ officeId: initialOfficeId }: AgentCreateFormProps) {
  const me = useMe()
  const mayChoose = can(me, 'offices.choose')
  const { onCancel, onSaved } = useFormEnd('/app/agents', refreshAgents, {
    // Their links work once they are approved.
    next: ({ id }: { id: number }) =>
      can(me, 'agents.approve')
        ? { label: 'Approve them', to: '/app/unapprove' }
        : { label: 'Open their page', to: '/app/agents/$agentId', params: { agentId: String(id) } },
  })
  const errorsOf = validateBy(agentsEndpoints.createAgent, newAgentOf)
  const form = useForm({
    initialValues: { ...newAgentValues, officeId: (mayChoose && initialOfficeId) || null },
    validate: (values) => ({
      ...errorsOf(values),
      ...(mayChoose && values.officeId === null && { officeId: 'Choose an office' }),
    }),
    validateInputOnBlur: true,
  })
  const { officeId, siteIds } = form.values
  const isOfficeKnown = !mayChoose || officeId !== null
  const sites = useQuery({ ...offeredSitesQuery(officeId), enabled: isOfficeKnown })
  const saving = useSave(form, {
    save: (values) => createAgent(newAgentOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Add Agent"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <AgentFields
        form={form}
        isNew
        office={
          mayChoose && (
            <OfficeSelect
              placeholder="Choose an office"
              width={260}
              required
              value={officeId}
              onChange={(id) => form.setValues({ officeId: id ?? null, siteIds: null })}
              error={form.errors['officeId']}
            />
          )
        }
        sites={
          isOfficeKnown && (
            <SiteSwitches
              query={sites}
              value={siteIds}
              onChange={(ids) => form.setFieldValue('siteIds', ids)}
              error={form.errors['siteIds']}
            />
          )
        }
      />
    </FormFrame>
  )
}

function AgentEditForm({ agent }: { agent: Agent }) {
  usePageName(agent.username)
  const me = useMe()
  const { onCancel, onSaved } = useFormEnd('/app/agents', refreshAgents)
  const form = useForm({
    initialValues: agentValues(agent),
    validate: validateBy(agentsEndpoints.updateAgent, (values: AgentValues) =>
      agentChangeOf(values, { offered: [] }),
    ),
    validateInputOnBlur: true,
  })
  const { officeId, siteIds } = form.values
  const hasMoved = officeId !== null && officeId !== agent.officeId
  const others = useQuery({ ...offeredSitesQuery(officeId), enabled: hasMoved })
  const own = agent.sites.map(({ siteId, sitename }) => ({ id: siteId, label: sitename }))
  const sites = hasMoved ? others : { ...others, data: own, error: null }
  const { saving, stale } = useVersionedSave(form, {
    opened: agent,
    reload: () => getAgent(String(agent.id)),
    valuesOf: agentValues,
    save: (values, version) =>
      updateAgent(agent.id, agentChangeOf(values, { offered: sites.data ?? [], version })),
    onSaved,
  })

  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Update Agent"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={agentFormLabels} />
      <AgentFields
        form={form}
        office={
          can(me, 'agents.change-office') ? (
            <OfficeSelect
              placeholder="Choose an office"
              width={260}
              required
              value={officeId}
              onChange={(id = agent.officeId) =>
                form.setValues({
                  officeId: id,
                  siteIds: id === agent.officeId ? agentValues(agent).siteIds : null,
                })
              }
              present={{ id: agent.officeId, label: agent.officeName }}
              error={form.errors['officeId']}
            />
          ) : (
            can(me, 'offices.choose') && <FormText label="Office">{agent.officeName}</FormText>
          )
        }
        sites={
          <SiteSwitches
            query={sites}
            value={siteIds}
            onChange={(ids) => form.setFieldValue('siteIds', ids)}
            error={form.errors['sites']}
          />
        }
        loginNote={
          agent.loginBlocked && agent.loginOpenUntil
            ? 'Login is enabled up to 01:00 New York time. Untick to remove the block.'
            : undefined
        }
      />
    </FormFrame>
  )
}
