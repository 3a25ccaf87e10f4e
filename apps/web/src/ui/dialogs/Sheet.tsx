import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Sheet.module.css'
import { useOpened } from '../use-opened.ts'

interface SheetProps {
  title: string
  /** Called when the user closes it: by a tap beside it, Escape or the close button. */
  onDismiss?: () => void
  onClosed: () => void
  children: (close: () => void) => ReactNode
}

/** A dialog from the bottom edge, within reach of the thumb. Loaded when it is first opened. */
export default function Sheet({ title, onDismiss, onClosed, children }: SheetProps) {
  const [opened, close] = useOpened()
  return (
    <Drawer
      opened={opened}
      onClose={() => {
        close()
        onDismiss?.()
      }}
      onExitTransitionEnd={onClosed}
      position="bottom"
      size="auto"
      title={title}
      classNames={{ content: classes.content, title: classes.title }}
    >
      {children(close)}
    </Drawer>
  )
}
