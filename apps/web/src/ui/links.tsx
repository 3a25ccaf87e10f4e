import { Anchor, Button } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link in running text or a cell. */
export const LinkText = createLink(Anchor<'a'>)

/** A link that looks like a button: '+ Add Office'. */
export const LinkButton = createLink((props: ComponentProps<typeof Button<'a'>>) => (
  <Button {...props} component="a" />
))
