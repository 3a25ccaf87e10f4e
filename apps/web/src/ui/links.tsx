import { Button } from '@mantine/core'
import { createLink, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './links.module.css'

interface TextAnchorProps extends Omit<ComponentProps<'a'>, 'className'> {
  /** For running text, where colour alone does not identify a link. */
  underlined?: boolean
}

/** An external link in running text or a cell. */
export const TextAnchor = ({ underlined, children, ...props }: TextAnchorProps) => (
  <a
    {...props}
    className={`${classes.link} mantine-focus-auto`}
    data-underlined={underlined || undefined}
  >
    {children}
  </a>
)

/** A link to another page, in running text or a cell. */
export const LinkText = createLink(TextAnchor)

/** A link that looks like a button: '+ Add Office'. */
export const LinkButton = createLink((props: ComponentProps<typeof Button<'a'>>) => (
  <Button {...props} component="a" />
))

/** The list that a page belongs to: its route and title. */
export interface WayBack {
  to: NonNullable<LinkProps['to']>
  label: string
}

/** Leads back to the list from a record that does not exist. */
export const BackButton = ({ to, label }: WayBack) => (
  <LinkButton to={to} variant="default" size="xs">
    Back to {label}
  </LinkButton>
)
