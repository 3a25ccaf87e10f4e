import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMenu } from './use-menu.ts'

const [store, palette] = createSpotlight()

/** Ctrl+K: type a few letters, go there. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('')
  const groups = [...usePageActions()]

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
      limit={12}
      nothingFound="Nothing found"
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: 'Go to…',
        'aria-label': 'Go to',
      }}
    />
  )
}

/*
 * Each source of the palette is a hook that gives groups of actions. Offices, agents and sites by
 * name join when they have pages to lead to.
 */
function usePageActions(): SpotlightActionGroupData[] {
  const navigate = useNavigate()
  const entries = useMenu()
  return [
    {
      group: 'Pages',
      actions: entries.flatMap(({ label: area, icon: Icon, pages }) =>
        pages.map(({ label, to }) => ({
          id: to,
          label: area === label ? area : `${area}: ${label}`,
          leftSection: <Icon size={18} stroke={1.6} />,
          onClick: () => void navigate({ to }),
        })),
      ),
    },
  ]
}
