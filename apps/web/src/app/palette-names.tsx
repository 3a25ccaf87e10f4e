import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight'
import { findEndpoints, type Found, SHORTEST_FIND } from '@tallyroom/contract/desk/find'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconBuilding,
  IconCash,
  IconFileInvoice,
  IconPlugConnected,
  IconPointer,
  IconReceipt2,
  IconUser,
  IconUserShield,
  IconWorld,
  type Icon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queryOf } from '../lib/queries.ts'
import { placeOf } from '../shared/found.ts'
import { nameOf, OPTIONS_STALE_MS } from '../shared/pickers/picker.ts'

const TYPING_MS = 200
const MOST_CHARACTERS = 128

const kinds: Record<Found['kind'], { group: string; icon: Icon }> = {
  sale: { group: 'Sales', icon: IconReceipt2 },
  click: { group: 'Clicks', icon: IconPointer },
  postback: { group: 'Postbacks', icon: IconPlugConnected },
  statement: { group: 'Statements', icon: IconFileInvoice },
  run: { group: 'Payments', icon: IconCash },
  payment: { group: 'Payments', icon: IconCash },
  agent: { group: 'Agents', icon: IconUser },
  office: { group: 'Offices', icon: IconBuilding },
  site: { group: 'Sites', icon: IconWorld },
  admin: { group: 'Admins', icon: IconUserShield },
}

interface FoundNames {
  groups: SpotlightActionGroupData[]
  isExact: boolean
  /** What it means that no sale has this number; null while another text is being searched. */
  meaning: string | null
}

/**
 * What the server finds for a text, in groups, best match first. Each keystroke cancels the
 * previous search. While one loads, the previous matches stay.
 */
export function useFound(query: string): FoundNames {
  const navigate = useNavigate()
  const text = query.trim().slice(0, MOST_CHARACTERS)
  const [typed] = useDebouncedValue(text, TYPING_MS)
  const { data, isPlaceholderData } = useQuery({
    ...queryOf(
      findEndpoints.find,
      { body: { text: typed } },
      { keepPrevious: true, staleTime: OPTIONS_STALE_MS },
    ),
    enabled: typed.length >= SHORTEST_FIND,
  })
  if (text.length < SHORTEST_FIND || !data) return { groups: [], isExact: false, meaning: null }
  const groups = new Map<string, SpotlightActionData[]>()
  for (const { kind, id, label, detail, active } of data.items) {
    const { group, icon: KindIcon } = kinds[kind]
    const actions = groups.get(group) ?? []
    groups.set(group, actions)
    actions.push({
      id: `${kind} ${id} ${label}`,
      label: nameOf(label, active),
      description: detail,
      leftSection: <KindIcon size={18} stroke={1.6} />,
      onClick: () => void navigate(placeOf({ kind, id })),
    })
  }
  return {
    groups: [...groups].map(([group, actions]) => ({ group, actions })),
    isExact: data.items[0]?.isExact ?? false,
    meaning: typed === text && !isPlaceholderData ? data.meaning : null,
  }
}
