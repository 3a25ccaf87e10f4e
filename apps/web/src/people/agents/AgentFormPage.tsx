import { addressesEndpoints } from '@tallyroom/contract/people/addresses'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { type Agent, agentsEndpoints } from '@tallyroom/contract/people/agents'
import { can } from '@tallyroom/domain/abilities'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { usePageName } from '../../lib/pages/page-name.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { officeOptionsQuery, OfficeSelect } from '../../shared/pickers/OfficeSelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { showInvitationLink } from '../invitations/invitation-menu.tsx'
import { UnconfirmedAddress } from '../new-address/UnconfirmedAddress.tsx'
import {
  agentChangeOf,
  agentFormLabels,
  agentValues,
  newAgentOf,
  newAgentValues,
} from './agent-form.ts'
import { AgentFields } from './AgentFields.tsx'
import { offeredSitesQuery, refreshAgents } from './agents.api.ts'
import { SiteSwitches } from './SiteSwitches.tsx'

const createRoute = getRouteApi('/app/agents/create')
const editRoute = getRouteApi('/app/agents/edit/$agentId')

export function CreateAgentPage() {
  const { companyId } = createRoute.useSearch()
  const mayChoose = can(useMe(), 'offices.choose')
  const offices = useQuery({
    ...officeOptionsQuery(),
    enabled: mayChoose && companyId === undefined,
  })
  if (!mayChoose || companyId !== undefined) return <AgentCreateForm officeId={companyId} />
  return (
    <FormLoader query={offices}>
      {([first, ...others]) => (
        // Where there is one office, it is meant.
        <AgentCreateForm officeId={others.length === 0 ? first?.id : undefined} />
      )}
    </FormLoader>
  )
}

export function EditAgentPage() {
  const { agentId } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(formQueryOf(agentsEndpoints.agent, { params: { id: agentId } }))}
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
  const client = useQueryClient()
  const end = useFormEnd('/app/agents', refreshAgents, {
    // Their links work once they are approved.
    next: ({ id }: { id: number }) =>
      can(me, 'agents.approve')
        ? { label: 'Approve them', to: '/app/unapprove' }
        : { label: 'Open their page', to: '/app/agents/$agentId', params: { agentId: String(id) } },
  })
  const { form, frame } = useRecordForm({
    endpoint: agentsEndpoints.createAgent,
    values: { ...newAgentValues, officeId: (mayChoose && initialOfficeId) || null },
    bodyOf: newAgentOf,
    alsoRefused: (values) =>
      mayChoose && values.officeId === null ? { officeId: 'Choose an office' } : {},
    ...end,
    onSaved: (answer) => {
      const { way, username } = form.getValues()
      end.onSaved(answer)
      if (way === 'link')
        void showInvitationLink({ kind: 'agent', id: answer.id, username }, () =>
          refreshAgents(client),
        )
    },
  })
  const { officeId, siteIds } = form.values
  const isOfficeKnown = !mayChoose || officeId !== null
  const sites = useQuery({ ...offeredSitesQuery(officeId), enabled: isOfficeKnown })
  return (
    <FormFrame {...frame} submitLabel="Add Agent">
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
  const params = { id: String(agent.id) }
  const { form, frame } = useRecordForm({
    endpoint: agentsEndpoints.updateAgent,
    params,
    opened: {
      record: agent,
      reload: () => call(agentsEndpoints.agent, { params }),
      valuesOf: agentValues,
      labels: agentFormLabels,
    },
    bodyOf: (values, version): BodyOf<typeof agentsEndpoints.updateAgent> =>
      agentChangeOf(values, { offered: sites.data ?? [], version }),
    ...useFormEnd('/app/agents', refreshAgents),
  })
  const { officeId, siteIds } = form.values
  const hasMoved = officeId !== null && officeId !== agent.officeId
  const others = useQuery({ ...offeredSitesQuery(officeId), enabled: hasMoved })
  const own = agent.sites.map(({ siteId, sitename }) => ({ id: siteId, label: sitename }))
  const sites = hasMoved ? others : { ...others, data: own, error: null }
  return (
    <FormFrame {...frame} submitLabel="Update Agent">
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
        unconfirmed={
          !agent.emailConfirmed && (
            <UnconfirmedAddress
              email={agent.email}
              send={() => call(addressesEndpoints.sendAgentAddressLink, { params })}
            >
              The address counts once they open the link in our mail to it, within seven days.
            </UnconfirmedAddress>
          )
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
