import { IconPencil } from '@tabler/icons-react'
import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { ComponentProps, ReactElement } from 'react'
import { IconAnchor } from '../IconButton.tsx'
import { FROM_LIST } from './back-to-list.ts'

type PencilProps = Omit<ComponentProps<'a'>, 'children'>

const Pencil = createLink((props: PencilProps) => (
  <IconAnchor {...props}>
    <IconPencil size={16} stroke={1.6} />
  </IconAnchor>
))

/** Links from a row to its form. Needs an `aria-label`. */
export const EditLink: LinkComponent<(props: PencilProps) => ReactElement> = (props) => (
  <Pencil state={FROM_LIST} {...props} />
)
