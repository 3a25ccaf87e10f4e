import { Kbd, Modal } from '@mantine/core'
import { useOpened } from '../ui/use-opened.ts'
import classes from './ShortcutsDialog.module.css'

const shortcuts: { keys: string[]; does: string }[] = [
  { keys: ['Ctrl', 'K'], does: 'Go to a page' },
  { keys: ['/'], does: 'Focus the search' },
  { keys: ['Ctrl', '←'], does: 'Previous page of a list' },
  { keys: ['Ctrl', '→'], does: 'Next page of a list' },
  { keys: ['Enter'], does: 'Search, or submit a form' },
  { keys: ['Esc'], does: 'Close a dialog or a list of choices' },
  { keys: ['?'], does: 'Show this help' },
]

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [opened, close] = useOpened()
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClose}
      title="Keyboard shortcuts"
      centered
      size="sm"
    >
      <dl className={classes.list}>
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key} size="xs" ml={4}>
                  {key}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
