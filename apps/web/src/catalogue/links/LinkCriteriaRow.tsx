import { can } from '@tallyroom/domain/abilities'
import { useState } from 'react'
import { useIsPhone } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { AgentSelect } from '../../shared/pickers/AgentSelect.tsx'
import { OfficeSelect } from '../../shared/pickers/OfficeSelect.tsx'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { useWithin } from '../../shared/within.ts'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { useDraft } from '../../ui/filters/use-draft.ts'
import type { LinkCriteria } from './links-search.ts'

interface LinkCriteriaRowProps {
  applied: LinkCriteria
  onSearch: (criteria: LinkCriteria) => void
  busy: boolean
}

/** Chooses a site and an agent; both are required. Agents get their own links. */
export function LinkCriteriaRow({ applied, onSearch, busy }: LinkCriteriaRowProps) {
  const me = useMe()
  const within = useWithin()
  const isAgents = within.agentId !== undefined
  const [draft, change] = useDraft(applied)
  const [isTried, setTried] = useState(false)
  const choosesAgent = can(me, 'agents.choose')
  const isPhone = useIsPhone()
  const isComplete =
    (isPhone || draft.siteId !== undefined) && (!choosesAgent || draft.agentId !== undefined)

  return (
    <CriteriaRow
      searchLabel="Get links"
      busy={busy}
      onSearch={() => {
        setTried(true)
        if (isComplete) onSearch(draft)
      }}
    >
      {within.siteId === undefined && (
        <SiteSelect
          {...(!isPhone && { required: true, placeholder: 'Choose a site' })}
          value={draft.siteId}
          onChange={(siteId) => change({ siteId })}
          {...(isTried && !isPhone && draft.siteId === undefined && { error: 'Choose a site' })}
        />
      )}
      {can(me, 'offices.choose') && !isAgents && (
        <OfficeSelect
          onlyAvailable
          value={draft.companyId}
          onChange={(companyId) => change({ companyId, agentId: undefined })}
        />
      )}
      {choosesAgent && !isAgents && (
        <AgentSelect
          required
          placeholder="Choose an agent"
          companyId={draft.companyId}
          value={draft.agentId}
          onChange={(agentId) => change({ agentId })}
          {...(isTried && draft.agentId === undefined && { error: 'Choose an agent' })}
        />
      )}
    </CriteriaRow>
  )
}
