import { useId, useState, type MouseEvent } from 'react'

/**
 * A button and what it opens, which hangs at it. `target` is undefined until it was first opened: so long
 * nothing has to be drawn.
 */
export function useOpener(opens: 'menu' | 'dialog') {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement>()
  const [opened, setOpened] = useState(false)
  return {
    target,
    opened,
    close: () => setOpened(false),
    button: {
      id,
      'aria-haspopup': opens,
      'aria-expanded': opened,
      onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => {
        setTarget(currentTarget)
        setOpened(!opened)
      },
    },
  }
}
