import { ActionIcon, Anchor, Button } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** A link in running text or a cell. */
export const LinkText = createLink(Anchor<'a'>)

/** A link that looks like a button: '+ Add Office'. */
export const LinkButton = createLink(Button<'a'>)

/** A link that is an icon; needs an `aria-label`. */
export const LinkIcon = createLink(ActionIcon<'a'>)
