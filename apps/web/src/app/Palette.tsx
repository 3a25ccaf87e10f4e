import '@mantine/spotlight/styles.layer.css'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionGroupData,
  useSpotlight,
} from '@mantine/spotlight'
import { IconBookmark, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { savedViewsQuery } from '../features/saved-views/saved-views.api.ts'
import { useNamedActions } from './palette-names.tsx'
import { useMenu } from './menu.ts'

const [store, palette] = createSpotlight()

const LIST_ID = 'palette'
const optionId = (index: number) => `${LIST_ID}-${index}`

/** The command palette (Ctrl+K): finds pages, offices, agents and sites by a few letters. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('')
  const groups = [...usePageActions(), ...useViewActions(), ...useNamedActions(query)]

  // Names load after typing. Enter must open the first match on screen.
  const found = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join()
  useEffect(selectFirst, [found])
  const { selected, listId } = useSpotlight(store)
  useEffect(markOptions)

  useEffect(() => {
    palette.open()
    return palette.close
  }, [])

  return (
    <Spotlight
      store={store}
      shortcut={null}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      actions={groups}
      highlightQuery
      limit={20}
      nothingFound="Nothing found"
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: 'A page, an office, an agent, a site…',
        'aria-label': 'Go to',
        role: 'combobox',
        'aria-autocomplete': 'list',
        'aria-expanded': listId !== '',
        ...(listId && {
          'aria-controls': LIST_ID,
          'aria-activedescendant': selected < 0 ? undefined : optionId(selected),
        }),
      }}
      scrollAreaProps={{
        viewportProps: { id: LIST_ID, role: 'listbox', 'aria-label': 'Matches', tabIndex: -1 },
      }}
    />
  )
}

const drawnActions = () => [...document.querySelectorAll(`#${LIST_ID} [data-action]`)]

/** Does what the library does when the query changes. It offers no API for it. */
function selectFirst() {
  const { selected } = store.getState()
  const actions = drawnActions()
  const [first] = actions
  if (!first || (selected > 0 && actions[selected]?.hasAttribute('data-selected'))) return
  for (const action of actions) action.removeAttribute('data-selected')
  first.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

/** Tells screen readers which action is selected. The library only shows it visually. */
function markOptions() {
  const { selected } = store.getState()
  drawnActions().forEach((action, index) => {
    action.id = optionId(index)
    action.role = 'option'
    action.ariaSelected = String(index === selected)
  })
}

function usePageActions(): SpotlightActionGroupData[] {
  const navigate = useNavigate()
  const entries = useMenu()
  return [
    {
      group: 'Pages',
      actions: entries.flatMap(({ label: area, icon: Icon, pages }) =>
        // Payroll's pages are tabs of Stats too.
        area === 'Payroll'
          ? []
          : pages.map(({ label, to }) => ({
              id: to,
              label: area === label ? area : `${area}: ${label}`,
              leftSection: <Icon size={18} stroke={1.6} />,
              onClick: () => void navigate({ to }),
            })),
      ),
    },
  ]
}

function useViewActions(): SpotlightActionGroupData[] {
  const navigate = useNavigate()
  const { data } = useQuery(savedViewsQuery)
  const views = data?.views ?? []
  if (views.length === 0) return []
  return [
    {
      group: 'My views',
      actions: views.map(({ id, name, url }) => ({
        id: `view ${id}`,
        label: name,
        leftSection: <IconBookmark size={18} stroke={1.6} />,
        onClick: () => void navigate({ href: url }),
      })),
    },
  ]
}
