import { Button, Popover } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { useMe } from '../../lib/session.ts'
import { ContactWays } from './ContactWays.tsx'

/** Whom to ask at the network, in the header of offices and agents. Nothing while nobody is named. */
export function ContactButton() {
  const { contact } = useMe()
  return (
    contact && (
      <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconHelpCircle size={17} stroke={1.6} aria-hidden />}
          >
            Contact
          </Button>
        </Popover.Target>
        <Popover.Dropdown maw={320} aria-label="Contact">
          <ContactWays contact={contact} />
        </Popover.Dropdown>
      </Popover>
    )
  )
}
