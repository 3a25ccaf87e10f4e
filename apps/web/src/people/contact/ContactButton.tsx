import { Button, type ButtonProps } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import type { Contact } from '@tallyroom/contract/people/contact'
import { type ComponentProps, Suspense, useState } from 'react'
import { lazyOr } from '../../lib/lazy-or.ts'
import { useMe } from '../../lib/session.ts'
import classes from './ContactButton.module.css'
import { ContactWays } from './ContactWays.tsx'

const ContactPopover = lazyOr(() => import('./ContactPopover.tsx'), PlainContact)

/** Whom to ask at the network, in the header of offices and agents. Nothing while nobody is named. Loaded when it is first opened. */
export function ContactButton() {
  const { contact } = useMe()
  const [isWanted, setWanted] = useState(false)
  if (!contact) return null
  const button = <ContactOpener onClick={() => setWanted(true)} />
  return (
    <Suspense fallback={button}>
      {isWanted ? <ContactPopover contact={contact} /> : button}
    </Suspense>
  )
}

/** The same if the popover can't be loaded: beneath the button, until it is pressed again. */
function PlainContact({ contact }: { contact: Contact }) {
  const [opened, setOpened] = useState(true)
  return (
    <div className={classes.plain}>
      <ContactOpener autoFocus aria-expanded={opened} onClick={() => setOpened(!opened)} />
      {opened && (
        <div className={classes.ways} role="dialog" aria-label="Contact">
          <ContactWays contact={contact} />
        </div>
      )}
    </div>
  )
}

export const ContactOpener = (props: ButtonProps & ComponentProps<'button'>) => (
  <Button
    variant="subtle"
    color="gray"
    size="compact-sm"
    aria-haspopup="dialog"
    leftSection={<IconHelpCircle size={17} stroke={1.6} aria-hidden />}
    {...props}
  >
    Contact
  </Button>
)
