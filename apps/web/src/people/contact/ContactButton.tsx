import { Button, type ButtonProps } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { useMe } from '../../lib/session.ts'

const ContactPopover = lazy(() => import('./ContactPopover.tsx'))

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
