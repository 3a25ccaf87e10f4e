import { Popover } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { Contact } from '@tallyroom/contract/people/contact'
import { useState } from 'react'
import { ContactOpener } from './ContactButton.tsx'
import { ContactWays } from './ContactWays.tsx'

/** Opens itself on its first render. */
export default function ContactPopover({ contact }: { contact: Contact }) {
  // The library moves the focus only if it sees the popover open after it was mounted.
  const isMounted = useMounted()
  const [opened, setOpened] = useState(true)
  return (
    <Popover
      opened={isMounted && opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        {/* It takes the place of the button that was pressed, and gets the focus back. */}
        <ContactOpener autoFocus onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown maw={320} aria-label="Contact">
        <ContactWays contact={contact} />
      </Popover.Dropdown>
    </Popover>
  )
}
