import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { laterComponent } from '../lib/later.ts'
import { Tooltip } from '../ui/floating/Tooltip.tsx'

const Palette = laterComponent(() =>
  import('./Palette.tsx').then(({ Palette: component }) => component),
)
const ShortcutsDialog = laterComponent(() =>
  import('./ShortcutsDialog.tsx').then(({ ShortcutsDialog: component }) => component),
)

/** The commands of the frame: Ctrl+K (also a button), `/` and `?`. */
export function Commands() {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)

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
  }, [])

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
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </>
  )
}

/** Typing, or a dialog is open: plain keys are not for us. */
const isOccupied = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="listbox"]') !== null)
