import { Group } from '@mantine/core'
import { useState } from 'react'
import { AgentSelect } from '../../pickers/AgentSelect.tsx'
import { OfficeSelect } from '../../pickers/OfficeSelect.tsx'
import { SiteSelect } from '../../pickers/SiteSelect.tsx'
import { TypeSelect } from '../../pickers/TypeSelect.tsx'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { Section } from './Section.tsx'

const MANY = Array.from({ length: 5000 }, (_, index) => ({
  id: index + 1,
  label: `agent${String(index + 1).padStart(4, '0')}`,
}))

export function PickersSection() {
  const [siteId, setSiteId] = useState<number>()
  const [typeId, setTypeId] = useState<number>()
  const [companyId, setCompanyId] = useState<number>()
  const [agentId, setAgentId] = useState<number>()
  const [chosen, setChosen] = useState<number>()
  return (
    <Section title="Pickers">
      <Group align="flex-start" gap="md">
        <SiteSelect value={siteId} onChange={setSiteId} withSuspended />
        <TypeSelect siteId={siteId} value={typeId} onChange={setTypeId} />
        <OfficeSelect value={companyId} onChange={setCompanyId} />
        <AgentSelect
          companyId={companyId}
          agentsQuery="onlyAvailablePlusSuspended"
          value={agentId}
          onChange={setAgentId}
        />
        <EntitySelect label="Loading" options={undefined} value={null} onChange={setChosen} />
        <EntitySelect label="Of 5,000" options={MANY} value={chosen} onChange={setChosen} />
      </Group>
    </Section>
  )
}
