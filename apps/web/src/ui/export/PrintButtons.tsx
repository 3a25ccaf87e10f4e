import { Button } from '@mantine/core'
import { IconArrowsMinimize, IconPrinter } from '@tabler/icons-react'

interface PrintButtonsProps {
  /** The print version is on. */
  on: boolean
  onToggle: () => void
}

/** Prints what the page shows. */
export const PrintButton = () => (
  <Button variant="default" leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
    Print
  </Button>
)

/** Toggles the print version of a report, and prints it. */
export const PrintButtons = ({ on, onToggle }: PrintButtonsProps) => (
  <>
    {on && <PrintButton />}
    <Button
      variant={on ? 'light' : 'default'}
      aria-pressed={on}
      leftSection={<IconArrowsMinimize size={15} />}
      onClick={onToggle}
    >
      Print version
    </Button>
  </>
)
