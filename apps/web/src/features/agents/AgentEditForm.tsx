import { useForm } from '@mantine/form'
import { agentsEndpoints, type Agent } from '@tallyroom/contract/agents'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { OfficeSelect } from '../../pickers/OfficeSelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { agentChangeOf, agentLabels, agentValues, type AgentValues } from './agent-form.ts'
import { AgentFields } from './AgentFields.tsx'
import { getAgent, offeredSitesQuery, refreshAgents, updateAgent } from './agents.api.ts'
import { SiteSwitches } from './SiteSwitches.tsx'

export function AgentEditForm({ agent }: { agent: Agent }) {
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
      submitLabel="Update Agent"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={agentLabels} />
      <AgentFields
        form={form}
        office={
          can(me, 'agents.change-office') ? (
            <OfficeSelect
              placeholder="Choose an office"
              width={440}
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
            ? 'Login is enabled up to 01:00 New York time. Unticking it lifts the block for good'
            : undefined
        }
      />
    </FormFrame>
  )
}
