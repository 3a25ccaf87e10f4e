import { Drawer } from '@mantine/core'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './UrlDrawer.module.css'
import { useOpened } from './use-opened.ts'

interface UrlDrawerProps {
  /** The URL parameters that hold the drawer's state. */
  params: readonly string[]
  width: number
  title: string
  /** Below the title. */
  about?: ReactNode
  children: ReactNode
}

/**
 * A drawer whose state is in the URL of the page below it. `FigureLink` opens it; Back closes it.
 */
export function UrlDrawer({ params, width, title, about, children }: UrlDrawerProps) {
  const [opened, close] = useOpened()
  const leave = useLeave(params)
  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={leave}
      position="right"
      size={width}
      title={
        <>
          <strong data-autofocus tabIndex={-1} className={classes.title}>
            {title}
          </strong>
          {about}
        </>
      }
    >
      {children}
    </Drawer>
  )
}

/** Pages within the drawer's list. Adds no history entry, so that Back still closes the drawer. */
export function usePaging(name: string): (page: number) => void {
  const navigate = useNavigate()
  return (page) =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, [name]: page === 1 ? undefined : page }),
      replace: true,
      state: (state) => state,
      resetScroll: false,
    })
}

/**
 * Closes the drawer by removing its parameters: with the browser's Back if it was opened from this
 * page.
 */
function useLeave(names: readonly string[]): () => void {
  const { history } = useRouter()
  const navigate = useNavigate()
  return () => {
    if (history.location.state.explained) return history.back()
    const without = Object.fromEntries(names.map((name) => [name, undefined]))
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, ...without }),
      replace: true,
      resetScroll: false,
    })
  }
}
