import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { agentsEndpoints } from '@tallyroom/contract/agents'
import { officesEndpoints } from '@tallyroom/contract/offices'
import { sitesEndpoints } from '@tallyroom/contract/sites'
import { can } from '@tallyroom/domain/abilities'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBuilding, IconUser, IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queryOf } from '../lib/queries.ts'
import { useMe } from '../lib/session.ts'
import { nameOf, OPTIONS_STALE_MS } from '../pickers/picker.ts'

/** A single letter would match nearly every name. */
const SHORTEST = 2
const TYPING_MS = 200
const SHOWN = 6

const icon = { size: 18, stroke: 1.6 }

/** Offices, agents and sites whose names match, if the viewer may open their pages. */
export function useNamedActions(query: string): SpotlightActionGroupData[] {
  const [typed] = useDebouncedValue(query.trim(), TYPING_MS)
  return [useOffices(typed), useAgents(typed), useSites(typed)].filter(
    ({ actions }) => actions.length > 0,
  )
}

function useOffices(typed: string): SpotlightActionGroupData {
  const navigate = useNavigate()
  const { data } = useQuery({
    ...queryOf(officesEndpoints.searchOffices, { body: searchFor(typed) }, fromBefore),
    enabled: can(useMe(), 'offices.edit') && typed.length >= SHORTEST,
  })
  return {
    group: 'Offices',
    actions: (typed.length < SHORTEST ? [] : (data?.items ?? [])).map(
      ({ companyId, officeName, username, active }) => ({
        id: `office ${companyId}`,
        label: nameOf(officeName, active),
        description: username,
        keywords: typed,
        leftSection: <IconBuilding {...icon} />,
        onClick: () =>
          void navigate({
            to: '/app/offices/edit/$companyId',
            params: { companyId: String(companyId) },
          }),
      }),
    ),
  }
}

/** Searched on the server, because there may be thousands. The best match comes first. */
function useAgents(typed: string): SpotlightActionGroupData {
  const navigate = useNavigate()
  const { data } = useQuery({
    ...queryOf(agentsEndpoints.searchAgents, { body: searchFor(typed) }, fromBefore),
    enabled: can(useMe(), 'agents.edit') && typed.length >= SHORTEST,
  })
  return {
    group: 'Agents',
    actions: (typed.length < SHORTEST ? [] : (data?.items ?? [])).map(
      ({ id, username, firstName, lastName, officeName, active }) => ({
        id: `agent ${id}`,
        label: nameOf(username, active),
        description: [`${firstName} ${lastName}`.trim(), officeName].filter(Boolean).join(' · '),
        keywords: typed,
        leftSection: <IconUser {...icon} />,
        onClick: () =>
          void navigate({ to: '/app/agents/edit/$agentId', params: { agentId: String(id) } }),
      }),
    ),
  }
}

const searchFor = (typed: string) => ({
  criteria: [
    { field: 'text' as const, operator: 'LIKE' as const, value: `%${typed.slice(0, 90)}%` },
  ],
  pageSize: SHOWN,
})

const fromBefore = { keepPrevious: true, staleTime: OPTIONS_STALE_MS } as const

function useSites(typed: string): SpotlightActionGroupData {
  const navigate = useNavigate()
  const me = useMe()
  const { data = [] } = useQuery({
    ...queryOf(sitesEndpoints.sites, { query: { withSuspended: '1' } }),
    staleTime: OPTIONS_STALE_MS,
    enabled: can(me, 'link-types.view') && typed.length >= SHORTEST,
  })
  return {
    group: 'Sites',
    actions: named(data, typed, ({ sitename }) => sitename).map(({ id, sitename, active }) => ({
      id: `site ${id}`,
      label: nameOf(sitename, active),
      leftSection: <IconWorld {...icon} />,
      onClick: () =>
        can(me, 'sites.manage')
          ? void navigate({ to: '/app/sites/edit/$id', params: { id: String(id) } })
          : void navigate({ to: '/app/sites/$siteId/types', params: { siteId: String(id) } }),
    })),
  }
}

const named = <Item,>(items: readonly Item[], typed: string, name: (item: Item) => string) =>
  typed.length < SHORTEST
    ? []
    : items.filter((item) => name(item).toLowerCase().includes(typed.toLowerCase())).slice(0, SHOWN)
