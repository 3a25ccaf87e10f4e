import { useForm } from '@mantine/form'
import { agentsEndpoints } from '@tallyroom/contract/agents'
import { can } from '@tallyroom/domain/abilities'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { OfficeSelect } from '../../pickers/OfficeSelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newAgentOf, newAgentValues } from './agent-form.ts'
import { AgentFields } from './AgentFields.tsx'
import { createAgent, offeredSitesQuery, refreshAgents } from './agents.api.ts'
import { SiteSwitches } from './SiteSwitches.tsx'

interface AgentCreateFormProps {
  /** The office whose agents the list showed. */
  officeId: number | undefined
}

export function AgentCreateForm({ officeId: initialOfficeId }: AgentCreateFormProps) {
  const me = useMe()
  const mayChoose = can(me, 'offices.choose')
  const { onCancel, onSaved } = useFormEnd('/app/agents', refreshAgents)
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
              width={440}
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
