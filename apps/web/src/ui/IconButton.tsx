import type { ComponentProps } from 'react'
import classes from './IconButton.module.css'

/**
 * An icon button in a row or beside a value. Needs an `aria-label`. A bare element, as in links.tsx: a page has
 * hundreds of them, and the library's own components would take half of the render time.
 */
export const IconButton = (props: Omit<ComponentProps<'button'>, 'className'>) => (
  <button type="button" {...props} className={`${classes.button} mantine-focus-auto`} />
)

/** An `IconButton` that is a link. */
export const IconAnchor = ({ children, ...props }: Omit<ComponentProps<'a'>, 'className'>) => (
  <a {...props} className={`${classes.link} mantine-focus-auto`}>
    {children}
  </a>
)
