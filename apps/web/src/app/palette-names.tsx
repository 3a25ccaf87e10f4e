import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import { findEndpoints, type Found, SHORTEST_FIND } from '@tallyroom/contract/find'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconBuilding,
  IconPointer,
  IconReceipt2,
  IconUser,
  IconWorld,
  type Icon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queryOf } from '../lib/queries.ts'
import { nameOf, OPTIONS_STALE_MS } from '../pickers/picker.ts'

const TYPING_MS = 200
const MOST_CHARACTERS = 128

const kinds: Record<Found['kind'], { group: string; icon: Icon; pathOf: (id: string) => string }> =
  {
    sale: { group: 'Sales', icon: IconReceipt2, pathOf: (id) => `/app/sales/${id}` },
    click: {
      group: 'Clicks',
      icon: IconPointer,
      pathOf: (id) => `/app/sites/postbacks?clickId=${id}`,
    },
    agent: { group: 'Agents', icon: IconUser, pathOf: (id) => `/app/agents/${id}` },
    office: { group: 'Offices', icon: IconBuilding, pathOf: (id) => `/app/offices/${id}` },
    site: { group: 'Sites', icon: IconWorld, pathOf: (id) => `/app/sites/${id}` },
  }

/**
 * What the server finds for a text, in groups, best match first. Each keystroke cancels the
 * previous search. While one loads, the previous matches stay.
 */
export function useFound(query: string): { groups: SpotlightActionGroupData[]; isExact: boolean } {
  const navigate = useNavigate()
  const [typed] = useDebouncedValue(query.trim().slice(0, MOST_CHARACTERS), TYPING_MS)
  const { data } = useQuery({
    ...queryOf(
      findEndpoints.find,
      { body: { text: typed } },
      { keepPrevious: true, staleTime: OPTIONS_STALE_MS },
    ),
    enabled: typed.length >= SHORTEST_FIND,
  })
  const found = query.trim().length < SHORTEST_FIND ? [] : (data ?? [])
  const groups = new Map<string, SpotlightActionData[]>()
  for (const { kind, id, label, detail, active } of found) {
    const { group, icon: KindIcon, pathOf } = kinds[kind]
    const actions = groups.get(group) ?? []
    groups.set(group, actions)
    actions.push({
      id: `${kind} ${id}`,
      label: nameOf(label, active),
      description: detail,
      leftSection: <KindIcon size={18} stroke={1.6} />,
      onClick: () =>
        void navigate({ to: pathOf(id), ...(kind === 'click' && { search: { clickId: id } }) }),
    })
  }
  return {
    groups: [...groups].map(([group, actions]) => ({ group, actions })),
    isExact: found[0]?.isExact ?? false,
  }
}
