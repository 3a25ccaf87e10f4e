import type { ComponentProps } from 'react'
import classes from './IconButton.module.css'

/**
 * The quiet button of a row or beside a value: an icon, and an `aria-label` that says what it does. Bare elements,
 * here and in links.tsx: a page has hundreds of them, and the library's cost half of the time that it takes to draw.
 */
export const IconButton = (props: Omit<ComponentProps<'button'>, 'className'>) => (
  <button type="button" {...props} className={`${classes.button} mantine-focus-auto`} />
)

/** The same for a link. */
export const IconAnchor = ({ children, ...props }: Omit<ComponentProps<'a'>, 'className'>) => (
  <a {...props} className={`${classes.link} mantine-focus-auto`}>
    {children}
  </a>
)
