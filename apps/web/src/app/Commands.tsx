import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect } from 'react'
import { Tooltip } from '../ui/Tooltip.tsx'

const Palette = lazy(() => import('./Palette.tsx'))
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))

export type Command = 'palette' | 'shortcuts'

interface CommandsProps {
  open: Command | null
  /** Always the same function. */
  onOpen: (command: Command | null) => void
}

/** The keyboard commands available on every page: Ctrl+K (also a button), `/` and `?`. */
export function Commands({ open, onOpen: setOpen }: CommandsProps) {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return setOpen('palette')
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isOccupied(event.target)) return
      if (event.key === '?') return setOpen('shortcuts')
      if (event.key !== '/') return
      event.preventDefault()
      const search = document.querySelector<HTMLElement>(
        'main [role="search"] input:not([type="hidden"])',
      )
      if (search) search.focus()
      else setOpen('palette')
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [setOpen])

  const close = () => setOpen(null)
  return (
    <>
      <Tooltip label="Go to… (Ctrl+K)">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Go to a page"
          onClick={() => setOpen('palette')}
        >
          <IconSearch size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  )
}

/** True while the user types or a dialog is open, when plain keys must not trigger commands. */
const isOccupied = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="listbox"]') !== null)
