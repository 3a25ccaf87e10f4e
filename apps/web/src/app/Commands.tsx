import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Tooltip } from '../ui/Tooltip.tsx'
import type { useAsked } from '../ui/use-asked.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))

export type Command = 'palette' | 'shortcuts'

/** The keyboard commands available on every page: Ctrl+K (also a button), `/` and `?`. */
export function Commands({ command }: { command: ReturnType<typeof useAsked<Command>> }) {
  const { asked, key, ask, end } = command
  const [query, setQuery] = useState('')
  // Set at once, before anything is drawn.
  const isPalette = useRef(false)
  const openPalette = useCallback(() => {
    isPalette.current = true
    ask('palette')
  }, [ask])
  const close = useCallback(() => {
    isPalette.current = false
    end()
    setQuery('')
  }, [end])

  // People type at once, before the palette is loaded and its field has the focus.
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!isPalette.current || isInDialog(event.target)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') return close()
      if (event.key !== 'Backspace' && event.key.length > 1) return
      event.preventDefault()
      event.stopPropagation()
      setQuery((text) => (event.key === 'Backspace' ? text.slice(0, -1) : text + event.key))
    }
    window.addEventListener('keydown', handleKey, { capture: true })
    return () => window.removeEventListener('keydown', handleKey, { capture: true })
  }, [close])

  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return openPalette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isOccupied(event.target)) return
      if (event.key === '?') return ask('shortcuts')
      if (event.key !== '/') return
      event.preventDefault()
      const search = document.querySelector<HTMLElement>(
        'main [role="search"] input:not([type="hidden"])',
      )
      if (search) search.focus()
      else openPalette()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [ask, openPalette])

  return (
    <>
      <Tooltip label="Go to… (Ctrl+K)">
        <ActionIcon variant="subtle" color="gray" aria-label="Go to a page" onClick={openPalette}>
          <IconSearch size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Suspense>
        {asked === 'palette' && <Palette query={query} onQueryChange={setQuery} onClose={close} />}
        {asked === 'shortcuts' && <ShortcutsDialog key={key} onClose={close} />}
      </Suspense>
    </>
  )
}

/** True while the user types or a dialog is open, when plain keys must not trigger commands. */
const isOccupied = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="listbox"]') !== null)

const isInDialog = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('[role="dialog"]') !== null
